// comparisons.cpp — = <> < <= > >= of dates, times, timestamps and intervals, also across types.
//
// Source:   PostgreSQL 15, date.c, timestamp.c: a date beyond the range of timestamps is still
//           before infinity.
#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kBool;
using type_oid::kDate;
using type_oid::kInterval;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

// Microseconds, wide enough for every date; infinities are beyond them all.
constexpr Int128 kInfinite = Int128{1} << 100;

Int128 place_of_timestamp(std::int64_t timestamp) {
  if (timestamp == kTimestampEarly) return -kInfinite;
  return timestamp == kTimestampLate ? kInfinite : Int128{timestamp};
}
Int128 place_of_date(std::int32_t date) {
  if (date == kDateEarly) return -kInfinite;
  return date == kDateLate ? kInfinite : Int128{date} * kUsPerDay;
}
// Where a local time is on the line of instants.
Int128 place_in_zone(Int128 local, const Zone& zone) {
  if (local == kInfinite || local == -kInfinite) return local;
  if (local >= kTimestampEnd || local < kTimestampMin) return local;
  return local -
         zone.at_local(unix_seconds(static_cast<std::int64_t>(local))).offset * kUsPerSecond;
}

template <class Op>
Status compare_date(bool& to, std::int32_t date, std::int64_t timestamp) {
  to = Op::apply(place_of_date(date), place_of_timestamp(timestamp));
  return {};
}
template <class Op>
Status compare_with_date(bool& to, std::int64_t timestamp, std::int32_t date) {
  to = Op::apply(place_of_timestamp(timestamp), place_of_date(date));
  return {};
}
template <class Op>
Status compare_spans(bool& to, Int128 a, Int128 b) {
  to = Op::apply(span_of(interval_of(a)), span_of(interval_of(b)));
  return {};
}
template <class Op>
constexpr ScalarKernel kDates = kCall<compare_date<Op>>;
template <class Op>
constexpr ScalarKernel kDatesBehind = kCall<compare_with_date<Op>>;
template <class Op>
constexpr ScalarKernel kSpans = kCall<compare_spans<Op>>;

enum class Side : std::uint8_t { kMidnight, kLocal, kInstant };
constexpr Side kDateSide = Side::kMidnight, kLocalSide = Side::kLocal,
               kInstantSide = Side::kInstant;

template <Side kSide>
Int128 place(const Vector& values, std::uint32_t row, const Zone& zone) {
  const std::int64_t value = values.int_at(row);
  if constexpr (kSide == Side::kInstant) return place_of_timestamp(value);
  if constexpr (kSide == Side::kLocal) return place_in_zone(place_of_timestamp(value), zone);
  return place_in_zone(place_of_date(static_cast<std::int32_t>(value)), zone);
}

template <class Op, Side kLeft, Side kRight>
Status compare_zoned(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
  const ZoneRef zone = session_zone(context.settings().time_zone);
  return each_fixed<bool>(rows, size, out, [&](std::uint32_t row, bool& to) -> Status {
    to = Op::apply(place<kLeft>(arguments[0], row, *zone), place<kRight>(arguments[1], row, *zone));
    return {};
  });
}
template <class Op, Side kLeft, Side kRight>
constexpr ScalarKernel kZoned = compare_zoned<Op, kLeft, kRight>;

