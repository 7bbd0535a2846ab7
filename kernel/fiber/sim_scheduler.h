// sim_scheduler.h — one thread, one clock, every choice from a seed.
//
// Role:     the Scheduler of SimRuntime.
// Owns:     the virtual clock; the ready fibers, of whom any may be next.
// Threads:  one.
// Holds:    what happens depends on the options and the program alone: no clock, no address, no
//           hash of a pointer is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/base/random.h"
#include "kernel/fiber/scheduler.h"
#include "kernel/fiber/sim_runtime.h"

namespace coppice::fiber {

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(WallTime start) : start_(start) {}
  Instant now() const override { return now_; }
  WallTime wall_now() const override { return {start_.us + now_.ns / 1000}; }
  void advance_to(Instant instant) { now_ = instant > now_ ? instant : now_; }

 private:
  const WallTime start_;
  Instant now_{0};
};

class SimScheduler final : public Scheduler {
 public:
  SimScheduler(Runtime& runtime, VirtualClock& clock, FiberPool& fibers, StackPool& stacks,
               const SimOptions& options);

  Status loop(const Options& options, Entry main);
  void post(const Options& options, Entry entry);

  void start(Fiber& fiber) override { ready_.push_back(&fiber); }
  void make_ready(Fiber& fiber) override { ready_.push_back(&fiber); }
  Status checkpoint() override;

  // A number below `alternatives`: by the seed, or by SimOptions::choices.
  std::size_t choose(std::size_t alternatives);
  bool chance(double probability);
  Rng& rng() { return rng_; }
  void trace(std::uint64_t value);
  std::uint64_t trace_hash() const { return trace_; }
  void add_to(Metrics& metrics) const;

 protected:
  void ready_again(Fiber& fiber) override { ready_.push_back(&fiber); }
  void posted_ended() override { --posted_; }

 private:
  Status run_all();
  Error deadlock() const;

  const SimOptions options_;
  VirtualClock& virtual_clock_;
  FiberPool& fibers_;
  Rng rng_;
  std::vector<Fiber*> ready_;
  std::size_t posted_ = 0;
  std::size_t next_choice_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t trace_ = 0;
};

}  // namespace coppice::fiber
