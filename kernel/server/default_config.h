// default_config.h — config/coppice.toml as it was when this binary was built.
#pragma once

#include <string_view>

namespace coppice {

extern const std::string_view kDefaultConfig;

}  // namespace coppice
