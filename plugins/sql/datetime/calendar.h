// calendar.h — days and microseconds as years, months, days, hours …, and back.
//
// Role:     the arithmetic under every type of the pack. Dates count days, timestamps microseconds
//           since 2000-01-01; the calendar is Gregorian throughout, year 0 is 1 BC.
// Source:   PostgreSQL 15, datetime.c, timestamp.c: date2j(), j2date(), timestamp2tm().
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace coppice::sql_datetime {

inline constexpr std::int64_t kUsPerSecond = 1'000'000, kUsPerMinute = 60 * kUsPerSecond,
                              kUsPerHour = 60 * kUsPerMinute, kUsPerDay = 24 * kUsPerHour;
inline constexpr std::int32_t kEpochJulian = 2451545;      // 2000-01-01
inline constexpr std::int32_t kUnixEpochJulian = 2440588;  // 1970-01-01
inline constexpr std::int64_t kUnixEpochUs =
    (std::int64_t{kEpochJulian} - kUnixEpochJulian) * kUsPerDay;  // 2000-01-01 in Unix time

inline constexpr std::int32_t kDateEarly = std::numeric_limits<std::int32_t>::min(),
                              kDateLate = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kTimestampEarly = std::numeric_limits<std::int64_t>::min(),
                              kTimestampLate = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kTimestampMin = -211'813'488'000'000'000,
                              kTimestampEnd = 9'223'371'331'200'000'000;
inline constexpr std::int32_t kDateMin = -kEpochJulian, kDateEnd = 2147483494 - kEpochJulian;
inline constexpr std::int32_t kTimestampEndDate = 109203528 - kEpochJulian;

constexpr bool is_finite(std::int32_t date) {
  return date != kDateEarly && date != kDateLate;
}
constexpr bool is_finite(std::int64_t timestamp) {
  return timestamp != kTimestampEarly && timestamp != kTimestampLate;
}
constexpr bool is_valid_date(std::int64_t date) {
  return date >= kDateMin && date < kDateEnd;
}
constexpr bool is_valid_timestamp(std::int64_t timestamp) {
  return timestamp >= kTimestampMin && timestamp < kTimestampEnd;
}

// A moment in parts. Fields are as given until validated.
struct Civil {
  std::int32_t year = 0, month = 0, day = 0;
  std::int32_t hour = 0, minute = 0, second = 0;
  std::int32_t us = 0;
};

constexpr bool is_leap(std::int32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
std::int32_t days_in_month(std::int32_t year, std::int32_t month);
// Whether julian_of() can count it.
bool is_valid_julian(std::int32_t year, std::int32_t month);
std::int32_t julian_of(std::int32_t year, std::int32_t month, std::int32_t day);
// Sets year, month and day.
void set_date(Civil& civil, std::int32_t julian);
// 0 is Sunday.
std::int32_t day_of_week(std::int32_t julian);

constexpr std::int64_t time_of(const Civil& civil) {
  return ((std::int64_t{civil.hour} * 60 + civil.minute) * 60 + civil.second) * kUsPerSecond +
         civil.us;
}
void set_time(Civil& civil, std::int64_t us);

// Midnight of the day that holds `timestamp`, in days since 2000-01-01.
constexpr std::int64_t day_of(std::int64_t timestamp) {
  const std::int64_t day = timestamp / kUsPerDay;
  return timestamp % kUsPerDay < 0 ? day - 1 : day;
}
constexpr std::int64_t time_of_day(std::int64_t timestamp) {
  const std::int64_t time = timestamp % kUsPerDay;
  return time < 0 ? time + kUsPerDay : time;
}

Civil civil_of_date(std::int32_t date);            // finite
Civil civil_of_timestamp(std::int64_t timestamp);  // finite
// Without any check: the local time of a valid date, or one near it.
std::int64_t unchecked_timestamp_of(const Civil& civil);
// Of a local time `offset` seconds east of UTC. None: out of range.
std::optional<std::int64_t> timestamp_of(const Civil& civil, std::int32_t offset = 0);

// ISO 8601 weeks.
std::int32_t iso_week(const Civil& civil);
std::int32_t iso_year(const Civil& civil);
std::int32_t iso_week_julian(std::int32_t year, std::int32_t week);  // its Monday
std::int32_t day_of_year(const Civil& civil);

}  // namespace coppice::sql_datetime
