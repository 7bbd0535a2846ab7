// reference.h — what the binary says about itself: --list, --graph, --explain, config reference.
//
// Threads:  one at a time.   Parks: never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"
#include "kernel/core/boot_plan.h"

namespace coppice {

// A command-line option that stands for a config key: `--port 3210` for pgwire.port.
struct ConfigFlag {
  std::string name;  // "port"
  std::string path;  // "pgwire.port"
  std::string type;
  std::string help;
};
std::vector<ConfigFlag> config_flags(const Inventory& inventory);

std::string list_parts(const Inventory& inventory);
std::string draw_graph(const BootPlan& plan);  // one line a module: "lsm -> raft, vfs"

// `key` is "lsm.tree_split_size", or of a plugin "vfs.local.root". kNotFound with a suggestion.
Result<std::string> explain_key(const Inventory& inventory, std::string_view key);

// docs/config-reference.md: every key of every part, by section.
std::string config_reference(const Inventory& inventory);

}  // namespace coppice
