// server.cpp — the one place where the real clock, network, disk and randomness come in.
#include "kernel/server/server.h"

#include <thread>
#include <vector>

#include "kernel/core/boot.h"
#include "kernel/core/log.h"
#include "kernel/core/metrics.h"
#include "kernel/core/trace.h"
#include "kernel/fiber/sync.h"
#include "kernel/fiber/thread_runtime.h"
#include "kernel/server/data_dir.h"
#include "kernel/server/signals.h"

namespace coppice {

namespace {

constexpr Duration kStopGrace = 2s;  // past [kernel] stop_timeout before the process is ended

double milliseconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}

std::vector<Attachment> observe_runtime(Metrics& metrics, fiber::Runtime& runtime) {
  using Field = std::uint64_t fiber::Metrics::*;
  const auto observe = [&](std::string_view name, std::string_view help, Field field) {
    return metrics.observe(name, help, [&runtime, field] {
      return static_cast<std::int64_t>(runtime.metrics().*field);
    });
  };
  using M = fiber::Metrics;
  std::vector<Attachment> observed;
  observed.push_back(observe("fiber_live", "Fibers that have not ended.", &M::fibers_live));
  observed.push_back(observe("fiber_ready", "Fibers waiting for a worker.", &M::fibers_ready));
  observed.push_back(observe("fiber_spawned", "Fibers since the start.", &M::fibers_spawned_total));
  observed.push_back(observe("fiber_switches", "Switches since the start.", &M::switches_total));
  observed.push_back(observe("fiber_steals", "Stolen starts.", &M::steals_total));
  observed.push_back(observe("fiber_stalls", "Stays beyond the limit.", &M::stalls_total));
  observed.push_back(observe("fiber_stacks_mapped", "Stacks mapped.", &M::stacks_mapped));
  observed.push_back(observe("fiber_stack_high_water_bytes", "Deepest stack use seen.",
                             &M::stack_high_water_bytes));
  return observed;
}

// What the boot fiber does.
Status serve(BootPlan plan, const KernelServices& kernel, const Log& log, fiber::Event& stop) {
  const Instant before = kernel.clock.now();
  Boot boot(std::move(plan), kernel);
  COPPICE_TRY(boot.create());
  COPPICE_TRY(boot.start());
  log.info("ready", "modules={} took_ms={:.1f}", boot.plan().modules.size(),
           milliseconds(kernel.clock.now() - before));
  static_cast<void>(stop.wait());
  boot.stop(boot.stop_deadline());
  return {};
}

}  // namespace

Status run_server(BootPlan plan, std::uint64_t memory_total) {
  const Settings settings = plan.settings;
  fiber::Event stop;
  SystemClock clock;
  const SignalWatch signals(settings.kernel.stop_timeout + kStopGrace,
                            [&stop](std::string_view) { stop.set(); });
  LogHub logs(clock, make_spdlog_sink({settings.log.file, std::size_t{settings.log.queue_records}}),
              settings.log.level);
  const Log log(logs, "kernel");
  auto lock = DataDirLock::take(settings.server.data_dir);
  if (!lock) {
    log.error("cannot start", "error=\"{}\"", lock.error().to_string());
    return std::unexpected(std::move(lock).error());
  }
  auto options = to_thread_options(settings.fiber, std::thread::hardware_concurrency());
  options.on_stall = [&log](const fiber::Stall& stall) {
    log.warn("fiber held its thread", "name={} held_ms={:.1f} trace=\"{}\"", stall.fiber,
             milliseconds(stall.held), stall.trace);
  };
  fiber::ThreadRuntime runtime(options);
  Metrics metrics;
  Tracer tracer(clock, runtime.worker_count());
  const std::vector<Attachment> observed = observe_runtime(metrics, runtime);
  const KernelServices kernel{.runtime = runtime,
                              .clock = clock,
                              .logs = logs,
                              .metrics = metrics,
                              .tracer = tracer,
                              .seed = runtime.fork_rng().next(),
                              .memory_total = memory_total,
                              .data_dir = settings.server.data_dir};
  log.info("starting", "version={} workers={} memory_mib={} data_dir={}", COPPICE_VERSION,
           runtime.worker_count(), memory_total >> 20, kernel.data_dir);
  Status served;
  Status ran = runtime.run([&] { served = serve(std::move(plan), kernel, log, stop); });
  Status result = ran ? std::move(served) : std::move(ran);
  if (result) {
    log.info("stopped");
  } else {
    log.error("cannot go on", "error=\"{}\"", result.error().to_string());
  }
  return result;
}

}  // namespace coppice
