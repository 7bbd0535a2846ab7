// fiber_bench.cpp — what the fiber runtime costs: switches, spawns, wakes, parked fibers.
//
// Prints a table of measured figures beside the targets of the design.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "kernel/base/ticks.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/runtime.h"
#include "kernel/fiber/sync.h"
#include "kernel/fiber/thread_runtime.h"

namespace coppice::fiber {
namespace {

constexpr int kRounds = 200;  // short ones, of which the best counts: the others met a neighbour

void row(const char* what, double value, const char* unit, const char* target) {
  std::printf("%-52s %10.1f %-4s %s\n", what, value, unit, target);
}

// The least time of one of `count` operations, in nanoseconds.
template <class Fn>
double best_ns(int count, Fn fn) {
  const SystemClock system;
  double best = 1e18;
  for (int i = 0; i < kRounds; ++i) {
    const Instant from = system.now();
    fn();
    best = std::min(best, static_cast<double>((system.now() - from).count()) / count);
  }
  return best;
}

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  return 0;
}

template <class Main>
void with_workers(unsigned workers, Stealing stealing, Main main) {
  ThreadRuntime threads({.workers = workers, .stealing = stealing, .stall = Duration::zero()});
  const Status status = threads.run([&] { main(threads); });
  if (!status) std::printf("failed: %s\n", status.error().to_string().c_str());
}

void bench_ticks() {
  constexpr int kCount = 20'000;
  Ticks sum = 0;
  row("rdtsc",
      best_ns(kCount,
              [&] {
                for (int i = 0; i < kCount; ++i) sum += read_ticks();
              }),
      "ns", "");
  if (sum == 1) std::printf(" ");
}

void bench_yield() {
  constexpr int kCount = 20'000;
  with_workers(1, Stealing::kNever, [&](Runtime&) {
    std::atomic<bool> stop = false;
    Task other = spawn({.name = "other"}, [&] {
      while (!stop) yield();
    });
    const double ns = best_ns(2 * kCount, [&] {
      for (int i = 0; i < kCount; ++i) yield();
    });
    row("switch: yield from one fiber to the next", ns, "ns", "< 30");
    stop = true;
    other.join();
  });
  with_workers(1, Stealing::kNever, [&](Runtime&) {
    row("maybe_yield, not due",
        best_ns(kCount,
                [&] {
                  for (int i = 0; i < kCount; ++i) static_cast<void>(maybe_yield());
                }),
        "ns", "");
  });
}

void bench_spawn() {
  constexpr int kCount = 5'000;
  for (const bool steal : {false, true})
    with_workers(steal ? 2 : 1, Stealing::kTwoWaiting, [&](Runtime&) {
      const double ns = best_ns(kCount, [&] {
        for (int i = 0; i < kCount; ++i) spawn({.name = "short"}, [] {}).join();
      });
      row(steal ? "spawn + run + join, two workers" : "spawn + run + join, one worker", ns, "ns",
          "< 200");
    });
  with_workers(1, Stealing::kNever, [&](Runtime&) {
    const double ns = best_ns(kCount, [&] {
      TaskGroup group;
      for (int i = 0; i < kCount; ++i) {
        group.spawn({.name = "short"}, [] {});
        if (i % 64 == 63) group.join();
      }
      group.join();
    });
    row("spawn + run in a group of 64, then join", ns, "ns", "< 200");
  });
}

void bench_wake() {
  constexpr int kCount = 5'000;
  with_workers(1, Stealing::kNever, [&](Runtime&) {
    Channel<int> there(1);
    Channel<int> back(1);
    Task partner = spawn({.name = "partner"}, [&] {
      while (auto value = there.receive()) {
        if (!*value) return;
        static_cast<void>(back.send(**value));
      }
    });
    const double ns = best_ns(2 * kCount, [&] {
      for (int i = 0; i < kCount; ++i) {
        static_cast<void>(there.send(i));
        static_cast<void>(back.receive());
      }
    });
    row("channel hand-over on one worker", ns, "ns", "");
    there.close();
    partner.join();
  });
  constexpr int kRemote = 200;
  with_workers(2, Stealing::kAlways, [&](Runtime&) {
    static_cast<void>(sleep_for(1ms));
    Semaphore there(0);
    Semaphore back(0);
    std::atomic<bool> stop = false;
    std::atomic<bool> started = false;
    Task partner = spawn({.name = "partner"}, [&] {
      started = true;
      while (there.acquire() && !stop) back.release();
    });
    while (!started) {  // keeps this worker busy until the other has stolen it
    }
    const double ns = best_ns(2 * kRemote, [&] {
      for (int i = 0; i < kRemote; ++i) {
        there.release();
        static_cast<void>(back.acquire());
      }
    });
    row("wake of a fiber on another, idle worker", ns / 1000, "us", "8 (futex or eventfd)");
    stop = true;
    there.release();
    partner.join();
  });
  with_workers(1, Stealing::kNever, [&](Runtime&) {
    constexpr int kJobs = 100;
    row("run_blocking of nothing",
        best_ns(kJobs,
                [&] {
                  for (int i = 0; i < kJobs; ++i) run_blocking([] {});
                }) /
            1000,
        "us", "");
  });
}

void bench_parked() {
  with_workers(1, Stealing::kNever, [&](Runtime& runtime) {
    constexpr std::size_t kFibers = 10'000;
    Semaphore parked(0);
    Event go;
    TaskGroup group;
    const std::size_t before = resident_kib();
    const SystemClock system;
    const Instant from = system.now();
    for (std::size_t i = 0; i < kFibers; ++i)
      group.spawn({.name = "parked"}, [&] {
        parked.release();
        static_cast<void>(go.wait());
      });
    static_cast<void>(parked.acquire(kFibers));
    const Duration took = system.now() - from;
    row("10,000 parked fibers: resident, each",
        static_cast<double>(resident_kib() - before) / kFibers, "KiB", "8");
    row("10,000 parked fibers: to start them, cold, each",
        static_cast<double>(took.count()) / kFibers, "ns", "");
    const Instant wake = system.now();
    go.set();
    group.join();
    row("10,000 parked fibers: to wake and end them, each",
        static_cast<double>((system.now() - wake).count()) / kFibers, "ns", "");
    row("deepest stack seen", static_cast<double>(runtime.metrics().stack_high_water_bytes) / 1024,
        "KiB", "");
  });
}

}  // namespace
}  // namespace coppice::fiber

int main() {
  std::printf("%-52s %10s %-4s %s\n", "", "measured", "", "target");
  coppice::fiber::bench_ticks();
  coppice::fiber::bench_yield();
  coppice::fiber::bench_spawn();
  coppice::fiber::bench_wake();
  coppice::fiber::bench_parked();
  return 0;
}
