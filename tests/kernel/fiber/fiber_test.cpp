// fiber_test.cpp — spawn, join, yield, sleep.
#include "kernel/fiber/fiber.h"

#include <atomic>
#include <vector>

#include "kernel/fiber/cancel.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

TEST_CASE("a spawned fiber runs and is joined") {
  on_threads([] {
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

TEST_CASE("a sleep lasts") {
  on_threads([] {
    const Instant from = clock().now();
    CHECK(sleep_for(2ms).has_value());
    CHECK(clock().now() - from >= 2ms);
  });
}

}  // namespace coppice::fiber
