// moments.h — moving timestamps by intervals, between zones, and what lies between two of them.
//
// Source:   PostgreSQL 15, timestamp.c.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel/base/result.h"
#include "plugins/sql/datetime/calendar.h"
#include "plugins/sql/datetime/interval.h"
#include "plugins/sql/datetime/zone.h"

namespace coppice::sql_datetime {

// Seconds since 1970 of a finite timestamp.
constexpr std::int64_t unix_seconds(std::int64_t timestamp) {
  return day_of(timestamp) * 86400 + time_of_day(timestamp) / kUsPerSecond +
         kUnixEpochUs / kUsPerSecond;
}

// What a clock in `zone` shows at an instant; finite.
inline std::int64_t local_of(std::int64_t instant, const Zone& zone) {
  return instant + zone.at(unix_seconds(instant)).offset * kUsPerSecond;
}
// The instant at which a clock in `zone` shows `local`; none when out of range.
std::optional<std::int64_t> instant_of(std::int64_t local, const Zone& zone);

// Date to timestamp, infinities kept. 22008 date out of range for timestamp.
Result<std::int64_t> timestamp_of_date(std::int32_t date);
// The midnight that begins the date in `zone`.
Result<std::int64_t> instant_of_date(std::int32_t date, const Zone& zone);

// Months first, then days, then the time. `zone`: months and days are counted there; null: nowhere.
Result<std::int64_t> add_to_timestamp(std::int64_t timestamp, Interval by, const Zone* zone);

// In years, months, days …; both finite and local.
Interval age_between(std::int64_t later, std::int64_t earlier);

Interval justify_hours(Interval value);
std::optional<Interval> justify_days(Interval value);
std::optional<Interval> justify_interval(Interval value);

std::optional<Interval> multiply(Interval value, double factor);
std::optional<Interval> divide(Interval value, double divisor);  // not by 0

}  // namespace coppice::sql_datetime
