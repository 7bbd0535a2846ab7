// arithmetic.cpp — the functions behind + - * / of dates, times, timestamps and intervals.
//
// Source:   PostgreSQL 15, date.c and timestamp.c.
#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kDate;
using type_oid::kFloat8;
using type_oid::kInt4;
using type_oid::kInterval;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

using Date = std::int32_t;
using Stamp = std::int64_t;

std::unexpected<Error> fault(Fault what) {
  return std::unexpected(fault_error(what));
}
std::unexpected<Error> refuse_infinite(std::string_view what) {
  return std::unexpected(sql_error("22008", "cannot subtract infinite " + std::string(what)));
}

Status put(Int128& to, const std::optional<Interval>& value) {
  if (!value) return fault(Fault::kIntervalRange);
  to = interval_bits(*value);
  return {};
}

// --- dates ---------------------------------------------------------------------------------------

Status move_date(Date& to, Date date, std::int64_t days) {
  to = date;
  if (!is_finite(date)) return {};
  const std::int64_t moved = date + days;
  if (!is_valid_date(moved)) return fault(Fault::kDateRange);
  to = static_cast<Date>(moved);
  return {};
}
Status date_plus_days(Date& to, Date date, std::int32_t days) {
  return move_date(to, date, days);
}
Status date_minus_days(Date& to, Date date, std::int32_t days) {
  return move_date(to, date, -std::int64_t{days});
}
Status days_plus_date(Date& to, std::int32_t days, Date date) {
  return move_date(to, date, days);
}
Status date_minus_date(std::int32_t& to, Date a, Date b) {
  if (!is_finite(a) || !is_finite(b)) return refuse_infinite("dates");
  to = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
  return {};
}

Status move_stamp(Stamp& to, Stamp stamp, Interval by, const Zone* zone) {
  to = COPPICE_TRY(add_to_timestamp(stamp, by, zone));
  return {};
}
// PostgreSQL negates part by part; the most negative one would not fit.
Status move_stamp_back(Stamp& to, Stamp stamp, Interval by, const Zone* zone) {
  if (!is_finite(stamp)) {
    to = stamp;
    return {};
  }
  const std::optional<Interval> negated = negate(by);
  if (!negated) return fault(Fault::kIntervalRange);
  return move_stamp(to, stamp, *negated, zone);
}
Status date_plus_interval(Stamp& to, Date date, Int128 by) {
  const Stamp stamp = COPPICE_TRY(timestamp_of_date(date));
  return move_stamp(to, stamp, interval_of(by), nullptr);
}
Status date_minus_interval(Stamp& to, Date date, Int128 by) {
  const Stamp stamp = COPPICE_TRY(timestamp_of_date(date));
  return move_stamp_back(to, stamp, interval_of(by), nullptr);
}
Status interval_plus_date(Stamp& to, Int128 by, Date date) {
  return date_plus_interval(to, date, by);
}
Status date_plus_time(Stamp& to, Date date, std::int64_t time) {
  to = COPPICE_TRY(timestamp_of_date(date));
  if (!is_finite(to)) return {};
  to += time;
  if (!is_valid_timestamp(to)) return fault(Fault::kTimestampRange);
  return {};
}
Status time_plus_date(Stamp& to, std::int64_t time, Date date) {
  return date_plus_time(to, date, time);
}

// --- times of day --------------------------------------------------------------------------------

// Sums wrap, as PostgreSQL lets them.
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
Status time_plus_interval(std::int64_t& to, std::int64_t time, Int128 by) {
  to = time_of_day(wrapping_sum(time, interval_of(by).us));
  return {};
}
Status time_minus_interval(std::int64_t& to, std::int64_t time, Int128 by) {
  const auto negated = static_cast<std::int64_t>(-static_cast<std::uint64_t>(interval_of(by).us));
  to = time_of_day(wrapping_sum(time, negated));
  return {};
}
Status interval_plus_time(std::int64_t& to, Int128 by, std::int64_t time) {
  return time_plus_interval(to, time, by);
}
Status time_minus_time(Int128& to, std::int64_t a, std::int64_t b) {
  to = interval_bits({0, 0, a - b});
  return {};
}

// --- timestamps ----------------------------------------------------------------------------------

