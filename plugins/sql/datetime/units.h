// units.h — the first argument of extract() and date_trunc().
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"
#include "plugins/sql/datetime/tokens.h"

namespace coppice::sql_datetime {

enum class UnitWords : bool { kUnitsOnly, kUnitsAndParts };

struct UnitName {
  std::string text;  // in lower case
  Unit unit = Unit::kNone;
  bool known = false;
};
// kUnitsAndParts: also dow, doy, epoch …
UnitName unit_of(std::string_view text, UnitWords words);

// 22023 and 0A000 as PostgreSQL words them.
Error unit_not_recognized(const UnitName& unit, std::string_view type);
Error unit_not_supported(const UnitName& unit, std::string_view type);

}  // namespace coppice::sql_datetime
