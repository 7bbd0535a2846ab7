// module.cpp — wires the log into the kernel.
#include <algorithm>

#include "interfaces/codec.h"
#include "kernel/core/inventory.h"
#include "modules/raft/config.h"
#include "modules/raft/driver.h"

namespace coppice::raft {
namespace {

class RaftModule final : public Module {
 public:
  static constexpr std::string_view kName = "raft";
  static constexpr std::string_view kSummary = "The replicated log, which is also the WAL";
  using Config = RaftConfig;
  using Needs = coppice::Needs<One<Vfs>, EveryKind<Codec>>;
  using Offers = coppice::Offers<Consensus>;

  static Result<std::unique_ptr<RaftModule>> create(const RaftConfig& config, Deps<Needs> deps) {
    DriverOptions options;
    const std::uint64_t retention =
        config.retention != 0 ? config.retention.bytes : deps.memory_total() / 2;
    options.segment_bytes = segment_bytes_for(retention);
    for (const auto& instance : deps.all<Codec>()) {
      options.codecs.push_back(instance.object);
      if (instance.name == config.codec) options.codec = instance.object;
    }
    if (!config.codec.empty() && options.codec == nullptr)
      return fail(Code::kInvalidArgument, "[raft] codec: no codec \"" + config.codec + "\"");
    options.seed = deps.rng("log").next();
    return std::make_unique<RaftModule>(deps, std::move(options));
  }
  RaftModule(const Deps<Needs>& deps, DriverOptions options)
      : driver_(deps.get<Vfs>(), deps.clock(), deps.log(), deps.metrics(), std::move(options)) {}

  void publish(Publish<Offers> to) { to.offer<Consensus>(driver_); }
  Status start() override { return driver_.start(); }
  void stop(Deadline deadline) noexcept override { driver_.stop(deadline); }

 private:
  Driver driver_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<RaftModule>();
}

}  // namespace coppice::raft