Status stamp_plus_interval(Stamp& to, Stamp stamp, Int128 by) {
  return move_stamp(to, stamp, interval_of(by), nullptr);
}
Status stamp_minus_interval(Stamp& to, Stamp stamp, Int128 by) {
  return move_stamp_back(to, stamp, interval_of(by), nullptr);
}
Status interval_plus_stamp(Stamp& to, Int128 by, Stamp stamp) {
  return stamp_plus_interval(to, stamp, by);
}
Status zoned_plus_interval(CallContext& context, Stamp& to, Stamp stamp, Int128 by) {
  const ZoneRef zone = session_zone(context.settings().time_zone);
  return move_stamp(to, stamp, interval_of(by), zone.get());
}
Status zoned_minus_interval(CallContext& context, Stamp& to, Stamp stamp, Int128 by) {
  const ZoneRef zone = session_zone(context.settings().time_zone);
  return move_stamp_back(to, stamp, interval_of(by), zone.get());
}
Status interval_plus_zoned(CallContext& context, Stamp& to, Int128 by, Stamp stamp) {
  return zoned_plus_interval(context, to, stamp, by);
}
Status stamp_minus_stamp(Int128& to, Stamp a, Stamp b) {
  if (!is_finite(a) || !is_finite(b)) return refuse_infinite("timestamps");
  Interval difference;  // wraps, as PostgreSQL lets it
  difference.us = static_cast<Stamp>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  to = interval_bits(justify_hours(difference));
  return {};
}

Status age_of_stamps(Int128& to, Stamp a, Stamp b) {
  if (!is_finite(a) || !is_finite(b)) return fault(Fault::kTimestampRange);
  to = interval_bits(age_between(a, b));
  return {};
}
Status age_of_zoned(CallContext& context, Int128& to, Stamp a, Stamp b) {
  if (!is_finite(a) || !is_finite(b)) return fault(Fault::kTimestampRange);
  const ZoneRef zone = session_zone(context.settings().time_zone);
  to = interval_bits(age_between(local_of(a, *zone), local_of(b, *zone)));
  return {};
}
// Since the midnight that began today.
Stamp today(CallContext& context, const Zone& zone) {
  return day_of(local_of(context.transaction_start().us - kUnixEpochUs, zone)) * kUsPerDay;
}
Status age_of_stamp(CallContext& context, Int128& to, Stamp stamp) {
  const ZoneRef zone = session_zone(context.settings().time_zone);
  return age_of_stamps(to, today(context, *zone), stamp);
}
Status age_of_instant(CallContext& context, Int128& to, Stamp stamp) {
  if (!is_finite(stamp)) return fault(Fault::kTimestampRange);
  const ZoneRef zone = session_zone(context.settings().time_zone);
  to = interval_bits(age_between(today(context, *zone), local_of(stamp, *zone)));
  return {};
}

// --- intervals -----------------------------------------------------------------------------------

Status interval_negated(Int128& to, Int128 value) {
  return put(to, negate(interval_of(value)));
}
Status interval_plus(Int128& to, Int128 a, Int128 b) {
  return put(to, add(interval_of(a), interval_of(b)));
}
Status interval_minus(Int128& to, Int128 a, Int128 b) {
  return put(to, subtract(interval_of(a), interval_of(b)));
}
Status interval_times(Int128& to, Int128 value, double factor) {
  return put(to, multiply(interval_of(value), factor));
}
Status times_interval(Int128& to, double factor, Int128 value) {
  return put(to, multiply(interval_of(value), factor));
}
Status interval_over(Int128& to, Int128 value, double divisor) {
  if (divisor == 0) return fault(Fault::kDivisionByZero);
  return put(to, divide(interval_of(value), divisor));
}
Status hours_justified(Int128& to, Int128 value) {
  const Interval interval = interval_of(value);
  std::int32_t days = 0;
  if (__builtin_add_overflow(interval.days, static_cast<std::int32_t>(interval.us / kUsPerDay),
                             &days))
    return fault(Fault::kIntervalRange);
  to = interval_bits(justify_hours(interval));
  return {};
}
Status days_justified(Int128& to, Int128 value) {
  return put(to, justify_days(interval_of(value)));
}
Status interval_justified(Int128& to, Int128 value) {
  return put(to, justify_interval(interval_of(value)));
}

