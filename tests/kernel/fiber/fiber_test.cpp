// fiber_test.cpp — spawn, join, yield, sleep, groups, cancellation of the running.
#include "kernel/fiber/fiber.h"

#include <atomic>
#include <thread>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/cancel.h"
#include "tests/kernel/fiber/death.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

TEST_CASE("a spawned fiber runs and is joined") {
  everywhere([] {
    int ran = 0;
    Task task = spawn({.name = "child"}, [&] {
      CHECK(current_name() == "child");
      ++ran;
    });
    CHECK(task.joinable());
    task.join();
    CHECK_FALSE(task.joinable());
    CHECK(ran == 1);
  });
}

TEST_CASE("a join may come before the start, meanwhile, or after the end") {
  everywhere([] {
    bool ended = false;
    Task early = spawn({.name = "early"}, [&] {
      yield();
      ended = true;
    });
    early.join();
    CHECK(ended);
    std::atomic<bool> late_ended = false;
    Task late = spawn({.name = "late"}, [&] { late_ended = true; });
    while (!late_ended) yield();
    late.join();
  });
}

TEST_CASE("a thousand fibers spawn, yield and join") {
  on_threads([] {
    std::atomic<int> sum = 0;
    std::vector<Task> tasks;
    for (int i = 0; i < 1000; ++i)
      tasks.push_back(spawn({.name = "adder"}, [&sum, i] {
        for (int k = 0; k < 3; ++k) yield();
        sum += i;
      }));
    for (Task& task : tasks) task.join();
    CHECK(sum == 999 * 1000 / 2);
  });
}

TEST_CASE("a group joins members and the members they add") {
  everywhere([] {
    std::atomic<int> count = 0;
    TaskGroup group;
    for (int i = 0; i < 3; ++i)
      group.spawn({.name = "parent"}, [&] {
        yield();
        group.spawn({.name = "child"}, [&] { ++count; });
        ++count;
      });
    group.join();
    CHECK(count == 6);
    CHECK(group.size() == 0);
    group.join();  // an empty group is joined at once
  });
}

TEST_CASE("what an entry captured is destroyed before the join returns") {
  everywhere([] {
    auto held = std::make_shared<int>(1);
    spawn({.name = "holder"}, [held] { yield(); }).join();
    CHECK(held.use_count() == 1);
  });
}

TEST_CASE("a sleep lasts") {
  everywhere([] {
    const Instant from = clock().now();
    CHECK(sleep_for(3ms).has_value());
    CHECK(clock().now() >= from + Duration(3ms));
  });
}

TEST_CASE("sleepers of one worker wake in the order of their times") {
  on_threads([] {  // the simulator may be late for one and run another first
    const Instant from = clock().now();
    std::vector<int> order;
    TaskGroup group;
    for (const int ms : {3, 1, 2})
      group.spawn({.name = "sleeper", .home = true}, [&order, ms, from] {
        CHECK(sleep_until(from + Duration(ms * 1ms)).has_value());
        CHECK(clock().now() >= from + Duration(ms * 1ms));
        order.push_back(ms);
      });
    group.join();
    CHECK(order == std::vector<int>{1, 2, 3});
  });
}

