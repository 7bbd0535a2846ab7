// command_line.h — argv: what to do, with which config file, with which keys overridden.
//
// Errors:   kInvalidArgument, a text for the user.   Parks: never.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernel/base/result.h"
#include "kernel/core/reference.h"

namespace coppice {

enum class Action : std::uint8_t {
  kRun,
  kCheck,
  kList,
  kGraph,
  kExplain,
  kConfigReference,
  kPrint,  // `text`: help or version
};

struct ConfigOverride {
  std::string path;     // "lsm.tree_split_size"
  std::string value;    // TOML or a bare string
  std::string said_by;  // "--port", "--set lsm.tree_split_size=1GiB"
};

struct CommandLine {
  Action action = Action::kRun;
  std::string config_file;  // empty: the config built in
  std::vector<ConfigOverride> overrides;
  std::string text;  // of kPrint, or the key of kExplain
};

// `flags` are the options that parts declare for their keys.
Result<CommandLine> parse_command_line(int argc, const char* const* argv,
                                       std::span<const ConfigFlag> flags);

}  // namespace coppice