constexpr Volatility kStable = Volatility::kStable;
constexpr std::array kFunctions = {
    FunctionRow{1087,
                "date_lt",
                kBool,
                {kDate, kDate},
                fixed_kernel<Less, bool, std::int32_t, std::int32_t>},
    FunctionRow{1088,
                "date_le",
                kBool,
                {kDate, kDate},
                fixed_kernel<LessEqual, bool, std::int32_t, std::int32_t>},
    FunctionRow{1091,
                "date_ne",
                kBool,
                {kDate, kDate},
                fixed_kernel<NotEqual, bool, std::int32_t, std::int32_t>},
    FunctionRow{1086,
                "date_eq",
                kBool,
                {kDate, kDate},
                fixed_kernel<Equal, bool, std::int32_t, std::int32_t>},
    FunctionRow{1089,
                "date_gt",
                kBool,
                {kDate, kDate},
                fixed_kernel<Greater, bool, std::int32_t, std::int32_t>},
    FunctionRow{1090,
                "date_ge",
                kBool,
                {kDate, kDate},
                fixed_kernel<GreaterEqual, bool, std::int32_t, std::int32_t>},
    FunctionRow{2338, "date_lt_timestamp", kBool, {kDate, kTimestamp}, kDates<Less>},
    FunctionRow{2339, "date_le_timestamp", kBool, {kDate, kTimestamp}, kDates<LessEqual>},
    FunctionRow{2343, "date_ne_timestamp", kBool, {kDate, kTimestamp}, kDates<NotEqual>},
    FunctionRow{2340, "date_eq_timestamp", kBool, {kDate, kTimestamp}, kDates<Equal>},
    FunctionRow{2341, "date_gt_timestamp", kBool, {kDate, kTimestamp}, kDates<Greater>},
    FunctionRow{2342, "date_ge_timestamp", kBool, {kDate, kTimestamp}, kDates<GreaterEqual>},
    FunctionRow{2351,
                "date_lt_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<Less, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{2352,
                "date_le_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<LessEqual, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{2356,
                "date_ne_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<NotEqual, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{2353,
                "date_eq_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<Equal, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{2354,
                "date_gt_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<Greater, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{2355,
                "date_ge_timestamptz",
                kBool,
                {kDate, kTimestamptz},
                kZoned<GreaterEqual, kDateSide, kInstantSide>,
                kStable},
    FunctionRow{1102,
                "time_lt",
                kBool,
                {kTime, kTime},
                fixed_kernel<Less, bool, std::int64_t, std::int64_t>},
    FunctionRow{1103,
                "time_le",
                kBool,
                {kTime, kTime},
                fixed_kernel<LessEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{1106,
                "time_ne",
                kBool,
                {kTime, kTime},
                fixed_kernel<NotEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{1145,
                "time_eq",
                kBool,
                {kTime, kTime},
                fixed_kernel<Equal, bool, std::int64_t, std::int64_t>},
    FunctionRow{1104,
                "time_gt",
                kBool,
                {kTime, kTime},
                fixed_kernel<Greater, bool, std::int64_t, std::int64_t>},
    FunctionRow{1105,
                "time_ge",
                kBool,
                {kTime, kTime},
                fixed_kernel<GreaterEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{2364, "timestamp_lt_date", kBool, {kTimestamp, kDate}, kDatesBehind<Less>},
    FunctionRow{2365, "timestamp_le_date", kBool, {kTimestamp, kDate}, kDatesBehind<LessEqual>},
    FunctionRow{2369, "timestamp_ne_date", kBool, {kTimestamp, kDate}, kDatesBehind<NotEqual>},
    FunctionRow{2366, "timestamp_eq_date", kBool, {kTimestamp, kDate}, kDatesBehind<Equal>},
    FunctionRow{2367, "timestamp_gt_date", kBool, {kTimestamp, kDate}, kDatesBehind<Greater>},
    FunctionRow{2368, "timestamp_ge_date", kBool, {kTimestamp, kDate}, kDatesBehind<GreaterEqual>},
    FunctionRow{2054,
                "timestamp_lt",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<Less, bool, std::int64_t, std::int64_t>},
    FunctionRow{2055,
                "timestamp_le",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<LessEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{2053,
                "timestamp_ne",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<NotEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{2052,
                "timestamp_eq",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<Equal, bool, std::int64_t, std::int64_t>},
    FunctionRow{2057,
                "timestamp_gt",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<Greater, bool, std::int64_t, std::int64_t>},
    FunctionRow{2056,
                "timestamp_ge",
                kBool,
                {kTimestamp, kTimestamp},
                fixed_kernel<GreaterEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{2520,
                "timestamp_lt_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<Less, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2521,
                "timestamp_le_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<LessEqual, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2525,
                "timestamp_ne_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<NotEqual, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2522,
                "timestamp_eq_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<Equal, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2523,
                "timestamp_gt_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<Greater, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2524,
                "timestamp_ge_timestamptz",
                kBool,
                {kTimestamp, kTimestamptz},
                kZoned<GreaterEqual, kLocalSide, kInstantSide>,
                kStable},
    FunctionRow{2377,
                "timestamptz_lt_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<Less, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2378,
                "timestamptz_le_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<LessEqual, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2382,
                "timestamptz_ne_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<NotEqual, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2379,
                "timestamptz_eq_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<Equal, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2380,
                "timestamptz_gt_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<Greater, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2381,
                "timestamptz_ge_date",
                kBool,
                {kTimestamptz, kDate},
                kZoned<GreaterEqual, kInstantSide, kDateSide>,
                kStable},
    FunctionRow{2527,
                "timestamptz_lt_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<Less, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{2528,
                "timestamptz_le_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<LessEqual, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{2532,
                "timestamptz_ne_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<NotEqual, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{2529,
                "timestamptz_eq_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<Equal, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{2530,
                "timestamptz_gt_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<Greater, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{2531,
                "timestamptz_ge_timestamp",
                kBool,
                {kTimestamptz, kTimestamp},
                kZoned<GreaterEqual, kInstantSide, kLocalSide>,
                kStable},
    FunctionRow{1154,
                "timestamptz_lt",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<Less, bool, std::int64_t, std::int64_t>},
    FunctionRow{1155,
                "timestamptz_le",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<LessEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{1153,
                "timestamptz_ne",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<NotEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{1152,
                "timestamptz_eq",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<Equal, bool, std::int64_t, std::int64_t>},
    FunctionRow{1157,
                "timestamptz_gt",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<Greater, bool, std::int64_t, std::int64_t>},
    FunctionRow{1156,
                "timestamptz_ge",
                kBool,
                {kTimestamptz, kTimestamptz},
                fixed_kernel<GreaterEqual, bool, std::int64_t, std::int64_t>},
    FunctionRow{1164, "interval_lt", kBool, {kInterval, kInterval}, kSpans<Less>},
    FunctionRow{1165, "interval_le", kBool, {kInterval, kInterval}, kSpans<LessEqual>},
    FunctionRow{1163, "interval_ne", kBool, {kInterval, kInterval}, kSpans<NotEqual>},
    FunctionRow{1162, "interval_eq", kBool, {kInterval, kInterval}, kSpans<Equal>},
    FunctionRow{1167, "interval_gt", kBool, {kInterval, kInterval}, kSpans<Greater>},
    FunctionRow{1166, "interval_ge", kBool, {kInterval, kInterval}, kSpans<GreaterEqual>},
};

}  // namespace

void add_comparisons(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_datetime
