// casts.cpp — casts among the pack's types, AT TIME ZONE, and what precision a cast asks for.
//
// Source:   PostgreSQL 15, date.c, timestamp.c.
#include <algorithm>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/modifier.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/output.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kDate;
using type_oid::kInt4;
using type_oid::kInterval;
using type_oid::kText;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

using Stamp = std::int64_t;

std::unexpected<Error> stamp_range() {
  return std::unexpected(fault_error(Fault::kTimestampRange));
}

Status stamp_of_date(Stamp& to, std::int32_t date) {
  to = COPPICE_TRY(timestamp_of_date(date));
  return {};
}
Status zoned_of_date(CallContext& context, Stamp& to, std::int32_t date) {
  to = COPPICE_TRY(instant_of_date(date, *session_zone(context.settings().time_zone)));
  return {};
}
Status date_of_stamp(std::int32_t& to, Stamp stamp) {
  if (stamp == kTimestampEarly)
    to = kDateEarly;
  else if (stamp == kTimestampLate)
    to = kDateLate;
  else
    to = static_cast<std::int32_t>(day_of(stamp));
  return {};
}
Status date_of_zoned(CallContext& context, std::int32_t& to, Stamp stamp) {
  if (is_finite(stamp)) stamp = local_of(stamp, *session_zone(context.settings().time_zone));
  return date_of_stamp(to, stamp);
}
Status from_zone(Stamp& to, Stamp local, const Zone& zone) {
  to = local;
  if (!is_finite(local)) return {};
  const auto instant = instant_of(local, zone);
  if (!instant) return stamp_range();
  to = *instant;
  return {};
}
Status stamp_of_zoned(CallContext& context, Stamp& to, Stamp stamp) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  to = local_of(stamp, *session_zone(context.settings().time_zone));
  return is_valid_timestamp(to) ? Status() : stamp_range();
}
Status zoned_of_stamp(CallContext& context, Stamp& to, Stamp stamp) {
  return from_zone(to, stamp, *session_zone(context.settings().time_zone));
}

using NullableTime = NullableValue<std::int64_t>;
Status time_of_stamp(NullableTime& to, Stamp stamp) {
  to.null = !is_finite(stamp);
  if (!to.null) to.value = time_of_day(stamp);
  return {};
}
Status time_of_zoned(CallContext& context, NullableTime& to, Stamp stamp) {
  if (is_finite(stamp)) stamp = local_of(stamp, *session_zone(context.settings().time_zone));
  return time_of_stamp(to, stamp);
}
Status time_of_interval(std::int64_t& to, Int128 interval) {
  to = time_of_day(interval_of(interval).us);
  return {};
}
Status interval_of_time(Int128& to, std::int64_t time) {
  to = interval_bits({0, 0, time});
  return {};
}

Status scaled_stamp(Stamp& to, Stamp stamp, std::int32_t modifier) {
  to = stamp;
  if (is_finite(stamp) && !round_to(to, modifier)) return stamp_range();
  return {};
}
Status scaled_time(std::int64_t& to, std::int64_t time, std::int32_t modifier) {
  to = time;
  round_to(to, modifier);
  return {};
}
Status scaled_interval(Int128& to, Int128 value, std::int32_t modifier) {
  Interval interval = interval_of(value);
  if (!fit_interval(interval, modifier)) return std::unexpected(fault_error(Fault::kIntervalRange));
  to = interval_bits(interval);
  return {};
}

// --- AT TIME ZONE --------------------------------------------------------------------------------

// `local`: the moment to be moved is a local time; else an instant.
Result<Stamp> move_zone(std::string_view name, Stamp stamp, bool local) {
  if (!is_finite(stamp)) return stamp;
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ascii_lower);
  std::optional<std::int32_t> offset;
  ZoneRef zone;
  if (const ZoneAbbreviation* const known = find_abbreviation(lower.substr(0, 10))) {
    if (known->zone.empty()) {
      offset = known->offset;
    } else {
      zone = COPPICE_TRY(zone_by_name(known->zone));
      const std::int64_t seconds = unix_seconds(stamp);
      std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      const Zone::Local* const meant = zone->find_abbreviation(
          lower, local ? seconds - zone->at_local(seconds).offset : seconds);
      if (meant != nullptr) offset = meant->offset;
    }
  } else {
    zone = COPPICE_TRY(zone_by_name(name));
  }
  if (!offset)
    offset =
        local ? zone->at_local(unix_seconds(stamp)).offset : zone->at(unix_seconds(stamp)).offset;
  const Stamp moved = stamp + (local ? -*offset : *offset) * kUsPerSecond;
  if (!is_valid_timestamp(moved)) return stamp_range();
  return moved;
}
Status zone_of_instant(Stamp& to, std::string_view name, Stamp stamp) {
  to = COPPICE_TRY(move_zone(name, stamp, false));
  return {};
}
Status zone_of_local(Stamp& to, std::string_view name, Stamp stamp) {
  to = COPPICE_TRY(move_zone(name, stamp, true));
  return {};
}

