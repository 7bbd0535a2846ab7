// runtime.h — the runtime: workers, clock, network, disk, helper threads.
//
// Role:     what server and tests hold; code inside fibers reaches it by runtime(). ThreadRuntime
//           (thread_runtime.h) is the real one, SimRuntime (sim_runtime.h) the seeded simulator.
// Threads:  run() by one OS thread, once; post() by any; the rest by fibers.
// Parks:    run_blocking().
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "kernel/base/random.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/fiber/disk.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/net.h"

namespace coppice::fiber {

struct Metrics {                  // a snapshot; counters since the start are named _total
  std::uint64_t fibers_live = 0;  // spawned and not ended
  std::uint64_t fibers_ready =
      0;  // waiting for a worker; the rest of the live are parked or running
  std::uint64_t fibers_spawned_total = 0;
  std::uint64_t switches_total = 0;
  std::uint64_t steals_total = 0;
  std::uint64_t remote_wakes_total = 0;  // wakes that came from another thread
  std::uint64_t stalls_total = 0;        // stays longer than the watchdog's limit
  std::uint64_t stacks_mapped = 0;
  std::uint64_t stacks_idle = 0;
  std::uint64_t stack_high_water_bytes = 0;  // deepest use seen (sampled)
  std::uint64_t timers_pending = 0;
};

class Runtime {
 public:
  Runtime() = default;
  virtual ~Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Runs `main` as the first fiber and blocks the calling thread until it and every other fiber
  // have ended. The simulator returns kDeadlock, naming the parked fibers, when nothing can ever
  // run again; ThreadRuntime does not notice.
  virtual Status run(Entry main) = 0;
  // From any thread, while run() is running: a fiber that run() waits for.
  virtual void post(Options options, Entry entry) = 0;

  virtual Clock& clock() = 0;
  virtual Net& net() = 0;
  virtual Disk& disk() = 0;
  virtual Rng fork_rng() = 0;
  virtual unsigned worker_count() const = 0;
  virtual Metrics metrics() const = 0;

  // Runs `job` on one of a bounded set of helper threads; parks the calling fiber until it is done.
  // The simulator runs it in place.
  virtual void run_on_helper(Entry job) = 0;
};

// For the few honest blocking calls (open, rename, getaddrinfo, a TLS handshake, parsing a huge
// text): gives what `fn` gives. `fn` runs outside of any fiber, so it may not call fiber:: things.
template <class F>
std::invoke_result_t<F&> run_blocking(F fn) {
  using R = std::invoke_result_t<F&>;
  if constexpr (std::is_void_v<R>) {
    runtime().run_on_helper([&fn] { fn(); });
  } else {
    std::optional<R> result;
    runtime().run_on_helper([&fn, &result] { result.emplace(fn()); });
    return *std::move(result);
  }
}

}  // namespace coppice::fiber
