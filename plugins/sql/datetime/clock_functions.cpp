// clock_functions.cpp — now() and relatives; make_date() and relatives; isfinite.
//
// Source:   PostgreSQL 15, date.c, timestamp.c.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kBool;
using type_oid::kDate;
using type_oid::kFloat8;
using type_oid::kInt4;
using type_oid::kInterval;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

using Int = std::int32_t;
using Stamp = std::int64_t;

template <WallTime (CallContext::*kClock)() const>
Status clock_kernel(CallContext& context, std::span<const Vector>, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  const Stamp now = (context.*kClock)().us - kUnixEpochUs;
  return each_fixed<Stamp>(rows, size, out, [&](std::uint32_t, Stamp& to) -> Status {
    to = now;
    return {};
  });
}

std::string two_digits(Int n) {
  const std::string digits = std::to_string(n);
  return digits.size() < 2 ? "0" + digits : digits;
}

// As printf("%02g").
std::string seconds_text(double seconds) {
  if (std::isnan(seconds)) return "NaN";
  if (std::isinf(seconds)) return seconds > 0 ? "Infinity" : "-Infinity";
  std::array<char, 40> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::general, 6)
          .ptr;
  std::string out(text.data(), end);
  return out.size() < 2 ? "0" + out : out;
}

Status check_date(Civil& civil) {
  const Int given = civil.year;
  const bool before_christ = civil.year < 0;
  if (before_christ && civil.year != std::numeric_limits<Int>::min()) civil.year = -civil.year;
  const auto refuse = [&] {
    return std::unexpected(
        sql_error("22008", "date field value out of range: " + std::to_string(given) + "-" +
                               two_digits(civil.month) + "-" + two_digits(civil.day)));
  };
  if (civil.year <= 0) return refuse();
  if (before_christ) civil.year = -(civil.year - 1);
  if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > 31 ||
      civil.day > days_in_month(civil.year, civil.month))
    return refuse();
  return {};
}

Status check_time(Int hour, Int minute, double seconds, std::int64_t& us) {
  const double rounded = std::rint(seconds * 1e6);
  const bool fits = hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && seconds >= 0 &&
                    seconds <= 60 && rounded <= 60e6;
  if (fits) us = (hour * 60 + minute) * kUsPerMinute + static_cast<std::int64_t>(rounded);
  if (fits && us <= kUsPerDay) return {};
  return std::unexpected(
      sql_error("22008", "time field value out of range: " + std::to_string(hour) + ":" +
                             two_digits(minute) + ":" + seconds_text(seconds)));
}

Status make_date(Int& to, Int year, Int month, Int day) {
  Civil civil{.year = year, .month = month, .day = day};
  COPPICE_TRY(check_date(civil));
  const std::int64_t date =
      is_valid_julian(civil.year, civil.month)
          ? std::int64_t{julian_of(civil.year, civil.month, civil.day)} - kEpochJulian
          : kDateLate;
  if (!is_valid_date(date))
    return std::unexpected(sql_error("22008", "date out of range: " + std::to_string(civil.year) +
                                                  "-" + two_digits(month) + "-" + two_digits(day)));
  to = static_cast<Int>(date);
  return {};
}

Status make_time(std::int64_t& to, Int hour, Int minute, double seconds) {
  return check_time(hour, minute, seconds, to);
}

Status make_timestamp(Stamp& to, Int year, Int month, Int day, Int hour, Int minute,
                      double seconds) {
  Civil civil{.year = year, .month = month, .day = day};
  COPPICE_TRY(check_date(civil));
  std::int64_t time = 0;
  COPPICE_TRY(check_time(hour, minute, seconds, time));
  const std::optional<Stamp> midnight = timestamp_of(civil);
  if (midnight && is_valid_timestamp(*midnight + time)) {
    to = *midnight + time;
    return {};
  }
  return std::unexpected(sql_error("22008", "timestamp out of range: " + std::to_string(year) +
                                                "-" + two_digits(month) + "-" + two_digits(day) +
                                                " " + std::to_string(hour) + ":" +
                                                two_digits(minute) + ":" + seconds_text(seconds)));
}

Status make_timestamptz(CallContext& context, Stamp& to, Int year, Int month, Int day, Int hour,
                        Int minute, double seconds) {
  Stamp local = 0;
  COPPICE_TRY(make_timestamp(local, year, month, day, hour, minute, seconds));
  const auto instant = instant_of(local, *session_zone(context.settings().time_zone));
  if (!instant) return std::unexpected(fault_error(Fault::kTimestampRange));
  to = *instant;
  return {};
}

