// main.cpp — argv, config file, check, run.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "kernel/core/boot_plan.h"
#include "kernel/core/config_toml.h"
#include "kernel/core/reference.h"
#include "kernel/server/command_line.h"
#include "kernel/server/default_config.h"
#include "kernel/server/memory_limit.h"
#include "kernel/server/server.h"

namespace coppice {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

int print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

int complain(const Error& error, int exit_code) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return exit_code;
}

Result<ConfigValue> read_config(const CommandLine& line) {
  std::string text(kDefaultConfig);
  std::string name = "coppice.toml (built in)";
  if (!line.config_file.empty()) {
    name = line.config_file;
    std::ifstream file(name);
    if (!file) return fail(Code::kNotFound, name + ": cannot be read");
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  ConfigValue tree = COPPICE_TRY(parse_toml(text, name));
  for (const ConfigOverride& set : line.overrides) {
    COPPICE_TRY(override_config(tree, set.path, set.value, set.said_by));
  }
  return tree;
}

Result<std::uint64_t> memory_total(const Settings& settings) {
  if (settings.memory.total) return settings.memory.total->bytes;
  const std::uint64_t limit = COPPICE_TRY(memory_limit());
  return memory_total_of(limit);
}

int check_and_run(const Inventory& inventory, const CommandLine& line) {
  auto tree = read_config(line);
  if (!tree) return complain(tree.error(), kExitFailed);
  Problems problems;
  BootPlan plan = plan_boot(inventory, *tree, {}, problems);
  if (const Status fine = problems.to_status(); !fine) return complain(fine.error(), kExitFailed);
  if (line.action == Action::kGraph) return print(draw_graph(plan));
  const auto memory = memory_total(plan.settings);
  if (!memory) return complain(memory.error(), kExitFailed);
  if (line.action == Action::kCheck) {
    return print("the config is fine: " + std::to_string(plan.modules.size()) + " modules, " +
                 std::to_string(plan.instances.size()) + " plugin instances\n");
  }
  const Status ran = run_server(std::move(plan), *memory);
  return ran ? 0 : kExitFailed;  // the error is in the log
}

int run(int argc, const char* const* argv) {
  const Inventory inventory = builtin_inventory();
  const std::vector<ConfigFlag> flags = config_flags(inventory);
  const auto line = parse_command_line(argc, argv, flags);
  if (!line) return complain(line.error(), kExitUsage);
  switch (line->action) {
    case Action::kPrint:
      return print(line->text);
    case Action::kList:
      return print(list_parts(inventory));
    case Action::kConfigReference:
      return print(config_reference(inventory));
    case Action::kExplain: {
      const auto text = explain_key(inventory, line->text);
      return text ? print(*text) : complain(text.error(), kExitUsage);
    }
    case Action::kRun:
    case Action::kCheck:
    case Action::kGraph:
      break;
  }
  return check_and_run(inventory, *line);
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  return coppice::run(argc, argv);
}
