// output.cpp — writing values in the style that SHOW datestyle says.
#include "plugins/sql/datetime/output.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "plugins/sql/datetime/calendar.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void append_padded(std::string& to, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) to.append(width - digits.size(), '0');
  to.append(digits);
}

// Without trailing zeros; nothing for none.
void append_fraction(std::string& to, std::int32_t us) {
  if (us == 0) return;
  to.push_back('.');
  append_padded(to, us, 6);
  while (to.back() == '0') to.pop_back();
}

void append_year(std::string& to, const Civil& civil) {
  append_padded(to, civil.year > 0 ? civil.year : -(std::int64_t{civil.year} - 1), 4);
}

void append_clock(std::string& to, const Civil& civil) {
  append_padded(to, civil.hour, 2);
  to.push_back(':');
  append_padded(to, civil.minute, 2);
  to.push_back(':');
  append_padded(to, civil.second, 2);
  append_fraction(to, civil.us);
}

void append_day_and_month(std::string& to, const Civil& civil, DateStyle style, char separator) {
  const bool day_first =
      style.order == DateOrder::kDayMonthYear || style.output == DateOutput::kGerman;
  append_padded(to, day_first ? civil.day : civil.month, 2);
  to.push_back(separator);
  append_padded(to, day_first ? civil.month : civil.day, 2);
}

void append_date_part(std::string& to, const Civil& civil, DateStyle style) {
  if (style.output == DateOutput::kIso) {
    append_year(to, civil);
    to.push_back('-');
    append_padded(to, civil.month, 2);
    to.push_back('-');
    append_padded(to, civil.day, 2);
    return;
  }
  const char separator = style.output == DateOutput::kSql      ? '/'
                         : style.output == DateOutput::kGerman ? '.'
                                                               : '-';
  append_day_and_month(to, civil, style, separator);
  to.push_back(separator);
  append_year(to, civil);
}

void append_era(std::string& to, const Civil& civil) {
  if (civil.year <= 0) to.append(" BC");
}

void append_offset(std::string& to, std::int32_t offset) {
  to.push_back(offset < 0 ? '-' : '+');
  const std::int32_t all = std::abs(offset);
  append_padded(to, all / 3600, 2);
  if (all % 3600 == 0) return;
  to.push_back(':');
  append_padded(to, all / 60 % 60, 2);
  if (all % 60 == 0) return;
  to.push_back(':');
  append_padded(to, all % 60, 2);
}

std::string_view infinity(bool late) {
  return late ? "infinity" : "-infinity";
}

}  // namespace

void append_date(std::int32_t date, DateStyle style, std::string& to) {
  if (!is_finite(date)) {
    to.append(infinity(date == kDateLate));
    return;
  }
  const Civil civil = civil_of_date(date);
  append_date_part(to, civil, style);
  append_era(to, civil);
}

void append_time(std::int64_t time, std::string& to) {
  Civil civil;
  set_time(civil, time);
  append_clock(to, civil);
}

void append_timestamp(std::int64_t timestamp, const Zone* zone, DateStyle style, std::string& to) {
  if (!is_finite(timestamp)) {
    to.append(infinity(timestamp == kTimestampLate));
    return;
  }
  Zone::Local local;
  if (zone != nullptr) {
    const std::int64_t day = day_of(timestamp);
    local = zone->at((day + kEpochJulian - kUnixEpochJulian) * 86400 +
                     time_of_day(timestamp) / kUsPerSecond);
    timestamp += local.offset * kUsPerSecond;
  }
  const Civil civil = civil_of_timestamp(timestamp);
  if (style.output == DateOutput::kPostgres) {
    to.append(kDays[static_cast<std::size_t>(
        day_of_week(julian_of(civil.year, civil.month, civil.day)))]);
    to.push_back(' ');
    const std::string_view month = kMonths[static_cast<std::size_t>(civil.month - 1)];
    if (style.order == DateOrder::kDayMonthYear) {
      append_padded(to, civil.day, 2);
      to.push_back(' ');
      to.append(month);
    } else {
      to.append(month);
      to.push_back(' ');
      append_padded(to, civil.day, 2);
    }
    to.push_back(' ');
    append_clock(to, civil);
    to.push_back(' ');
    append_year(to, civil);
  } else {
    append_date_part(to, civil, style);
    to.push_back(' ');
    append_clock(to, civil);
  }
  if (zone != nullptr) {
    const bool named = style.output != DateOutput::kIso && !local.abbreviation.empty();
    if (named || style.output == DateOutput::kPostgres) to.push_back(' ');
    if (named)
      to.append(local.abbreviation);
    else
      append_offset(to, local.offset);
  }
  append_era(to, civil);
}

void append_interval(Interval interval, std::string& to) {
  bool zero = true;
  bool before = false;  // the field before was negative
  const auto append_part = [&](std::int64_t value, std::string_view unit) {
    if (value == 0) return;
    if (!zero) to.push_back(' ');
    if (before && value > 0) to.push_back('+');
    to.append(std::to_string(value));
    to.push_back(' ');
    to.append(unit);
    if (value != 1) to.push_back('s');
    before = value < 0;
    zero = false;
  };
  append_part(interval.months / 12, "year");
  append_part(interval.months % 12, "mon");
  append_part(interval.days, "day");
  if (!zero && interval.us == 0) return;
  if (!zero) to.push_back(' ');
  if (interval.us < 0)
    to.push_back('-');
  else if (before)
    to.push_back('+');
  const std::uint64_t us = interval.us < 0 ? -static_cast<std::uint64_t>(interval.us)
                                           : static_cast<std::uint64_t>(interval.us);
  append_padded(to, static_cast<std::int64_t>(us / kUsPerHour), 2);
  to.push_back(':');
  append_padded(to, static_cast<std::int64_t>(us / kUsPerMinute % 60), 2);
  to.push_back(':');
  append_padded(to, static_cast<std::int64_t>(us / kUsPerSecond % 60), 2);
  append_fraction(to, static_cast<std::int32_t>(us % kUsPerSecond));
}

}  // namespace coppice::sql_datetime
