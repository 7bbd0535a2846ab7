// setting_value.h — a setting's value: read, checked, in canonical form; and as SHOW prints it.
//
// Role:     numbers are kept in the setting's own unit, words in lower case, "on" and "off" for
//           booleans, so that values compare as texts.
// Threads:  any.   Parks: never.
// Errors:   22023 with PostgreSQL 15's texts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"
#include "modules/session/setting_table.h"

namespace coppice::session {

// What only the SQL types know.
using ZoneCheck = std::function<bool(std::string_view zone)>;

// `current` is the value so far (DateStyle keeps what is not named).
Result<std::string> read_setting(const Setting& setting, std::string_view text,
                                 std::string_view current, const ZoneCheck& known_zone);

std::string show_setting(const Setting& setting, std::string_view value);

// A comma-separated list of identifiers, folded and unquoted; false: not a list.
bool split_identifiers(std::string_view text, std::vector<std::string>& names);

}  // namespace coppice::session
