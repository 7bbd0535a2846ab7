// stack_test.cpp — stacks are reused, guarded, trimmed, and cheap while their fibers are parked.
#include "kernel/fiber/stack_pool.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "tests/kernel/fiber/death.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

[[gnu::noinline]] void touch(std::size_t bytes) {  // uses that much stack
  auto* const low = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 1024) low[bytes - 1 - i] = 1;
}

}  // namespace

TEST_CASE("stacks come back and are used again") {
  ThreadRuntime threads({.workers = 1});
  CHECK(threads
            .run([&] {
              for (int i = 0; i < 10'000; ++i) spawn({.name = "short"}, [] {}).join();
            })
            .has_value());
  CHECK(threads.metrics().fibers_spawned_total == 10'001);
  CHECK(threads.metrics().fibers_live == 0);
  CHECK(threads.metrics().stacks_mapped <= 64);
}

TEST_CASE("a cache takes and gives whole batches") {
  StackPool pool;
  std::vector<Stack> held;
  {
    StackCache cache(pool);
    for (int i = 0; i < 100; ++i) held.push_back(cache.take());
    for (const Stack& stack : held) {
      std::memset(stack.bottom(), 1, 16);
      std::memset(static_cast<std::byte*>(stack.top()) - 16, 1, 16);
    }
    while (!held.empty()) {
      cache.give(held.back());
      held.pop_back();
    }
  }
  CHECK(pool.idle() == pool.mapped());
  CHECK(pool.mapped() >= 100);
}

TEST_CASE("running over the end of a stack ends the process, not a neighbour") {
  CHECK_FALSE(dies(
      [] { on_threads([] { spawn({.name = "deep"}, [] { touch(200 * 1024); }).join(); }, 1); }));
  CHECK(dies([] {
    on_threads([] { spawn({.name = "too deep"}, [] { touch(300 * 1024); }).join(); }, 1);
  }));
}

TEST_CASE("the depth that was used is seen and given back to the system") {
  StackPool pool;
  std::vector<Stack> stacks;
  pool.take(stacks, 1);
  Stack& stack = stacks.front();
  std::memset(static_cast<std::byte*>(stack.top()) - 100 * 1024, 1, 100 * 1024);
  pool.sample(stack);
  CHECK(pool.high_water_bytes() >= 100 * 1024);
  CHECK(pool.high_water_bytes() <= 104 * 1024);
  CHECK(*(static_cast<std::byte*>(stack.top()) - 100 * 1024) == std::byte{0});  // was dropped
  CHECK(*(static_cast<std::byte*>(stack.top()) - 1024) == std::byte{1});        // was kept
  pool.give(stacks, 1);
}

TEST_CASE("ten thousand fibers are parked at once and all wake") {
  ThreadRuntime threads({.workers = 2});
  CHECK(threads
            .run([&] {
              constexpr std::size_t kFibers = 10'000;
              Semaphore parked(0);
              Event go;
              TaskGroup group;
              for (std::size_t i = 0; i < kFibers; ++i)
                group.spawn({.name = "parked"}, [&] {
                  parked.release();
                  CHECK(go.wait().has_value());
                });
              CHECK(parked.acquire(kFibers).has_value());
              CHECK(threads.metrics().fibers_live == kFibers + 1);
              CHECK(threads.metrics().stacks_mapped >= kFibers);
              go.set();
              group.join();
            })
            .has_value());
  CHECK(threads.metrics().fibers_live == 0);
}

}  // namespace coppice::fiber
