// interval_text.h — intervals from text: PostgreSQL's words, SQL's fields, ISO 8601's P1Y2M.
//
// Source:   PostgreSQL 15, DecodeInterval(), DecodeISO8601Interval().
#pragma once

#include <cstdint>
#include <string_view>

#include "kernel/base/result.h"
#include "plugins/sql/datetime/interval.h"

namespace coppice::sql_datetime {

// `modifier` says what a number without a unit counts, and what is kept.
Result<Interval> read_interval(std::string_view text, std::int32_t modifier);

}  // namespace coppice::sql_datetime
