// module.cpp — wires metering into the kernel, and runs the governor every 100 ms.
#include "kernel/base/process_memory.h"
#include "kernel/core/inventory.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/runtime.h"
#include "modules/metering/metering_service.h"

namespace coppice::metering {
namespace {

class MeteringModule final : public Module {
 public:
  static constexpr std::string_view kName = "metering";
  static constexpr std::string_view kSummary = "meters per tenant, and the memory governor";
  using Config = NoConfig;
  using Needs = coppice::Needs<Optional<BlockCache>>;
  using Offers = coppice::Offers<Metering>;

  static Result<std::unique_ptr<MeteringModule>> create(const NoConfig&, Deps<Needs> deps) {
    return std::make_unique<MeteringModule>(deps.memory_total(), deps.find<BlockCache>(),
                                            deps.metrics());
  }
  MeteringModule(std::uint64_t memory_total, BlockCache* cache, Metrics& metrics)
      : service_(memory_total, cache),
        live_(
            metrics.observe("metering_live_bytes", "Memory of the process.",
                            [this] { return static_cast<std::int64_t>(service_.memory().live); })),
        target_(metrics.observe(
            "metering_cache_target_bytes", "What the cache may take up.",
            [this] { return static_cast<std::int64_t>(service_.memory().cache_target); })) {}

  void publish(Publish<Offers> to) { to.offer<Metering>(service_); }

  Status start() override {
    // The simulator's memory is not this process's.
    if (fiber::runtime().disk().engine() == fiber::DiskEngine::kNone) return {};
    governor_ = fiber::spawn({.name = "memory governor", .cancel = &stopping_}, [this] {
      while (fiber::sleep_for(kGovernorPeriod)) service_.governor().adjust(resident_bytes());
    });
    return {};
  }

  void stop(Deadline) noexcept override {
    stopping_.cancel();
    if (governor_.joinable()) governor_.join();
  }

 private:
  MeteringService service_;
  const Attachment live_;
  const Attachment target_;
  fiber::CancelToken stopping_;
  fiber::Task governor_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<MeteringModule>();
}

}  // namespace coppice::metering
