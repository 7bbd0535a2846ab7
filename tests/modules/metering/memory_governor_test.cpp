// memory_governor_test.cpp — shares, borrowing, waiting and refusal, on a virtual clock.
#include "modules/metering/memory_governor.h"

#include <doctest/doctest.h>

#include "kernel/base/random.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "modules/cache/sharded_cache.h"

namespace coppice::metering {
namespace {

constexpr std::uint64_t kTotal = 100 << 20;
constexpr std::uint64_t kPercent = kTotal / 100;

void in_fiber(std::uint64_t seed, const std::function<void()>& body) {
  fiber::SimRuntime runtime(seed);
  const Status status = runtime.run([&body] { body(); });
  REQUIRE_MESSAGE(status.has_value(), (status ? "" : status.error().to_string()));
}

TEST_CASE("within its share a pool takes nothing from the cache") {
  in_fiber(1, [] {
    cache::ShardedCache cache(kTotal / 2);
    MemoryGovernor governor(kTotal, &cache);
    CHECK(governor.state().cache_target == 50 * kPercent);
    REQUIRE(governor.reserve(MemoryPool::kQueries, 25 * kPercent).has_value());
    CHECK(governor.state().cache_target == 50 * kPercent);
    governor.release(MemoryPool::kQueries, 25 * kPercent);
    CHECK(governor.state().reserved[1] == 0);
  });
}

TEST_CASE("above it, the cache shrinks at once; below its minimum it never does") {
  in_fiber(1, [] {
    cache::ShardedCache cache(kTotal / 2);
    MemoryGovernor governor(kTotal, &cache);
    REQUIRE(governor.reserve(MemoryPool::kQueries, 60 * kPercent).has_value());
    CHECK(governor.state().cache_target == 35 * kPercent);
    CHECK(cache.stats().capacity_bytes <= 35 * kPercent);
    REQUIRE(governor.reserve(MemoryPool::kMemtables, 25 * kPercent).has_value());
    CHECK(governor.state().cache_target == 10 * kPercent);
    const Instant before = fiber::clock().now();
    const Status refused = governor.reserve(MemoryPool::kQueries, 6 * kPercent);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == Code::kOutOfMemory);
    REQUIRE(refused.error().find_note('C') != nullptr);
    CHECK(*refused.error().find_note('C') == "53200");
    CHECK(fiber::clock().now() - before >= kReserveWait);
    CHECK(governor.state().refusals == 1);
    governor.release(MemoryPool::kQueries, 60 * kPercent);
    governor.release(MemoryPool::kMemtables, 25 * kPercent);
  });
}

TEST_CASE("what can never fit is refused without waiting") {
  in_fiber(1, [] {
    MemoryGovernor governor(kTotal, nullptr);
    const Instant before = fiber::clock().now();
    CHECK_FALSE(governor.reserve(MemoryPool::kQueries, kTotal).has_value());
    CHECK_FALSE(governor.reserve(MemoryPool::kQueries, UINT64_MAX).has_value());
    CHECK(fiber::clock().now() - before < 1ms);
  });
}

TEST_CASE("who waits gets what another releases") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    in_fiber(seed, [] {
      MemoryGovernor governor(kTotal, nullptr);
      REQUIRE(governor.reserve(MemoryPool::kQueries, 60 * kPercent).has_value());
      bool got = false;
      fiber::TaskGroup group;
      group.spawn({.name = "waiter"},
                  [&] { got = governor.reserve(MemoryPool::kQueries, 20 * kPercent).has_value(); });
      CHECK(fiber::sleep_for(200ms).has_value());
      governor.release(MemoryPool::kQueries, 60 * kPercent);
      group.join();
      CHECK(got);
      governor.release(MemoryPool::kQueries, 20 * kPercent);
    });
  }
}

TEST_CASE("the cache follows the live memory of the process, down at once and up by steps") {
  in_fiber(1, [] {
    cache::ShardedCache cache(kTotal / 2);
    MemoryGovernor governor(kTotal, &cache);
    governor.adjust(80 * kPercent);
    CHECK(governor.state().cache_target == 15 * kPercent);
    CHECK(governor.state().live == 80 * kPercent);
    governor.adjust(200 * kPercent);
    CHECK(governor.state().cache_target == 5 * kPercent);
    governor.adjust(10 * kPercent);
    CHECK(governor.state().cache_target < 10 * kPercent);
    for (int i = 0; i < 20; ++i) governor.adjust(10 * kPercent);
    CHECK(governor.state().cache_target == 50 * kPercent);
  });
}

// Whatever is reserved and released, the sums agree and the promise holds.
TEST_CASE("random reservations never pass the total") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    in_fiber(seed, [seed] {
      cache::ShardedCache cache(kTotal / 2);
      MemoryGovernor governor(kTotal, &cache);
      fiber::TaskGroup group;
      for (std::uint64_t f = 0; f < 4; ++f) {
        group.spawn({.name = "consumer"}, [&governor, f, seed] {
          PoolBudget budget(governor, f % 2 == 0 ? MemoryPool::kQueries : MemoryPool::kMemtables,
                            40 * kPercent);
          Rng rng(seed * 10 + f);
          for (int i = 0; i < 50; ++i) {
            const std::uint64_t bytes = rng.below(20 * kPercent);
            const bool got = budget.reserve(bytes).has_value();
            const MemoryState state = governor.state();
            CHECK(state.reserved[0] + state.reserved[1] + state.cache_target <= 95 * kPercent);
            CHECK(budget.live() <= 40 * kPercent);
            CHECK(budget.peak() >= budget.live());
            static_cast<void>(fiber::sleep_for(1ms));
            if (got && rng.chance(0.7)) budget.release(bytes);
            if (got && budget.live() > 20 * kPercent) budget.release(budget.live());
          }
          budget.release(budget.live());
        });
      }
      group.join();
      CHECK(governor.state().reserved[0] == 0);
      CHECK(governor.state().reserved[1] == 0);
    });
  }
}

}  // namespace
}  // namespace coppice::metering
