// reference_test.cpp — what --list, --graph, --explain print, and that docs/config-reference.md is
// what the binary's parts say.
#include "kernel/core/reference.h"

#include <doctest/doctest.h>

#include "kernel/base/bytes.h"

namespace coppice {
namespace {

struct Engine {};

struct ForestConfig {
  std::uint16_t port = 3210;
  Size size = 10_GiB;
  static void describe(Fields<ForestConfig>& f) {
    f.value("port", &ForestConfig::port, "TCP port.").range(1, 65535).flag("port");
    f.value("size", &ForestConfig::size, "This | that.").required();
  }
};

class ForestModule final : public Module {
 public:
  static constexpr std::string_view kName = "forest";
  static constexpr std::string_view kSummary = "trees";
  using Config = ForestConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<Engine>;
  static Result<std::unique_ptr<ForestModule>> create(const ForestConfig&, Deps<Needs>) {
    return std::make_unique<ForestModule>();
  }
};

Inventory forest_inventory() {
  Inventory inventory;
  inventory.add_module<ForestModule>();
  inventory.add_left_out("plugin.vfs.s3");
  return inventory;
}

TEST_CASE("a key is explained by its row") {
  const Inventory inventory = forest_inventory();
  CHECK(*explain_key(inventory, "forest.port") ==
        "forest.port\n  TCP port.\n  section: [forest]\n  type:    integer\n  default: 3210\n"
        "  allowed: 1 to 65535\n  option:  --port\n");
  const auto unknown = explain_key(inventory, "forest.prot");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message() ==
        "no config key \"forest.prot\"; did you mean \"forest.port\"?");
  CHECK(explain_key(inventory, "fiber.lanes.NAME.dedicated_threads"));
}

TEST_CASE("options are collected from the rows") {
  const auto flags = config_flags(forest_inventory());
  const auto port = std::ranges::find(flags, "port", &ConfigFlag::name);
  REQUIRE(port != flags.end());
  CHECK(port->path == "forest.port");
  CHECK(std::ranges::find(flags, "data", &ConfigFlag::name)->path == "server.data_dir");
  CHECK(std::ranges::find(flags, "memory", &ConfigFlag::name)->path == "memory.total");
}

TEST_CASE("the list names modules with needs and offers, and what was left out") {
  CHECK(list_parts(forest_inventory()) ==
        "modules\n  forest: trees\n    needs: none\n    offers: engine\nplugins\nleft out\n"
        "  plugin.vfs.s3\n");
}

TEST_CASE("the reference has a row for every key") {
  const std::string text = config_reference(forest_inventory());
  CHECK(text.find("\n## [forest]\n\nModule: trees.\n") != std::string::npos);
  CHECK(text.find("\n| `port` | integer | `3210` | 1 to 65535 | TCP port. Option: `--port`. |\n") !=
        std::string::npos);
  CHECK(text.find("\n| `size` | size | `required` |  | This \\| that. |\n") != std::string::npos);
  CHECK(text.find("| `lanes.NAME.dedicated_threads` |") != std::string::npos);
}

}  // namespace
}  // namespace coppice
