// zone_table.h — all time zones of the machine by name, and the abbreviations of PostgreSQL.
//
// Role:     read once from /usr/share/zoneinfo, when the pack is made; afterwards only looked up.
// Threads:  any.
// Errors:   22023 time zone "x" not recognized.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernel/base/result.h"
#include "plugins/sql/datetime/zone.h"

namespace coppice::sql_datetime {

// A zone's name in any case, or a POSIX text, where -3 is east. Null: there is none.
ZoneRef find_zone(std::string_view name);
Result<ZoneRef> zone_by_name(std::string_view name);
// The session's zone, whose name was checked when it was set; UTC if it is unknown all the same.
// A number is hours east, as in SET timezone.
ZoneRef session_zone(std::string_view name);

struct ZoneAbbreviation {
  std::string_view name;  // lower case
  std::int32_t offset;    // seconds east
  bool dst;
  std::string_view zone;  // if not empty: it means what this zone says at the time
};
// `name` in lower case; null if there is none.
const ZoneAbbreviation* find_abbreviation(std::string_view name);

}  // namespace coppice::sql_datetime
