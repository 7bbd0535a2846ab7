// sim_runtime.h — the simulator: the same fibers in one thread, every choice made by a seed.
//
// Role:     runs code that uses fiber.h, sync.h, net.h on a virtual clock that jumps to the next
//           timer when nothing is ready; picks the next fiber at random, preempts at random in
//           maybe_yield(), delays and breaks connections at random. Same seed, same run: compare
//           trace_hash().
// Threads:  everything on the thread that calls run(), helper jobs included.
// Errors:   run() returns kDeadlock, naming the parked fibers, when nothing can ever run again;
// those
//           fibers are abandoned, not unwound. kLimitExceeded past max_steps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/fiber/runtime.h"

namespace coppice::fiber {

struct SimOptions {
  std::uint64_t seed = 1;
  double preempt_chance = 0.1;      // of a maybe_yield() to yield
  std::uint64_t max_steps = 0;      // 0: unlimited
  Duration net_delay_max = 2ms;     // a message arrives after a uniform delay up to this
  double net_partial_chance = 0.3;  // of a read or write to move fewer bytes than it could
  double net_reset_chance = 0;      // of a write to break the connection instead
  WallTime wall_start = {946'684'800'000'000};  // 2000-01-01
  // Model checking: when set, choice i among n alternatives is choices[i] (0 when past the end)
  // instead of a random one, and `chosen` records the number of alternatives of each.
  const std::vector<std::uint32_t>* choices = nullptr;
  std::vector<std::uint32_t>* chosen = nullptr;
};

class SimRuntime final : public Runtime {
 public:
  explicit SimRuntime(std::uint64_t seed) : SimRuntime(SimOptions{.seed = seed}) {}
  explicit SimRuntime(SimOptions options);
  ~SimRuntime() override;

  Status run(Entry main) override;
  void post(Options options, Entry entry) override;  // from the simulator's thread
  Clock& clock() override;
  Net& net() override;
  Disk& disk() override;  // refuses with kUnsupported: give tests a VFS in memory
  Rng fork_rng() override;
  unsigned worker_count() const override { return 1; }
  Metrics metrics() const override;
  void run_on_helper(Entry job) override;

  std::uint64_t trace_hash() const;  // of every choice and wake so far

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace coppice::fiber
