// config_text.h — a config struct from TOML text, for tests of config rows.
#pragma once

#include <string_view>

#include "kernel/core/config.h"
#include "kernel/core/config_toml.h"

namespace coppice {

// The keys of one section, without its header; problems call the text "test.toml" and the section
// "test".
template <class T>
Result<T> config_from_text(std::string_view text) {
  const ConfigValue tree = COPPICE_TRY(parse_toml(text, "test.toml"));
  T config{};
  Problems problems;
  decode_config(*describe_config<T>(), &config, tree, "test", problems);
  COPPICE_TRY(problems.to_status());
  return config;
}

}  // namespace coppice
