// command_line.cpp — the only file that sees CLI11.
#include "kernel/server/command_line.h"

#include <CLI/CLI.hpp>

namespace coppice {

namespace {

// What CLI11 writes into; turned into a CommandLine after parsing.
struct Parsed {
  std::string config_file;
  std::vector<std::string> sets;
  std::vector<std::string> flag_values;
  std::string explain;
  bool check = false;
  bool list = false;
  bool graph = false;
  bool reference = false;
};

void add_options(CLI::App& app, std::span<const ConfigFlag> flags, Parsed& parsed) {
  app.add_option("--config", parsed.config_file,
                 "TOML file; without it the config built into the binary")
      ->type_name("FILE");
  parsed.flag_values.resize(flags.size());
  for (std::size_t i = 0; i < flags.size(); ++i) {
    app.add_option("--" + flags[i].name, parsed.flag_values[i],
                   flags[i].help + " Same as --set " + flags[i].path + "=VALUE.")
        ->type_name("VALUE");
  }
  app.add_option("--set", parsed.sets, "Set one config key; may be given many times")
      ->type_name("SECTION.KEY=VALUE")
      ->expected(1)
      ->take_all();
  app.add_flag("--check", parsed.check, "Check the config, say what is wrong, and end");
  app.add_flag("--list", parsed.list, "Print the modules, plugins and interfaces in this binary");
  app.add_flag("--graph", parsed.graph, "Print which module needs which, with this config");
  app.add_option("--explain", parsed.explain, "Print what a config key is")->type_name("KEY");
  app.add_flag("--config-reference", parsed.reference, "Print docs/config-reference.md");
  app.set_version_flag("--version", "coppice " COPPICE_VERSION);
}

Action action_of(const Parsed& parsed) {
  if (parsed.list) return Action::kList;
  if (parsed.reference) return Action::kConfigReference;
  if (!parsed.explain.empty()) return Action::kExplain;
  if (parsed.graph) return Action::kGraph;
  return parsed.check ? Action::kCheck : Action::kRun;
}

Result<CommandLine> to_command_line(Parsed parsed, const CLI::App& app,
                                    std::span<const ConfigFlag> flags) {
  CommandLine line;
  line.action = action_of(parsed);
  line.config_file = std::move(parsed.config_file);
  line.text = std::move(parsed.explain);
  for (std::string& set : parsed.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) {
      return fail(Code::kInvalidArgument, "--set " + set + ": expected SECTION.KEY=VALUE");
    }
    line.overrides.push_back({set.substr(0, equals), set.substr(equals + 1), "--set " + set});
  }
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string option = "--" + flags[i].name;
    if (app.count(option) == 0) continue;
    line.overrides.push_back({flags[i].path, parsed.flag_values[i], option});
  }
  return line;
}

}  // namespace

Result<CommandLine> parse_command_line(int argc, const char* const* argv,
                                       std::span<const ConfigFlag> flags) {
  Parsed parsed;
  CLI::App app("Coppice, a PostgreSQL-compatible database.", "coppice");
  app.get_formatter()->column_width(32);
  try {
    add_options(app, flags, parsed);
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return CommandLine{Action::kPrint, {}, {}, app.help()};
  } catch (const CLI::CallForVersion& version) {
    return CommandLine{Action::kPrint, {}, {}, std::string(version.what()) + "\n"};
  } catch (const CLI::Error& error) {
    return fail(Code::kInvalidArgument, std::string(error.what()) + "; see coppice --help");
  }
  return to_command_line(std::move(parsed), app, flags);
}

}  // namespace coppice
