// sim_runtime.cpp — puts the simulator together.
#include "kernel/fiber/sim_runtime.h"

#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/sim_net.h"
#include "kernel/fiber/sim_scheduler.h"

namespace coppice::fiber {

namespace {

constexpr Duration kHelperDelayMax = 1ms;

// There are no descriptors in here.
class NoDisk final : public Disk {
 public:
  Status read(std::span<DiskRead>) override { return refuse(); }
  Status write(const DiskWrite&) override { return refuse(); }
  Status sync(int, DiskSync) override { return refuse(); }
  DiskEngine engine() const override { return DiskEngine::kNone; }
  std::string_view engine_reason() const override { return "simulated"; }

 private:
  static Status refuse() {
    return fail(Code::kUnsupported, "the simulator has no files; use a VFS in memory");
  }
};

}  // namespace

class SimRuntime::Core {
 public:
  Core(const SimOptions& options, Runtime& owner)
      : clock(options.wall_start),
        scheduler(owner, clock, fibers, stacks, options),
        net(scheduler, options) {}
  ~Core() {
    // Fibers that were abandoned in a deadlock: let go of what they were given while it all exists.
    fibers.for_each_in_use([](Fiber& fiber) { fiber.entry = nullptr; });
  }

  VirtualClock clock;
  FiberPool fibers;
  StackPool stacks;
  SimScheduler scheduler;
  SimNet net;
  NoDisk disk;
  bool running = false;
};

SimRuntime::SimRuntime(SimOptions options) : core_(std::make_unique<Core>(options, *this)) {}
SimRuntime::~SimRuntime() = default;

Status SimRuntime::run(Entry main) {
  COPPICE_ASSERT(!std::exchange(core_->running, true));
  return core_->scheduler.loop({.name = "main"}, std::move(main));
}

void SimRuntime::post(Options options, Entry entry) {
  core_->scheduler.post(options, std::move(entry));
}

Clock& SimRuntime::clock() {
  return core_->clock;
}
Net& SimRuntime::net() {
  return core_->net;
}
Disk& SimRuntime::disk() {
  return core_->disk;
}
Rng SimRuntime::fork_rng() {
  return core_->scheduler.rng().fork();
}
std::uint64_t SimRuntime::trace_hash() const {
  return core_->scheduler.trace_hash();
}

Metrics SimRuntime::metrics() const {
  Metrics metrics;
  core_->scheduler.add_to(metrics);
  metrics.stacks_mapped = core_->stacks.mapped();
  metrics.stacks_idle = core_->stacks.idle();
  return metrics;
}

void SimRuntime::run_on_helper(Entry job) {
  {
    CancelScope shield(nullptr);
    const auto delay = static_cast<Duration::rep>(
        core_->scheduler.rng().below(static_cast<std::uint64_t>(kHelperDelayMax.count())));
    const Status slept = sleep_for(Duration(delay));
    COPPICE_ASSERT(slept.has_value());
  }
  NoPark on_another_thread;
  job();
}

}  // namespace coppice::fiber
