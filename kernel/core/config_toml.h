// config_toml.h — TOML text to ConfigValue, and command-line overrides on top of it.
//
// Errors:   kInvalidArgument, "file:line:col: what".   Parks: never (the caller has the text).
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"
#include "kernel/core/config_value.h"

namespace coppice {

constexpr std::size_t kConfigBytesMax = std::size_t{1} << 20;

// `file` is what positions call the text.
Result<ConfigValue> parse_toml(std::string_view text, std::string file);

// Sets `path` ("lsm.tree_split_size") to `value`: TOML, or where it is none, a string, so that
// both `3` and `10GiB` need no quotes. `said_by` is the option, for positions.
Status override_config(ConfigValue& tree, std::string_view path, std::string_view value,
                       std::string said_by);

}  // namespace coppice
