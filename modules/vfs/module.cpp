// module.cpp — wires metering and scheduling around every configured vfs instance.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/base/attach.h"
#include "kernel/core/inventory.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/runtime.h"
#include "modules/vfs/calibration.h"
#include "modules/vfs/config.h"
#include "modules/vfs/io_scheduler.h"
#include "modules/vfs/scheduled_vfs.h"

namespace coppice::vfs {
namespace {

// One instance of the config, and what stands around it.
struct Mount {
  Mount(std::string instance, Vfs& raw, const IoSchedulerOptions& options)
      : name(std::move(instance)), backend(raw), scheduler(options), front(raw, scheduler) {}
  const std::string name;
  Vfs& backend;
  IoScheduler scheduler;
  ScheduledVfs front;
  std::vector<Attachment> metrics;
};

void observe_counters(Mount& mount, Metrics& metrics) {
  const std::string labels = "instance=\"" + mount.name + "\"";
  const auto observe = [&](const char* name, const char* help,
                           std::uint64_t VfsCounters::Class::* what) {
    mount.metrics.push_back(metrics.observe(
        name, help,
        [&backend = mount.backend, what] {
          const VfsCounters counters = backend.counters();
          std::uint64_t sum = 0;
          for (const VfsCounters::Class& c : counters.by_class) sum += c.*what;
          return static_cast<std::int64_t>(sum);
        },
        labels));
  };
  observe("vfs_reads_total", "Reads.", &VfsCounters::Class::reads);
  observe("vfs_read_bytes_total", "Bytes read.", &VfsCounters::Class::read_bytes);
  observe("vfs_writes_total", "Writes.", &VfsCounters::Class::writes);
  observe("vfs_write_bytes_total", "Bytes written.", &VfsCounters::Class::write_bytes);
  observe("vfs_syncs_total", "Syncs and durable writes.", &VfsCounters::Class::syncs);
}

class VfsModule final : public Module {
 public:
  static constexpr std::string_view kName = "vfs";
  static constexpr std::string_view kSummary = "metering, priorities and throttling of storage";
  using Config = VfsConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<>;
  using Decorates = coppice::Decorates<Vfs>;

  static Result<std::unique_ptr<VfsModule>> create(const VfsConfig& config,
                                                   Deps<Needs, Decorates> deps) {
    auto module = std::make_unique<VfsModule>(config, deps.log(), deps.rng("calibration"));
    const IoSchedulerOptions options{
        .query_latency_target = config.query_latency_target,
        .background_bytes_per_second = config.background_bytes_per_second};
    for (const Instance<Vfs>& raw : deps.raw<Vfs>()) {
      module->mounts_.push_back(
          std::make_unique<Mount>(std::string(raw.name), *raw.object, options));
      observe_counters(*module->mounts_.back(), deps.metrics());
    }
    return module;
  }
  VfsModule(const VfsConfig& config, const Log& log, Rng rng)
      : config_(config), log_(log), rng_(rng) {}

  void publish(Publish<Offers, Decorates> to) {
    for (const auto& mount : mounts_) to.offer<Vfs>(mount->name, mount->front);
  }

  // Every instance is used once, so that a folder that cannot be opened fails the boot here.
  Status start() override {
    const bool simulated = fiber::runtime().disk().engine() == fiber::DiskEngine::kNone;
    for (const auto& mount : mounts_) {
      Result<std::vector<FileInfo>> opened = mount->backend.list(kCalibrationFile);
      if (!opened) {
        return std::unexpected(std::move(opened).error().context("opening vfs." + mount->name));
      }
      if (simulated || !config_.calibrate) continue;
      const Calibration c = calibrate(mount->backend, rng_.fork());
      log_.info("calibrated storage",
                "instance={} read_us={} reads_per_s={} read_mib_per_s={} write_mib_per_s={}",
                mount->name, c.read_latency_ns / 1000, c.reads_per_second,
                c.read_bytes_per_second >> 20, c.write_bytes_per_second >> 20);
    }
    return {};
  }

 private:
  const VfsConfig config_;
  const Log log_;
  Rng rng_;
  std::vector<std::unique_ptr<Mount>> mounts_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<VfsModule>();
}

}  // namespace coppice::vfs
