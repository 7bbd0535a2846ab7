// calendar.cpp — Julian day numbers and what is made of them.
#include "plugins/sql/datetime/calendar.h"

#include <array>

namespace coppice::sql_datetime {

std::int32_t days_in_month(std::int32_t year, std::int32_t month) {
  static constexpr std::array<std::int8_t, 12> kDays = {31, 28, 31, 30, 31, 30,
                                                        31, 31, 30, 31, 30, 31};
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
}

bool is_valid_julian(std::int32_t year, std::int32_t month) {
  return (year > -4713 || (year == -4713 && month >= 11)) &&
         (year < 5874898 || (year == 5874898 && month < 6));
}

std::int32_t julian_of(std::int32_t year, std::int32_t month, std::int32_t day) {
  if (month > 2) {
    month += 1;
    year += 4800;
  } else {
    month += 13;
    year += 4799;
  }
  const std::int32_t century = year / 100;
  const std::int64_t days = std::int64_t{year} * 365 - 32167 + year / 4 - century + century / 4 +
                            7834 * month / 256 + day;
  return static_cast<std::int32_t>(days);  // years that cannot be counted are refused by the caller
}

void set_date(Civil& civil, std::int32_t jd) {
  std::uint32_t julian = static_cast<std::uint32_t>(jd) + 32044;
  std::uint32_t quad = julian / 146097;
  const std::uint32_t extra = (julian - quad * 146097) * 4 + 3;
  julian += 60 + quad * 3 + extra / 146097;
  quad = julian / 1461;
  julian -= quad * 1461;
  std::uint32_t year = julian * 4 / 1461;
  julian = (year != 0 ? (julian + 305) % 365 : (julian + 306) % 366) + 123;
  year += quad * 4;
  civil.year = static_cast<std::int32_t>(year) - 4800;
  quad = julian * 2141 / 65536;
  civil.day = static_cast<std::int32_t>(julian - 7834 * quad / 256);
  civil.month = static_cast<std::int32_t>((quad + 10) % 12 + 1);
}

std::int32_t day_of_week(std::int32_t julian) {
  const auto day = static_cast<std::int32_t>((std::int64_t{julian} + 1) % 7);
  return day < 0 ? day + 7 : day;
}

void set_time(Civil& civil, std::int64_t us) {
  civil.hour = static_cast<std::int32_t>(us / kUsPerHour);
  civil.minute = static_cast<std::int32_t>(us / kUsPerMinute % 60);
  civil.second = static_cast<std::int32_t>(us / kUsPerSecond % 60);
  civil.us = static_cast<std::int32_t>(us % kUsPerSecond);
}

Civil civil_of_date(std::int32_t date) {
  Civil civil;
  set_date(civil, date + kEpochJulian);
  return civil;
}

Civil civil_of_timestamp(std::int64_t timestamp) {
  Civil civil = civil_of_date(static_cast<std::int32_t>(day_of(timestamp)));
  set_time(civil, time_of_day(timestamp));
  return civil;
}

std::int64_t unchecked_timestamp_of(const Civil& civil) {
  return (std::int64_t{julian_of(civil.year, civil.month, civil.day)} - kEpochJulian) * kUsPerDay +
         time_of(civil);
}

std::optional<std::int64_t> timestamp_of(const Civil& civil, std::int32_t offset) {
  if (!is_valid_julian(civil.year, civil.month)) return {};
  const std::int64_t date =
      std::int64_t{julian_of(civil.year, civil.month, civil.day)} - kEpochJulian;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(date, kUsPerDay, &result) ||
      __builtin_add_overflow(result, time_of(civil) - offset * kUsPerSecond, &result) ||
      !is_valid_timestamp(result))
    return {};
  return result;
}

namespace {

// The Monday of week 1: the week that holds January 4th.
std::int32_t first_monday(std::int32_t year) {
  const std::int32_t fourth = julian_of(year, 1, 4);
  return fourth - day_of_week(fourth - 1);
}

}  // namespace

std::int32_t iso_year(const Civil& civil) {
  const std::int32_t julian = julian_of(civil.year, civil.month, civil.day);
  if (julian < first_monday(civil.year)) return civil.year - 1;
  if (julian >= first_monday(civil.year + 1)) return civil.year + 1;
  return civil.year;
}

std::int32_t iso_week(const Civil& civil) {
  const std::int32_t julian = julian_of(civil.year, civil.month, civil.day);
  return (julian - first_monday(iso_year(civil))) / 7 + 1;
}

std::int32_t iso_week_julian(std::int32_t year, std::int32_t week) {
  return first_monday(year) + (week - 1) * 7;
}

std::int32_t day_of_year(const Civil& civil) {
  return julian_of(civil.year, civil.month, civil.day) - julian_of(civil.year, 1, 1) + 1;
}

}  // namespace coppice::sql_datetime
