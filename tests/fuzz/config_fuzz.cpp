// config_fuzz.cpp — the TOML reader, the typed decoder and the planner of boot on any bytes.
//
// The input up to a NUL is the file; what follows is `path=value` overrides, NUL between them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel/base/assert.h"
#include "kernel/base/bytes.h"
#include "kernel/core/boot_plan.h"
#include "kernel/core/config_toml.h"

namespace coppice {
namespace {

struct Vfs {};
struct Codec {};

enum class Mode : std::uint8_t { kFast, kSafe };

struct InnerConfig {
  std::optional<std::uint8_t> threads;
  static void describe(Fields<InnerConfig>& f) {
    f.value("threads", &InnerConfig::threads, "Threads.").range(1, 64);
  }
};

struct EverythingConfig {
  bool on = true;
  std::uint16_t port = 1;
  double ratio = 0;
  Size size;
  Duration wait{};
  Mode mode = Mode::kFast;
  std::vector<std::int32_t> numbers;
  Secret secret;
  InnerConfig inner;
  std::map<std::string, InnerConfig> lanes;
  std::string vfs;
  std::vector<std::string> codecs;

  static void describe(Fields<EverythingConfig>& f) {
    f.value("on", &EverythingConfig::on, "Whether.");
    f.value("port", &EverythingConfig::port, "Port.").range(1, 65535);
    f.value("ratio", &EverythingConfig::ratio, "Ratio.").range(0, 1);
    f.value("size", &EverythingConfig::size, "Size.").range(0, 1_TiB);
    f.value("wait", &EverythingConfig::wait, "Wait.").range(0ns, 1h);
    f.choice("mode", &EverythingConfig::mode, {{"fast", Mode::kFast}, {"safe", Mode::kSafe}}, "M.");
    f.value("numbers", &EverythingConfig::numbers, "Numbers.").count(0, 8);
    f.value("secret", &EverythingConfig::secret, "Secret.");
    f.section("inner", &EverythingConfig::inner, "Inner.");
    f.sections("lanes", &EverythingConfig::lanes, "Lanes.");
    f.instance<Vfs>("vfs", &EverythingConfig::vfs, "Vfs.");
    f.instances<Codec>("codecs", &EverythingConfig::codecs, "Codecs.");
  }
};

Inventory make_inventory() {
  Inventory inventory;
  inventory.add_plugin(
      PluginEntry{interface_ref<Vfs>(), "mem", config_type<EverythingConfig>(), {}});
  inventory.add_plugin(PluginEntry{interface_ref<Codec>(), "lz4", config_type<NoConfig>(), {}});
  ModuleEntry module;
  module.name = "m";
  module.needs = {{interface_ref<Vfs>(), NeedKind::kOne},
                  {interface_ref<Codec>(), NeedKind::kEveryKind}};
  module.config = config_type<EverythingConfig>();
  inventory.add_module(std::move(module));
  return inventory;
}

void run(std::string_view input) {
  const Inventory inventory = make_inventory();
  const std::size_t end = input.find('\0');
  auto tree = parse_toml(input.substr(0, end), "fuzz.toml");
  if (!tree) {
    COPPICE_ASSERT(tree.error().message().starts_with("fuzz.toml"));
    return;
  }
  while (end != std::string_view::npos && !input.empty()) {
    const std::size_t next = input.find('\0');
    const std::string_view set = input.substr(0, next);
    const std::size_t equals = set.find('=');
    if (equals != std::string_view::npos) {
      static_cast<void>(
          override_config(*tree, set.substr(0, equals), set.substr(equals + 1), "--set"));
    }
    if (next == std::string_view::npos) break;
    input.remove_prefix(next + 1);
  }
  Problems problems;
  const BootPlan plan = plan_boot(inventory, *tree, {}, problems);
  COPPICE_ASSERT(problems.empty() == problems.to_status().has_value());
  if (!problems.empty()) return;
  for (const PlannedModule& planned : plan.modules) {  // what a range promises holds
    const auto& config = *static_cast<const EverythingConfig*>(planned.config.get());
    COPPICE_ASSERT(config.port >= 1);
    COPPICE_ASSERT(config.ratio >= 0 && config.ratio <= 1);
    COPPICE_ASSERT(config.size <= 1_TiB);
    COPPICE_ASSERT(config.wait >= 0ns && config.wait <= 1h);
    COPPICE_ASSERT(config.numbers.size() <= 8);
    COPPICE_ASSERT(planned.bindings.find(type_id<Vfs>()) != nullptr);
  }
}

}  // namespace
}  // namespace coppice

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  coppice::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