Result<std::int64_t> offset_of_interval(Int128 value) {
  const Interval interval = interval_of(value);
  if (interval.months == 0 && interval.days == 0) return interval.us / kUsPerSecond * kUsPerSecond;
  std::string text;
  append_interval(interval, text);
  return std::unexpected(
      sql_error("22023", "interval time zone \"" + text + "\" must not include months or days"));
}
Status offset_of_instant(Stamp& to, Int128 zone, Stamp stamp) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  const std::int64_t offset = COPPICE_TRY(offset_of_interval(zone));
  if (__builtin_add_overflow(stamp, offset, &to) || !is_valid_timestamp(to)) return stamp_range();
  return {};
}
Status offset_of_local(Stamp& to, Int128 zone, Stamp stamp) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  const std::int64_t offset = COPPICE_TRY(offset_of_interval(zone));
  if (__builtin_sub_overflow(stamp, offset, &to) || !is_valid_timestamp(to)) return stamp_range();
  return {};
}

constexpr Volatility kStable = Volatility::kStable;
constexpr std::array kFunctions = {
    FunctionRow{2024, "timestamp", kTimestamp, {kDate}, kCall<stamp_of_date>},
    FunctionRow{1174, "timestamptz", kTimestamptz, {kDate}, kCall<zoned_of_date>, kStable},
    FunctionRow{2029, "date", kDate, {kTimestamp}, kCall<date_of_stamp>},
    FunctionRow{1178, "date", kDate, {kTimestamptz}, kCall<date_of_zoned>, kStable},
    FunctionRow{2027, "timestamp", kTimestamp, {kTimestamptz}, kCall<stamp_of_zoned>, kStable},
    FunctionRow{2028, "timestamptz", kTimestamptz, {kTimestamp}, kCall<zoned_of_stamp>, kStable},
    FunctionRow{1316, "time", kTime, {kTimestamp}, kCall<time_of_stamp>},
    FunctionRow{2019, "time", kTime, {kTimestamptz}, kCall<time_of_zoned>, kStable},
    FunctionRow{1419, "time", kTime, {kInterval}, kCall<time_of_interval>},
    FunctionRow{1370, "interval", kInterval, {kTime}, kCall<interval_of_time>},
    FunctionRow{1961, "timestamp", kTimestamp, {kTimestamp, kInt4}, kCall<scaled_stamp>},
    FunctionRow{1967, "timestamptz", kTimestamptz, {kTimestamptz, kInt4}, kCall<scaled_stamp>},
    FunctionRow{1968, "time", kTime, {kTime, kInt4}, kCall<scaled_time>},
    FunctionRow{1200, "interval", kInterval, {kInterval, kInt4}, kCall<scaled_interval>},
    FunctionRow{1159, "timezone", kTimestamp, {kText, kTimestamptz}, kCall<zone_of_instant>},
    FunctionRow{2069, "timezone", kTimestamptz, {kText, kTimestamp}, kCall<zone_of_local>},
    FunctionRow{1026, "timezone", kTimestamp, {kInterval, kTimestamptz}, kCall<offset_of_instant>},
    FunctionRow{2070, "timezone", kTimestamptz, {kInterval, kTimestamp}, kCall<offset_of_local>},
};

constexpr CastContext kImplicit = CastContext::kImplicit;
constexpr CastContext kAssignment = CastContext::kAssignment;
constexpr std::array kCasts = {
    CastRow{kDate, kTimestamp, kImplicit, 2024},
    CastRow{kDate, kTimestamptz, kImplicit, 1174},
    CastRow{kTime, kTime, kImplicit, 1968},
    CastRow{kTime, kInterval, kImplicit, 1370},
    CastRow{kTimestamp, kDate, kAssignment, 2029},
    CastRow{kTimestamp, kTime, kAssignment, 1316},
    CastRow{kTimestamp, kTimestamp, kImplicit, 1961},
    CastRow{kTimestamp, kTimestamptz, kImplicit, 2028},
    CastRow{kTimestamptz, kDate, kAssignment, 1178},
    CastRow{kTimestamptz, kTime, kAssignment, 2019},
    CastRow{kTimestamptz, kTimestamp, kAssignment, 2027},
    CastRow{kTimestamptz, kTimestamptz, kImplicit, 1967},
    CastRow{kInterval, kTime, kAssignment, 1419},
    CastRow{kInterval, kInterval, kImplicit, 1200},
};

}  // namespace

void add_casts(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span<const CastRow>(kCasts));
}

}  // namespace coppice::sql_datetime
