// thread_runtime_test.cpp — stealing rules, lanes, helpers, the watchdog.
#include "kernel/fiber/thread_runtime.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

// Keeps the thread busy until `enough` says so, at most `patience`: where a steal is expected that
// is long, since the other thread may not get a core soon.
constexpr Duration kPatience = 10s;
[[gnu::noinline]] void hold_the_thread(
    Duration patience, const std::function<bool()>& enough = [] { return false; }) {
  const SystemClock system;
  const Instant until = system.now() + patience;
  while (system.now() < until && !enough()) {
  }
}

// One worker is kept busy while `count` fibers wait to start; on how many threads do they run?
std::size_t threads_used(Stealing stealing, int count, Duration patience, bool home = false) {
  ThreadRuntime threads({.workers = 2, .stealing = stealing});
  std::mutex mutex;
  std::set<std::thread::id> seen;
  CHECK(threads
            .run([&] {
              CHECK(sleep_for(1ms).has_value());  // the other worker has gone to sleep
              TaskGroup group;
              for (int i = 0; i < count; ++i)
                group.spawn({.name = "job", .home = home}, [&] {
                  std::unique_lock lock(mutex);
                  seen.insert(std::this_thread::get_id());
                });
              hold_the_thread(patience, [&] {
                const std::unique_lock lock(mutex);
                return seen.size() == 1;  // another thread's: this one runs none meanwhile
              });
              group.join();
            })
            .has_value());
  if (stealing == Stealing::kNever || home) CHECK(threads.metrics().steals_total == 0);
  return seen.size();
}

}  // namespace

TEST_CASE("stealing never: all run where they were spawned") {
  CHECK(threads_used(Stealing::kNever, 4, 30ms) == 1);
}

TEST_CASE("fibers at home are not stolen") {
  CHECK(threads_used(Stealing::kAlways, 4, 30ms, true) == 1);
}

TEST_CASE("stealing from two waiting: one alone stays, of several all but the last go") {
  CHECK(threads_used(Stealing::kTwoWaiting, 1, 30ms) == 1);
  CHECK(threads_used(Stealing::kTwoWaiting, 4, kPatience) == 2);
}

TEST_CASE("stealing always: even one alone moves to the idle worker") {
  ThreadRuntime threads({.workers = 2, .stealing = Stealing::kAlways});
  CHECK(threads
            .run([&] {
              CHECK(sleep_for(1ms).has_value());
              const std::thread::id here = std::this_thread::get_id();
              std::atomic<bool> elsewhere = false;
              Task task =
                  spawn({.name = "job"}, [&] { elsewhere = std::this_thread::get_id() != here; });
              hold_the_thread(kPatience, [&] { return elsewhere.load(); });
              task.join();
              CHECK(elsewhere);
            })
            .has_value());
  CHECK(threads.metrics().steals_total == 1);
}

TEST_CASE("once started a fiber stays on its worker") {
  on_threads([] {
    TaskGroup group;
    std::atomic<int> moved = 0;
    for (int i = 0; i < 20; ++i)
      group.spawn({.name = "stayer"}, [&] {
        const std::thread::id first = std::this_thread::get_id();
        for (int k = 0; k < 20; ++k) {
          k % 2 == 0 ? yield() : static_cast<void>(sleep_for(10us));
          if (std::this_thread::get_id() != first) ++moved;
        }
      });
    group.join();
    CHECK(moved == 0);
  });
}

TEST_CASE("a lane with threads of its own runs there and nobody else does") {
  ThreadOptions options{.workers = 1};
  options.lanes[static_cast<std::size_t>(Priority::kLog)].dedicated_threads = 1;
  ThreadRuntime threads(options);
  CHECK(threads.worker_count() == 2);
  CHECK(
      threads
          .run([&] {
            const std::thread::id shared = std::this_thread::get_id();
            std::thread::id log;
            Task task = spawn({.name = "log", .priority = Priority::kLog}, [&] {
              log = std::this_thread::get_id();
              spawn({.name = "query"}, [&] { CHECK(std::this_thread::get_id() == shared); }).join();
              CHECK(std::this_thread::get_id() == log);
            });
            task.join();
            CHECK(log != shared);
          })
          .has_value());
}

TEST_CASE("urgent fibers overtake waiting ones") {
  on_threads(
      [] {
        std::vector<std::string> order;
        TaskGroup group;
        const auto add = [&](std::string_view name, Priority priority) {
          group.spawn({.name = name, .priority = priority},
                      [&order] { order.emplace_back(current_name()); });
        };
        add("background", Priority::kBackground);
        add("query", Priority::kQuery);
        add("log", Priority::kLog);
        group.join();
        CHECK(order == std::vector<std::string>{"log", "query", "background"});
      },
      1);
}

TEST_CASE("helpers run what blocks while the worker goes on") {
  on_threads(
      [] {
        bool others_ran = false;
        Task other = spawn({.name = "other"}, [&] { others_ran = true; });
        const std::thread::id here = std::this_thread::get_id();
        const bool elsewhere = run_blocking([&] {
          hold_the_thread(5ms);
          return std::this_thread::get_id() != here;
        });
        CHECK(elsewhere);
        CHECK(others_ran);
        other.join();
        Result<int> failed = run_blocking([]() -> Result<int> { return fail(Code::kIo, "no"); });
        CHECK_FALSE(failed.has_value());
        std::atomic<int> ran = 0;
        TaskGroup group;
        for (int i = 0; i < 100; ++i)
          group.spawn({.name = "caller"}, [&] { run_blocking([&] { ++ran; }); });
        group.join();
        CHECK(ran == 100);
      },
      1);
}

TEST_CASE("the watchdog names a fiber that keeps its thread, and where it is") {
  std::mutex mutex;
  std::vector<std::string> names;
  bool traced = false;
  ThreadRuntime threads({.workers = 1, .stall = 20ms, .on_stall = [&](const Stall& stall) {
                           std::unique_lock lock(mutex);
                           names.emplace_back(stall.fiber);
                           traced = traced || !stall.trace.empty();
                           CHECK(stall.held >= 20ms);
                         }});
  CHECK(threads
            .run([] {
              spawn({.name = "hog"}, [] { hold_the_thread(200ms); }).join();
              spawn({.name = "polite"}, [] {
                for (int i = 0; i < 5; ++i) {
                  hold_the_thread(1ms);
                  yield();
                }
              }).join();
            })
            .has_value());
  // A busy machine may hold up others, too.
  CHECK(std::find(names.begin(), names.end(), "hog") != names.end());
  CHECK(traced);
  CHECK(threads.metrics().stalls_total >= 1);
}

TEST_CASE("the same seed gives the same forks") {
  ThreadRuntime a({.workers = 1, .seed = 5});
  ThreadRuntime b({.workers = 1, .seed = 5});
  CHECK(a.fork_rng().next() == b.fork_rng().next());
  CHECK(a.fork_rng().next() == b.fork_rng().next());
}

}  // namespace coppice::fiber
