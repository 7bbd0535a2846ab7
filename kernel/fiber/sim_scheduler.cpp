// sim_scheduler.cpp — the simulator's loop.
#include "kernel/fiber/sim_scheduler.h"

#include <string>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::fiber {

namespace {
constexpr Duration kStepCost = 100ns;     // of one stay: time passes for those who spin, too
constexpr Duration kLateMax = 1ms;        // by how much a busy machine may be late …
constexpr double kLateChance = 1.0 / 32;  // … and how often it is
constexpr std::size_t kNamesMax = 16;     // in the report of a deadlock
}  // namespace

SimScheduler::SimScheduler(Runtime& runtime, VirtualClock& clock, FiberPool& fibers,
                           StackPool& stacks, const SimOptions& options)
    : Scheduler(runtime, clock, fibers, stacks),
      options_(options),
      virtual_clock_(clock),
      fibers_(fibers),
      rng_(options.seed) {
  use_virtual_ticks();
  arm_checkpoint(1);
}

Status SimScheduler::loop(const Options& options, Entry main) {
  enter();
  post(options, std::move(main));
  Status status = run_all();
  leave();
  return status;
}

void SimScheduler::post(const Options& options, Entry entry) {
  Fiber& fiber = create(options, std::move(entry), nullptr);
  fiber.posted = true;
  ++posted_;
  start(fiber);
}

Status SimScheduler::run_all() {
  while (posted_ > 0) {
    const bool late = !timers().empty() && timers().next() - clock().now() <= kLateMax;
    if (ready_.empty() || (late && chance(kLateChance))) {
      if (timers().empty()) return std::unexpected(deadlock());
      virtual_clock_.advance_to(timers().next());
    } else {
      const std::size_t pick = choose(ready_.size());
      Fiber& fiber = *ready_[pick];
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(pick));
      trace(fiber.id);
      run(fiber);
      virtual_clock_.advance_to(clock().now() + kStepCost);
    }
    if (timers().next() <= clock().now()) {
      timers().fire_due(clock().now());
      trace(static_cast<std::uint64_t>(clock().now().ns));
    }
    if (++steps_ == options_.max_steps)
      return fail(Code::kLimitExceeded, "simulation took " + std::to_string(steps_) + " steps");
  }
  return {};
}

Error SimScheduler::deadlock() const {
  std::string message = "nothing can ever run again; parked:";
  std::size_t count = 0;
  fibers_.for_each_in_use([&](const Fiber& fiber) {
    if (++count > kNamesMax) return;
    message.append(count == 1 ? " " : ", ").append(fiber.name);
  });
  if (count > kNamesMax) message.append(", and ").append(std::to_string(count - kNamesMax));
  return Error(Code::kDeadlock, std::move(message));
}

Status SimScheduler::checkpoint() {
  arm_checkpoint(1);
  COPPICE_ASSERT(current()->no_park == 0);
  COPPICE_TRY(check_current());
  if (chance(options_.preempt_chance)) suspend(Then::kReady);
  return {};
}

std::size_t SimScheduler::choose(std::size_t alternatives) {
  COPPICE_ASSERT(alternatives > 0);
  if (alternatives == 1) return 0;
  if (options_.choices == nullptr) return rng_.below(alternatives);
  const std::size_t index = next_choice_++;
  if (options_.chosen != nullptr)
    options_.chosen->push_back(static_cast<std::uint32_t>(alternatives));
  const std::size_t choice = index < options_.choices->size() ? (*options_.choices)[index] : 0;
  COPPICE_ASSERT(choice < alternatives);  // else the program does not repeat itself
  return choice;
}

bool SimScheduler::chance(double probability) {
  if (probability <= 0) return false;
  return options_.choices != nullptr ? choose(2) == 1 : rng_.chance(probability);
}

void SimScheduler::trace(std::uint64_t value) {
  trace_ = (trace_ ^ value) * 0x9e3779b97f4a7c15;  // Fibonacci hashing, chained
  trace_ ^= trace_ >> 29;
}

void SimScheduler::add_to(Metrics& metrics) const {
  metrics.fibers_spawned_total = spawned_.load();
  metrics.fibers_live = spawned_.load() - ended_.load();
  metrics.fibers_ready = ready_.size();
  metrics.switches_total = switches_.load();
}

}  // namespace coppice::fiber