Status make_interval(Int128& to, Int years, Int months, Int weeks, Int days, Int hours, Int minutes,
                     double seconds) {
  const std::int64_t all_months = std::int64_t{years} * 12 + months;
  const std::int64_t all_days = std::int64_t{weeks} * 7 + days;
  const double us = std::rint(seconds * 1e6);
  Interval value{static_cast<Int>(all_months), static_cast<Int>(all_days), 0};
  if (!std::isfinite(seconds) || std::abs(us) >= 9.2e18 || value.months != all_months ||
      value.days != all_days ||
      __builtin_add_overflow(hours * kUsPerHour + minutes * kUsPerMinute,
                             static_cast<std::int64_t>(us), &value.us))
    return std::unexpected(fault_error(Fault::kIntervalRange));
  to = interval_bits(value);
  return {};
}

Status to_timestamp(Stamp& to, double seconds) {
  if (std::isnan(seconds)) return std::unexpected(sql_error("22008", "timestamp cannot be NaN"));
  if (std::isinf(seconds)) {
    to = seconds > 0 ? kTimestampLate : kTimestampEarly;
    return {};
  }
  const auto refuse = [&] {
    return std::unexpected(
        sql_error("22008", "timestamp out of range: \"" + seconds_text(seconds) + "\""));
  };
  constexpr double kMin = -210866803200.0, kEnd = 9224318016000.0;  // in Unix time
  if (seconds < kMin || seconds >= kEnd) return refuse();
  const double us = std::rint((seconds - static_cast<double>(kUnixEpochUs / kUsPerSecond)) * 1e6);
  to = static_cast<Stamp>(us);
  if (!is_valid_timestamp(to)) return refuse();
  return {};
}

Status date_is_finite(bool& to, Int date) {
  to = is_finite(date);
  return {};
}
Status stamp_is_finite(bool& to, Stamp stamp) {
  to = is_finite(stamp);
  return {};
}
Status interval_is_finite(bool& to, Int128) {
  to = true;
  return {};
}

constexpr Volatility kStable = Volatility::kStable;
constexpr ScalarKernel kNow = clock_kernel<&CallContext::transaction_start>;
constexpr std::array kFunctions = {
    FunctionRow{1299, "now", kTimestamptz, {}, kNow, kStable},
    FunctionRow{2647, "transaction_timestamp", kTimestamptz, {}, kNow, kStable},
    FunctionRow{2648,
                "statement_timestamp",
                kTimestamptz,
                {},
                clock_kernel<&CallContext::statement_start>,
                kStable},
    FunctionRow{2649,
                "clock_timestamp",
                kTimestamptz,
                {},
                clock_kernel<&CallContext::clock_now>,
                Volatility::kVolatile},
    FunctionRow{3846, "make_date", kDate, {kInt4, kInt4, kInt4}, kCall<make_date>},
    FunctionRow{3847, "make_time", kTime, {kInt4, kInt4, kFloat8}, kCall<make_time>},
    FunctionRow{3461,
                "make_timestamp",
                kTimestamp,
                {kInt4, kInt4, kInt4, kInt4, kInt4, kFloat8},
                kCall<make_timestamp>},
    FunctionRow{3462,
                "make_timestamptz",
                kTimestamptz,
                {kInt4, kInt4, kInt4, kInt4, kInt4, kFloat8},
                kCall<make_timestamptz>,
                kStable},
    FunctionRow{1158, "to_timestamp", kTimestamptz, {kFloat8}, kCall<to_timestamp>},
    FunctionRow{1373, "isfinite", kBool, {kDate}, kCall<date_is_finite>},
    FunctionRow{2048, "isfinite", kBool, {kTimestamp}, kCall<stamp_is_finite>},
    FunctionRow{1389, "isfinite", kBool, {kTimestamptz}, kCall<stamp_is_finite>},
    FunctionRow{1390, "isfinite", kBool, {kInterval}, kCall<interval_is_finite>},
};

}  // namespace

void add_clock_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  SqlFunction function;  // one argument more than a row holds
  function.oid = 3464;
  function.name = "make_interval";
  function.arguments = {kInt4, kInt4, kInt4, kInt4, kInt4, kInt4, kFloat8};
  function.result = kInterval;
  function.kernel = kCall<make_interval>;
  registry.add(std::move(function));
}

}  // namespace coppice::sql_datetime
