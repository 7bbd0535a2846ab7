// module.cpp — wires the storage engine into the kernel.
#include "interfaces/codec.h"
#include "kernel/core/inventory.h"
#include "modules/lsm/config.h"
#include "modules/lsm/forest/forest.h"

namespace coppice::lsm {
namespace {

class LsmModule final : public Module {
 public:
  static constexpr std::string_view kName = "lsm";
  static constexpr std::string_view kSummary = "the forest: tables and indexes on the log";
  using Config = LsmConfig;
  using Needs = coppice::Needs<One<Vfs>, One<BlockCache>, One<Consensus>, EveryKind<Codec>>;
  using Offers = coppice::Offers<Engine>;

  static Result<std::unique_ptr<LsmModule>> create(const LsmConfig& config, Deps<Needs> deps) {
    ForestOptions options;
    options.memtable_bytes =
        config.memtables != 0 ? config.memtables.bytes : deps.memory_total() / 4;
    options.snapshot_age_max = config.snapshot_age_max;
    std::vector<const Codec*> codecs;
    for (const auto& instance : deps.all<Codec>()) codecs.push_back(instance.object);
    return std::make_unique<LsmModule>(deps, std::move(codecs), options);
  }
  LsmModule(const Deps<Needs>& deps, std::vector<const Codec*> codecs, const ForestOptions& options)
      : log_(deps.log()),
        forest_(deps.get<Vfs>(), deps.get<BlockCache>(), deps.get<Consensus>(), std::move(codecs),
                deps.clock(), log_, options) {}

  void publish(Publish<Offers> to) { to.offer<Engine>(forest_); }
  Status start() override { return forest_.start(); }
  void stop(Deadline) noexcept override { forest_.stop(); }

 private:
  const Log log_;
  Forest forest_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<LsmModule>();
}

}  // namespace coppice::lsm