constexpr Volatility kStable = Volatility::kStable;
constexpr std::array kFunctions = {
    FunctionRow{1141, "date_pli", kDate, {kDate, kInt4}, kCall<date_plus_days>},
    FunctionRow{1142, "date_mii", kDate, {kDate, kInt4}, kCall<date_minus_days>},
    FunctionRow{2550, "integer_pl_date", kDate, {kInt4, kDate}, kCall<days_plus_date>},
    FunctionRow{1140, "date_mi", kInt4, {kDate, kDate}, kCall<date_minus_date>},
    FunctionRow{
        2071, "date_pl_interval", kTimestamp, {kDate, kInterval}, kCall<date_plus_interval>},
    FunctionRow{
        2072, "date_mi_interval", kTimestamp, {kDate, kInterval}, kCall<date_minus_interval>},
    FunctionRow{
        2546, "interval_pl_date", kTimestamp, {kInterval, kDate}, kCall<interval_plus_date>},
    FunctionRow{1272, "datetime_pl", kTimestamp, {kDate, kTime}, kCall<date_plus_time>},
    FunctionRow{1296, "timedate_pl", kTimestamp, {kTime, kDate}, kCall<time_plus_date>},
    FunctionRow{1747, "time_pl_interval", kTime, {kTime, kInterval}, kCall<time_plus_interval>},
    FunctionRow{1748, "time_mi_interval", kTime, {kTime, kInterval}, kCall<time_minus_interval>},
    FunctionRow{1848, "interval_pl_time", kTime, {kInterval, kTime}, kCall<interval_plus_time>},
    FunctionRow{1690, "time_mi_time", kInterval, {kTime, kTime}, kCall<time_minus_time>},
    FunctionRow{2032,
                "timestamp_pl_interval",
                kTimestamp,
                {kTimestamp, kInterval},
                kCall<stamp_plus_interval>},
    FunctionRow{2033,
                "timestamp_mi_interval",
                kTimestamp,
                {kTimestamp, kInterval},
                kCall<stamp_minus_interval>},
    FunctionRow{2548,
                "interval_pl_timestamp",
                kTimestamp,
                {kInterval, kTimestamp},
                kCall<interval_plus_stamp>},
    FunctionRow{1189,
                "timestamptz_pl_interval",
                kTimestamptz,
                {kTimestamptz, kInterval},
                kCall<zoned_plus_interval>,
                kStable},
    FunctionRow{1190,
                "timestamptz_mi_interval",
                kTimestamptz,
                {kTimestamptz, kInterval},
                kCall<zoned_minus_interval>,
                kStable},
    FunctionRow{2549,
                "interval_pl_timestamptz",
                kTimestamptz,
                {kInterval, kTimestamptz},
                kCall<interval_plus_zoned>,
                kStable},
    FunctionRow{
        2031, "timestamp_mi", kInterval, {kTimestamp, kTimestamp}, kCall<stamp_minus_stamp>},
    FunctionRow{
        1188, "timestamptz_mi", kInterval, {kTimestamptz, kTimestamptz}, kCall<stamp_minus_stamp>},
    FunctionRow{2058, "age", kInterval, {kTimestamp, kTimestamp}, kCall<age_of_stamps>},
    FunctionRow{1199, "age", kInterval, {kTimestamptz, kTimestamptz}, kCall<age_of_zoned>},
    FunctionRow{2059, "age", kInterval, {kTimestamp}, kCall<age_of_stamp>, kStable},
    FunctionRow{1386, "age", kInterval, {kTimestamptz}, kCall<age_of_instant>, kStable},
    FunctionRow{1168, "interval_um", kInterval, {kInterval}, kCall<interval_negated>},
    FunctionRow{1169, "interval_pl", kInterval, {kInterval, kInterval}, kCall<interval_plus>},
    FunctionRow{1170, "interval_mi", kInterval, {kInterval, kInterval}, kCall<interval_minus>},
    FunctionRow{1618, "interval_mul", kInterval, {kInterval, kFloat8}, kCall<interval_times>},
    FunctionRow{1624, "mul_d_interval", kInterval, {kFloat8, kInterval}, kCall<times_interval>},
    FunctionRow{1326, "interval_div", kInterval, {kInterval, kFloat8}, kCall<interval_over>},
    FunctionRow{1175, "justify_hours", kInterval, {kInterval}, kCall<hours_justified>},
    FunctionRow{1295, "justify_days", kInterval, {kInterval}, kCall<days_justified>},
    FunctionRow{2711, "justify_interval", kInterval, {kInterval}, kCall<interval_justified>},
};

}  // namespace

void add_arithmetic(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_datetime
