// inventory_test.cpp — what a part says about itself, and clashes between parts.
#include "kernel/core/inventory.h"

#include <doctest/doctest.h>

namespace coppice {
namespace {

struct Pump {
  virtual ~Pump() = default;
};
struct BlockCache {
  virtual ~BlockCache() = default;
};
struct Renamed {
  static constexpr std::string_view kInterfaceName = "sql";
};

struct HandPump final : Pump {
  static constexpr std::string_view kKind = "hand";
  using Config = NoConfig;
  static Result<std::unique_ptr<Pump>> create(const NoConfig&, PluginContext&) {
    return std::make_unique<HandPump>();
  }
};

struct WellModule final : Module {
  static constexpr std::string_view kName = "well";
  static constexpr std::string_view kSummary = "water";
  using Config = NoConfig;
  using Needs = coppice::Needs<One<Pump>, Optional<BlockCache>>;
  using Offers = coppice::Offers<>;
  static Result<std::unique_ptr<WellModule>> create(const NoConfig&, Deps<Needs> deps) {
    static_assert(std::is_same_v<decltype(deps.get<Pump>()), Pump&>);
    static_assert(std::is_same_v<decltype(deps.find<BlockCache>()), BlockCache*>);
    return std::make_unique<WellModule>();
  }
};

struct OtherWellModule final : Module {
  static constexpr std::string_view kName = "well";
  static constexpr std::string_view kSummary = "oil";
  using Config = NoConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<>;
  static Result<std::unique_ptr<OtherWellModule>> create(const NoConfig&, Deps<Needs>) {
    return std::make_unique<OtherWellModule>();
  }
};

template <class D, class X>
concept CanGet = requires(D deps) { deps.template get<X>(); };
template <class D, class X>
concept CanFind = requires(D deps) { deps.template find<X>(); };
using WellDeps = Deps<WellModule::Needs>;
static_assert(CanGet<WellDeps, Pump>);
static_assert(!CanGet<WellDeps, BlockCache>, "an optional one has no get()");
static_assert(!CanGet<WellDeps, Renamed>, "an undeclared interface does not compile");
static_assert(!CanFind<WellDeps, Pump>);

TEST_CASE("interfaces have the word of their type, or the one they chose") {
  CHECK(interface_name<Pump>() == "pump");
  CHECK(interface_name<BlockCache>() == "block_cache");
  CHECK(interface_name<Renamed>() == "sql");
}

TEST_CASE("an inventory lists what was registered") {
  Inventory inventory;
  inventory.add_plugin<Pump, HandPump>();
  inventory.add_module<WellModule>();
  CHECK(inventory.clashes().empty());
  REQUIRE(inventory.find_module("well") != nullptr);
  const ModuleEntry& well = *inventory.find_module("well");
  REQUIRE(well.needs.size() == 2);
  CHECK(well.needs[0].interface.name == "pump");
  CHECK(well.needs[1].kind == NeedKind::kOptional);
  CHECK(inventory.find_plugin("pump", "hand") != nullptr);
  CHECK(inventory.find_plugin("pump", "foot") == nullptr);
}

TEST_CASE("a clash is recorded with both sides, and the first one stays") {
  Inventory inventory;
  inventory.add_module<WellModule>();
  inventory.add_module<OtherWellModule>();
  inventory.add_plugin<Pump, HandPump>();
  inventory.add_plugin<Pump, HandPump>();
  REQUIRE(inventory.clashes().size() == 2);
  CHECK(inventory.clashes()[0] == R"(two modules are named "well": "water" and "oil")");
  CHECK(inventory.clashes()[1] == R"(two plugins of pump have the kind "hand")");
  CHECK(inventory.find_module("well")->summary == "water");
}

}  // namespace
}  // namespace coppice
