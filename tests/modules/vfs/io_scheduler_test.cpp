// io_scheduler_test.cpp — who goes first, how many, and what queries' latency does to that.
#include "modules/vfs/io_scheduler.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"

namespace coppice::vfs {
namespace {

void in_fiber(std::uint64_t seed, const std::function<void()>& body) {
  fiber::SimRuntime runtime(seed);
  const Status status = runtime.run([&body] { body(); });
  REQUIRE_MESSAGE(status.has_value(), (status ? "" : status.error().to_string()));
}

TEST_CASE("depth halves while queries are slow and grows by one while they are not") {
  DepthControl control(1ms);
  Instant now{};
  const auto window = [&](Duration latency) {
    for (int i = 0; i < 10; ++i) control.observe_read(latency);
    now = now + DepthControl::kWindow;
    return control.depth(now);
  };
  const unsigned start = control.depth(now);
  CHECK(window(100us) == start + 1);
  CHECK(window(100us) == start + 2);
  CHECK(window(5ms) == (start + 2) / 2);
  for (int i = 0; i < 10; ++i) window(5ms);
  CHECK(window(5ms) == 1);
  for (int i = 0; i < 100; ++i) window(0us);
  CHECK(window(0us) == DepthControl::kDepthMax);
  // A single slow read in a window says nothing.
  control.observe_read(1s);
  now = now + DepthControl::kWindow;
  CHECK(control.depth(now) == DepthControl::kDepthMax);
}

TEST_CASE("a token bucket asks for exactly the time that the rate demands") {
  TokenBucket bucket(1000);
  Instant now{};
  CHECK(bucket.take(100, now) == now);  // the burst
  const Instant next = bucket.take(500, now);
  CHECK(next - now == 500ms);
  CHECK(bucket.take(100, next) - next == 100ms);
  TokenBucket unlimited(0);
  CHECK(unlimited.take(UINT64_MAX, now) == now);
}

TEST_CASE("log and queries never wait") {
  in_fiber(1, [] {
    IoScheduler scheduler({});
    std::vector<IoScheduler::Slot> slots;
    for (int i = 0; i < 100; ++i) {
      slots.push_back(std::move(scheduler.begin(IoClass::kLog, 1).value()));
      slots.push_back(std::move(scheduler.begin(IoClass::kQuery, 1).value()));
    }
    CHECK(scheduler.state().under_way == 0);
  });
}

TEST_CASE("turns are given by class, and never more than the depth") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::string order;
    in_fiber(seed, [&] {
      IoScheduler scheduler({});
      const unsigned depth = scheduler.state().depth;
      // Fill all turns, so that everyone who comes now has to wait.
      std::vector<IoScheduler::Slot> held;
      for (unsigned i = 0; i < depth; ++i) {
        held.push_back(std::move(scheduler.begin(IoClass::kCompaction, 1).value()));
      }
      fiber::TaskGroup group;
      unsigned under_way = 0;
      const auto enqueue = [&](IoClass io_class, char letter) {
        group.spawn({.name = "io"}, [&, io_class, letter] {
          const auto slot = scheduler.begin(io_class, 1);
          CHECK(slot.has_value());
          order += letter;
          CHECK(++under_way <= depth + 1);
          static_cast<void>(fiber::sleep_for(1ms));
          --under_way;
        });
      };
      for (int i = 0; i < 5; ++i) enqueue(IoClass::kPrefetch, 'p');
      for (int i = 0; i < 5; ++i) enqueue(IoClass::kCompaction, 'c');
      for (int i = 0; i < 5; ++i) enqueue(IoClass::kFlush, 'f');
      while (scheduler.state().waiting < 15) REQUIRE(fiber::sleep_for(10us).has_value());
      held.clear();
      group.join();
      CHECK(scheduler.state().under_way == 0);
    });
    CHECK(order == "fffffcccccppppp");
  }
}

TEST_CASE("slow queries hold the background back, and it recovers") {
  in_fiber(1, [] {
    IoScheduler scheduler({.query_latency_target = 1ms});
    const auto busy = [&](Duration latency) {
      for (int i = 0; i < 200; ++i) {
        scheduler.observe_query_read(latency);
        REQUIRE(fiber::sleep_for(5ms).has_value());
        static_cast<void>(scheduler.state());
      }
      return scheduler.state().depth;
    };
    CHECK(busy(10ms) == 1);
    CHECK(busy(100us) > 10);
  });
}

TEST_CASE("whoever waits can be cancelled, and takes nobody's turn with it") {
  in_fiber(1, [] {
    IoScheduler scheduler({});
    std::vector<IoScheduler::Slot> held;
    const unsigned depth = scheduler.state().depth;
    for (unsigned i = 0; i < depth; ++i) {
      held.push_back(std::move(scheduler.begin(IoClass::kFlush, 1).value()));
    }
    fiber::CancelToken token;
    fiber::TaskGroup group;
    Code code = Code::kInternal;
    group.spawn({.name = "cancelled", .cancel = &token}, [&] {
      const auto slot = scheduler.begin(IoClass::kFlush, 1);
      if (!slot) code = slot.error().code();
    });
    bool second = false;
    group.spawn({.name = "patient"},
                [&] { second = scheduler.begin(IoClass::kPrefetch, 1).has_value(); });
    while (scheduler.state().waiting < 2) REQUIRE(fiber::sleep_for(10us).has_value());
    token.cancel();
    held.clear();
    group.join();
    CHECK((code == Code::kCancelled || code == Code::kInternal));
    CHECK(second);
    CHECK(scheduler.state().waiting == 0);
    CHECK(scheduler.state().under_way == 0);
  });
}

TEST_CASE("a byte rate is kept in the long run") {
  in_fiber(1, [] {
    IoScheduler scheduler({.background_bytes_per_second = 1 << 20});
    const Instant start = fiber::clock().now();
    for (int i = 0; i < 12; ++i) {
      REQUIRE(scheduler.begin(IoClass::kCompaction, 256 << 10).has_value());
    }
    const Duration took = fiber::clock().now() - start;
    CHECK(took > 2800ms);
    CHECK(took < 3100ms);
  });
}

}  // namespace
}  // namespace coppice::vfs