TEST_CASE("the simulator's clock jumps: an hour passes at once") {
  SimRuntime simulator(1);
  CHECK(simulator.run([] { CHECK(sleep_for(3600s).has_value()); }).has_value());
  CHECK(simulator.clock().now().ns >= 3600'000'000'000);
  CHECK(simulator.clock().wall_now().us >= 946'684'800'000'000 + 3600'000'000);
}

TEST_CASE("a cancelled sleeper wakes with the error of its token") {
  everywhere([] {
    CancelToken token;
    Task sleeper = spawn({.name = "sleeper", .cancel = &token}, [] {
      const Status status = sleep_for(1h);
      REQUIRE_FALSE(status.has_value());
      CHECK(status.error().code() == Code::kUnavailable);
      CHECK(status.error().message() == "shutting down");
      CHECK_FALSE(sleep_for(1h).has_value());  // and so does every later wait
    });
    yield();
    token.cancel(Code::kUnavailable, "shutting down");
    token.cancel(Code::kInternal, "too late to matter");
    sleeper.join();
  });
}

TEST_CASE("the deadline of a token ends a sleep early, its own end is no error") {
  everywhere([] {
    CancelToken token(clock().now() + 2ms);
    Task sleeper = spawn({.name = "sleeper", .cancel = &token}, [] {
      CHECK(sleep_for(10us).has_value());
      const Status status = sleep_for(1h);
      REQUIRE_FALSE(status.has_value());
      CHECK(status.error().code() == Code::kDeadlineExceeded);
    });
    sleeper.join();
  });
}

TEST_CASE("maybe_yield notices a cancelled token, a deadline and a refusing account") {
  struct Broke final : Account {
    Broke() : Account(TenantId{7}) {}
    Status check() override { return fail(Code::kLimitExceeded, "out of CPU"); }
  };
  everywhere([] {
    const auto spin = [](Code expected) {
      for (;;) {
        const Status status = maybe_yield();
        if (status) continue;
        CHECK(status.error().code() == expected);
        return;
      }
    };
    CancelToken token;
    Task cancelled = spawn({.name = "spin", .cancel = &token}, [&] { spin(Code::kCancelled); });
    CancelToken timed(clock().now() + 20us);
    Task late = spawn({.name = "late", .cancel = &timed}, [&] { spin(Code::kDeadlineExceeded); });
    Broke broke;
    Task poor = spawn({.name = "poor", .account = &broke}, [&] { spin(Code::kLimitExceeded); });
    yield();
    token.cancel();
    cancelled.join();
    late.join();
    poor.join();
    CHECK(broke.ticks() > 0);
  });
}

TEST_CASE("maybe_yield gives the others their turn") {
  everywhere([] {
    std::atomic<bool> stop = false;
    Task spinner = spawn({.name = "spinner", .home = true}, [&] {
      while (!stop) CHECK(maybe_yield().has_value());
    });
    Task stopper = spawn({.name = "stopper", .home = true}, [&] { stop = true; });
    stopper.join();
    spinner.join();
  });
}

TEST_CASE("a scope changes whom a fiber obeys; null shields it") {
  everywhere([] {
    CancelToken token;
    token.cancel();
    CancelToken other;
    Task cleaner = spawn({.name = "cleaner", .cancel = &token}, [&] {
      {
        CancelScope shield(nullptr);
        CHECK(sleep_for(1us).has_value());
        CancelScope changed(&other);
        CHECK(current_cancel() == &other);
      }
      CHECK(current_cancel() == &token);
      CHECK_FALSE(sleep_for(1us).has_value());
    });
    cleaner.join();
  });
}

TEST_CASE("CPU of a fiber is charged to its account") {
  on_threads([] {
    Account account(TenantId{3}, 2);
    Task worker = spawn({.name = "worker", .account = &account}, [] {
      CHECK(current_account()->tenant() == TenantId{3});
      const Ticks before = current_ticks();
      const Instant until = clock().now() + 1ms;
      while (clock().now() < until) {
      }
      CHECK(current_ticks() - before > 0);
    });
    worker.join();
    CHECK(account.ticks() > 100'000);  // a millisecond is millions
  });
}

TEST_CASE("a stay is divided among the accounts of its scopes") {
  on_threads([] {
    Account outer(TenantId{3});
    Account inner(TenantId{4});
    const auto spin = [] {
      const Instant until = clock().now() + 1ms;
      while (clock().now() < until) {
      }
    };
    Task worker = spawn({.name = "worker", .account = &outer}, [&] {
      spin();
      {
        const AccountScope scope(&inner);
        CHECK(current_account() == &inner);
        spin();
        yield();
        spin();
      }
      CHECK(current_account() == &outer);
    });
    worker.join();
    CHECK(outer.ticks() > 100'000);
    CHECK(inner.ticks() > 100'000);
  });
}

TEST_CASE("other threads post fibers and run() waits for them") {
  ThreadRuntime threads({.workers = 2});
  std::atomic<int> ran = 0;
  CHECK(threads
            .run([&] {
              std::thread poster([&] {
                for (int i = 0; i < 100; ++i)
                  threads.post({.name = "posted"}, [&ran] {
                    yield();
                    ++ran;
                  });
              });
              run_blocking([&] { poster.join(); });
            })
            .has_value());
  CHECK(ran == 100);
}

TEST_CASE("exceptions inside one fiber are its own affair") {
  on_threads([] {
    TaskGroup group;
    std::atomic<int> caught = 0;
    for (int i = 0; i < 50; ++i)
      group.spawn({.name = "thrower"}, [&caught, i] {
        int got = -1;
        yield();
        try {
          std::vector<int>().at(static_cast<std::size_t>(i));
        } catch (const std::out_of_range&) {
          got = i;
        }
        yield();
        if (got == i) ++caught;
      });
    group.join();
    CHECK(caught == 50);
  });
}

TEST_CASE("misuse is found: an unjoined task, a park where none may be") {
  CHECK(dies([] { on_threads([] { Task lost = spawn({.name = "lost"}, [] {}); }, 1); }));
  CHECK(dies([] {
    on_threads(
        [] {
          NoPark guard;
          yield();
        },
        1);
  }));
#ifdef COPPICE_DEBUG
  CHECK(dies([] {
    on_threads(
        [] {
          try {
            std::vector<int>().at(1);
          } catch (const std::out_of_range&) {
            static_cast<void>(sleep_for(1ms));  // would mix two fibers' exceptions
          }
        },
        1);
  }));
#endif
  CHECK_FALSE(dies([] { on_threads([] { NoPark guard; }, 1); }));
}

}  // namespace coppice::fiber
