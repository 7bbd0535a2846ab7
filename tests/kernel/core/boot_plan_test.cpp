// boot_plan_test.cpp — boot phase 2 against golden texts.
#include "kernel/core/boot_plan.h"

#include <doctest/doctest.h>

#include "kernel/base/bytes.h"
#include "kernel/core/config_toml.h"
#include "tests/support/datadriven.h"

namespace coppice {
namespace {

struct Vfs {};
struct Codec {};
struct BlockCache {
  static constexpr std::string_view kInterfaceName = "cache";
};
struct Consensus {};
struct Moon {};
struct Ping {};
struct Pong {};
struct Pang {};

struct LocalConfig {
  std::string root = "x";
  static void describe(Fields<LocalConfig>& f) { f.value("root", &LocalConfig::root, "Folder."); }
};

template <class Interface>
Inventory& add_kind(Inventory& inventory, std::string_view kind,
                    ConfigType config = config_type<NoConfig>()) {
  inventory.add_plugin(PluginEntry{interface_ref<Interface>(), kind, std::move(config), {}});
  return inventory;
}

// A module that is planned and never made.
template <class ConfigT, class NeedsT, class OffersT = Offers<>, class DecoratesT = Decorates<>>
struct Declared {
  using Config = ConfigT;
  using Needs = NeedsT;
  using Offers = OffersT;
  using Decorates = DecoratesT;
};
template <class D>
void add_declared(Inventory& inventory, std::string_view name) {
  ModuleEntry entry;
  entry.name = name;
  entry.summary = "for this test";
  entry.needs = detail::list_needs(static_cast<typename D::Needs*>(nullptr));
  entry.offers = detail::list_interfaces(static_cast<typename D::Offers*>(nullptr));
  entry.decorates = detail::list_interfaces(static_cast<typename D::Decorates*>(nullptr));
  entry.config = config_type<typename D::Config>();
  inventory.add_module(std::move(entry));
}

struct LsmConfig {
  std::string vfs = "data";
  Size tree_split_size = 10_GiB;
  std::vector<std::string> level_codecs = {"fast", "dense"};
  static void describe(Fields<LsmConfig>& f) {
    f.instance<Vfs>("vfs", &LsmConfig::vfs, "Where SSTables live.");
    f.value("tree_split_size", &LsmConfig::tree_split_size, "Splits above.").range(64_MiB, 1_TiB);
    f.instances<Codec>("level_codecs", &LsmConfig::level_codecs, "Codec per level.").count(2, 8);
  }
};
struct RaftConfig {
  std::string vfs;
  static void describe(Fields<RaftConfig>& f) {
    f.instance<Vfs>("vfs", &RaftConfig::vfs, "Where the log lives.");
  }
};
struct VfsConfig {
  bool calibrate = true;
  static void describe(Fields<VfsConfig>& f) {
    f.value("calibrate", &VfsConfig::calibrate, "Measure the device.");
  }
};

Inventory test_inventory() {
  Inventory inventory;
  add_kind<Vfs>(inventory, "local", config_type<LocalConfig>());
  add_kind<Vfs>(inventory, "mem");
  add_kind<Codec>(inventory, "lz4");
  add_kind<Codec>(inventory, "zstd");
  inventory.add_left_out("plugin.vfs.s3");
  inventory.add_left_out("module.console");
  using LsmNeeds = Needs<One<Vfs>, One<BlockCache>, One<Consensus>, Any<Codec>>;
  add_declared<Declared<LsmConfig, LsmNeeds>>(inventory, "lsm");
  add_declared<Declared<RaftConfig, Needs<One<Vfs>>, Offers<Consensus>>>(inventory, "raft");
  add_declared<Declared<NoConfig, Needs<>, Offers<BlockCache>>>(inventory, "cache");
  add_declared<Declared<NoConfig, Needs<>, Offers<BlockCache>>>(inventory, "cache2");
  add_declared<Declared<VfsConfig, Needs<>, Offers<>, Decorates<Vfs>>>(inventory, "vfs");
  add_declared<Declared<NoConfig, Needs<One<Vfs>>>>(inventory, "alone");
  add_declared<Declared<NoConfig, Needs<One<Moon>>>>(inventory, "tall");
  add_declared<Declared<NoConfig, Needs<EveryKind<Codec>>>>(inventory, "packs");
  add_declared<Declared<NoConfig, Needs<One<Pong>>, Offers<Ping>>>(inventory, "ping");
  add_declared<Declared<NoConfig, Needs<Optional<Pang>>, Offers<Pong>>>(inventory, "pong");
  add_declared<Declared<NoConfig, Needs<Any<Pong>>, Offers<Pang>>>(inventory, "pang");
  return inventory;
}

// The parts that the example of docs/STYLE.md speaks of: lsm and raft need each other.
Inventory documented_inventory() {
  Inventory inventory;
  for (const std::string_view kind : {"local", "mem", "s3"}) add_kind<Vfs>(inventory, kind);
  for (const std::string_view kind : {"none", "lz4", "zstd"}) add_kind<Codec>(inventory, kind);
  using LsmNeeds = Needs<One<Vfs>, One<BlockCache>, One<Consensus>, Any<Codec>>;
  add_declared<Declared<LsmConfig, LsmNeeds, Offers<Moon>>>(inventory, "lsm");
  using RaftNeeds = Needs<One<Vfs>, One<Moon>>;
  add_declared<Declared<RaftConfig, RaftNeeds, Offers<Consensus>>>(inventory, "raft");
  add_declared<Declared<NoConfig, Needs<>, Offers<BlockCache>>>(inventory, "cache");
  return inventory;
}

std::string describe_plan(const BootPlan& plan) {
  std::string out;
  for (const PlannedInstance& instance : plan.instances) {
    out += std::string(instance.plugin->interface.name) + "." + instance.name + " = " +
           std::string(instance.plugin->kind) + "\n";
  }
  for (const PlannedModule& module : plan.modules) {
    out += std::string(module.entry->name) + "\n";
  }
  return out;
}

TEST_CASE("a configuration is answered with all its problems, or a plan") {
  const Inventory plain = test_inventory();
  const Inventory documented = documented_inventory();
  run_data_file("tests/kernel/core/golden/boot_problems.txt", [&](const DataCase& data) {
    const Inventory& inventory = data.command.starts_with("documented") ? documented : plain;
    const auto tree = parse_toml(data.input, "coppice.toml");
    if (!tree) return tree.error().message();
    Problems problems;
    const BootPlan plan = plan_boot(inventory, *tree, {}, problems);
    if (!problems.empty()) return problems.to_string();
    return data.command.starts_with("order") ? describe_plan(plan) : "ok";
  });
}

TEST_CASE("clashes of the inventory are boot errors") {
  Inventory inventory = test_inventory();
  add_kind<Codec>(inventory, "lz4");
  Problems problems;
  plan_boot(inventory, ConfigValue(), {}, problems);
  CHECK(problems.to_string() ==
        "two plugins of codec have the kind \"lz4\"\n1 problem; nothing was started");
}

TEST_CASE("a provided object meets a need as a module would") {
  const Inventory inventory = test_inventory();
  Vfs vfs;
  const auto tree = parse_toml("[kernel]\nmodules = [\"raft\"]", "t");
  REQUIRE(tree);
  Problems problems;
  const BootPlan plan =
      plan_boot(inventory, *tree, {{interface_ref<Vfs>(), "data", &vfs}}, problems);
  REQUIRE(problems.empty());
  REQUIRE(plan.modules.size() == 1);
  CHECK(static_cast<const RaftConfig*>(plan.modules[0].config.get())->vfs == "data");
  CHECK(*plan.modules[0].bindings.find(type_id<Vfs>()) == "data");
}

}  // namespace
}  // namespace coppice
