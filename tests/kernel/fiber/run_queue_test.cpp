// run_queue_test.cpp — who goes next: priorities, tenants, long fibers, thieves.
#include "kernel/fiber/run_queue.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <vector>

#include "kernel/fiber/account.h"
#include "kernel/fiber/tick_rate.h"

namespace coppice::fiber {

namespace {

struct Bench {  // control blocks that never run
  RunQueue queue;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::map<std::uint32_t, std::unique_ptr<Account>> accounts;

  Fiber& make(Priority priority, std::uint32_t tenant = 0, std::uint32_t weight = 1) {
    auto& account = accounts[tenant];
    if (!account) account = std::make_unique<Account>(TenantId{tenant}, weight);
    fibers.push_back(std::make_unique<Fiber>());
    fibers.back()->priority = priority;
    fibers.back()->account = account.get();
    return *fibers.back();
  }
  // Every fiber runs for `cost` and is ready again at once: who got how much after `stays`?
  std::map<std::uint32_t, std::uint64_t> share(int stays,
                                               const std::map<std::uint32_t, Ticks>& cost) {
    std::map<std::uint32_t, std::uint64_t> used;
    for (int i = 0; i < stays; ++i) {
      Fiber* const fiber = queue.pop();
      REQUIRE(fiber != nullptr);
      const std::uint32_t tenant = fiber->account->tenant().value;
      used[tenant] += cost.at(tenant);
      queue.push(*fiber);
      queue.charge(cost.at(tenant));
    }
    return used;
  }
};

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

TEST_CASE("log runs first, query before what is below it") {
  Bench bench;
  Fiber& background = bench.make(Priority::kBackground);
  Fiber& flush = bench.make(Priority::kUrgentFlush);
  Fiber& query = bench.make(Priority::kQuery);
  Fiber& log = bench.make(Priority::kLog);
  for (Fiber* fiber : {&background, &flush, &query, &log}) bench.queue.push(*fiber);
  CHECK(bench.queue.waiting() == 4);
  for (Fiber* expected : {&log, &query, &flush, &background}) {
    CHECK(bench.queue.pop() == expected);
    bench.queue.charge(1);
  }
  CHECK(bench.queue.pop() == nullptr);
}

TEST_CASE("below query nobody starves: one pick in sixteen, nine parts of ten for flush") {
  Bench bench;
  const Ticks cost = ticks_in(50us);
  for (const Priority priority : {Priority::kQuery, Priority::kUrgentFlush, Priority::kBackground})
    bench.queue.push(bench.make(priority));
  std::map<Priority, int> stays;
  for (int i = 0; i < 16'000; ++i) {
    Fiber* const fiber = bench.queue.pop();
    ++stays[fiber->priority];
    bench.queue.push(*fiber);
    bench.queue.charge(cost);
  }
  CHECK(stays[Priority::kQuery] == 15'000);
  CHECK(stays[Priority::kUrgentFlush] == doctest::Approx(900).epsilon(0.05));
  CHECK(stays[Priority::kBackground] == doctest::Approx(100).epsilon(0.2));
}

TEST_CASE("first come, first served within a tenant, starts and resumes alike") {
  Bench bench;
  Fiber& first = bench.make(Priority::kQuery);
  Fiber& second = bench.make(Priority::kQuery);
  Fiber& third = bench.make(Priority::kQuery);
  bench.queue.push_start(first);
  bench.queue.push(second);
  bench.queue.push_start(third);
  for (Fiber* expected : {&first, &second, &third}) {
    CHECK(bench.queue.pop() == expected);
    bench.queue.charge(1);
  }
}

TEST_CASE("tenants share CPU, not turns: many or costly fibers gain nothing") {
  Bench bench;
  for (int i = 0; i < 8; ++i) bench.queue.push(bench.make(Priority::kQuery, 1));
  bench.queue.push(bench.make(Priority::kQuery, 2));
  bench.queue.push(bench.make(Priority::kQuery, 3));
  const auto used =
      bench.share(60'000, {{1, ticks_in(20us)}, {2, ticks_in(5us)}, {3, ticks_in(300us)}});
  CHECK(ratio(used.at(1), used.at(2)) == doctest::Approx(1).epsilon(0.05));
  CHECK(ratio(used.at(3), used.at(2)) == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("a tenant of weight three gets three times as much") {
  Bench bench;
  bench.queue.push(bench.make(Priority::kQuery, 1, 3));
  bench.queue.push(bench.make(Priority::kQuery, 2, 1));
  const auto used = bench.share(20'000, {{1, ticks_in(30us)}, {2, ticks_in(30us)}});
  CHECK(ratio(used.at(1), used.at(2)) == doctest::Approx(3).epsilon(0.05));
}

TEST_CASE("a tenant that was idle has saved nothing up") {
  Bench bench;
  Fiber& idle = bench.make(Priority::kQuery, 1);
  bench.queue.push(idle);
  CHECK(bench.queue.pop() == &idle);
  bench.queue.charge(1);
  bench.queue.push(bench.make(Priority::kQuery, 2));
  bench.share(10'000, {{2, ticks_in(50us)}});
  bench.queue.push(idle);
  const auto used = bench.share(10'000, {{1, ticks_in(50us)}, {2, ticks_in(50us)}});
  CHECK(ratio(used.at(1), used.at(2)) == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("a fiber that has used a millisecond lets the short ones of its tenant go first") {
  Bench bench;
  Fiber& hog = bench.make(Priority::kQuery);
  hog.ticks = ticks_in(2ms);
  bench.queue.push(hog);
  std::vector<Fiber*> order;
  for (int i = 0; i < 20; ++i) bench.queue.push(bench.make(Priority::kQuery));
  for (int i = 0; i < 21; ++i) {
    order.push_back(bench.queue.pop());
    bench.queue.charge(1);
  }
  CHECK(order.front() != &hog);
  const auto at = std::find(order.begin(), order.end(), &hog) - order.begin();
  CHECK(at == kLongTurn - 1);  // but it does get its turn
}

TEST_CASE("thieves take the oldest start, never a resume, and only when enough wait") {
  Bench bench;
  Fiber& resumed = bench.make(Priority::kQuery);
  Fiber& first = bench.make(Priority::kQuery, 1);
  Fiber& second = bench.make(Priority::kQuery, 2);
  bench.queue.push(resumed);
  CHECK(bench.queue.steal(1) == nullptr);
  bench.queue.push_start(first);
  CHECK(bench.queue.steal(3) == nullptr);
  bench.queue.push_start(second);
  CHECK(bench.queue.steal(3) == &first);
  CHECK(bench.queue.starts_waiting() == 1);
  CHECK(bench.queue.steal(3) == nullptr);
  CHECK(bench.queue.steal(1) == &second);
  CHECK(bench.queue.pop() == &resumed);  // the emptied tenants are passed over
  bench.queue.charge(1);
  CHECK(bench.queue.pop() == nullptr);
  CHECK(bench.queue.empty());
}

TEST_CASE("a thousand tenants come and go without staying in memory") {
  Bench bench;
  for (std::uint32_t tenant = 1; tenant <= 1000; ++tenant)
    bench.queue.push(bench.make(Priority::kQuery, tenant));
  std::size_t served = 0;
  while (bench.queue.pop() != nullptr) {
    bench.queue.charge(1);
    ++served;
  }
  CHECK(served == 1000);
}

}  // namespace coppice::fiber
