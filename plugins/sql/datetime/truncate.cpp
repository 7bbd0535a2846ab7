// truncate.cpp — date_trunc().
//
// Source:   PostgreSQL 15, timestamp_trunc(), timestamptz_trunc_internal(), interval_trunc().
#include <algorithm>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/units.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kInterval;
using type_oid::kText;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

using Stamp = std::int64_t;

// The first year of the millennium, century or decade; there is no year 0.
std::int32_t first_year(std::int32_t year, std::int32_t size) {
  if (size == 10) return year > 0 ? year / 10 * 10 : -((8 - (year - 1)) / 10) * 10;
  return year > 0 ? (year + size - 1) / size * size - (size - 1)
                  : -((size - 1 - (year - 1)) / size) * size + 1;
}

// False: no unit to cut at.
bool truncate(Civil& civil, Unit unit) {
  switch (unit) {
    case Unit::kWeek: {
      const std::int32_t julian = julian_of(civil.year, civil.month, civil.day);
      set_date(civil, julian - (day_of_week(julian) + 6) % 7);
      break;
    }
    case Unit::kMillennium:
      civil.year = first_year(civil.year, 1000);
      break;
    case Unit::kCentury:
      civil.year = first_year(civil.year, 100);
      break;
    case Unit::kDecade:
      civil.year = first_year(civil.year, 10);
      break;
    case Unit::kYear:
    case Unit::kQuarter:
    case Unit::kMonth:
    case Unit::kDay:
    case Unit::kHour:
    case Unit::kMinute:
    case Unit::kSecond:
    case Unit::kMillisecond:
    case Unit::kMicrosecond:
      break;
    default:
      return false;
  }
  const bool year = unit >= Unit::kYear && unit <= Unit::kMillennium;
  if (year) civil.month = 1;
  if (unit == Unit::kQuarter) civil.month = (civil.month - 1) / 3 * 3 + 1;
  if (year || unit == Unit::kQuarter || unit == Unit::kMonth) civil.day = 1;
  if (unit >= Unit::kDay) civil.hour = 0;
  if (unit >= Unit::kHour) civil.minute = 0;
  if (unit >= Unit::kMinute) civil.second = 0;
  if (unit >= Unit::kSecond) civil.us = 0;
  if (unit == Unit::kMillisecond) civil.us = civil.us / 1000 * 1000;
  return true;
}

// The local time that is left; it may be out of range.
Result<Stamp> truncated(std::string_view name, Stamp stamp, std::string_view type) {
  const UnitName unit = unit_of(name, UnitWords::kUnitsOnly);
  if (!unit.known) return std::unexpected(unit_not_recognized(unit, type));
  Civil civil = civil_of_timestamp(stamp);
  if (!truncate(civil, unit.unit)) return std::unexpected(unit_not_supported(unit, type));
  if (is_valid_julian(civil.year, civil.month)) return unchecked_timestamp_of(civil);
  return std::unexpected(fault_error(Fault::kTimestampRange));
}

Status check_range(Stamp stamp) {
  if (is_valid_timestamp(stamp)) return {};
  return std::unexpected(fault_error(Fault::kTimestampRange));
}

Status stamp_trunc(Stamp& to, std::string_view unit, Stamp stamp) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  to = COPPICE_TRY(truncated(unit, stamp, "timestamp without time zone"));
  return check_range(to);
}

Status trunc_in_zone(Stamp& to, std::string_view name, Stamp stamp, const Zone& zone) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  const Stamp local = local_of(stamp, zone);
  const Stamp cut = COPPICE_TRY(truncated(name, local, "timestamp with time zone"));
  // Within a day the offset stays what it was: the hour that occurs twice is kept apart.
  const bool within_day = unit_of(name, UnitWords::kUnitsOnly).unit < Unit::kDay;
  to = cut - (within_day ? local - stamp : zone.at_local(unix_seconds(cut)).offset * kUsPerSecond);
  return check_range(to);
}
Status zoned_trunc(CallContext& context, Stamp& to, std::string_view unit, Stamp stamp) {
  return trunc_in_zone(to, unit, stamp, *session_zone(context.settings().time_zone));
}
Status zoned_trunc_in(Stamp& to, std::string_view unit, Stamp stamp, std::string_view name) {
  to = stamp;
  if (!is_finite(stamp)) return {};
  const ZoneRef zone = COPPICE_TRY(zone_by_name(name));
  return trunc_in_zone(to, unit, stamp, *zone);
}

Status interval_trunc(Int128& to, std::string_view name, Int128 value) {
  const UnitName unit = unit_of(name, UnitWords::kUnitsOnly);
  if (!unit.known) return std::unexpected(unit_not_recognized(unit, "interval"));
  Interval interval = interval_of(value);
  const auto cut = [](auto& part, auto size) { part = part / size * size; };
  switch (unit.unit) {
    case Unit::kMillennium:
      cut(interval.months, 12000);
      break;
    case Unit::kCentury:
      cut(interval.months, 1200);
      break;
    case Unit::kDecade:
      cut(interval.months, 120);
      break;
    case Unit::kYear:
      cut(interval.months, 12);
      break;
    case Unit::kQuarter:
      cut(interval.months, 3);
      break;
    case Unit::kMonth:
    case Unit::kDay:
      break;
    case Unit::kHour:
      cut(interval.us, kUsPerHour);
      break;
    case Unit::kMinute:
      cut(interval.us, kUsPerMinute);
      break;
    case Unit::kSecond:
      cut(interval.us, kUsPerSecond);
      break;
    case Unit::kMillisecond:
      cut(interval.us, std::int64_t{1000});
      break;
    case Unit::kMicrosecond:
      break;
    default: {
      Error error = unit_not_supported(unit, "interval");
      if (unit.unit == Unit::kWeek)
        error = std::move(error).note(sql_field::kDetail, "Months usually have fractional weeks.");
      return std::unexpected(std::move(error));
    }
  }
  if (unit.unit >= Unit::kDay) interval.us = 0;
  if (unit.unit >= Unit::kMonth) interval.days = 0;
  to = interval_bits(interval);
  return {};
}

constexpr std::array kFunctions = {
    FunctionRow{2020, "date_trunc", kTimestamp, {kText, kTimestamp}, kCall<stamp_trunc>},
    FunctionRow{1217,
                "date_trunc",
                kTimestamptz,
                {kText, kTimestamptz},
                kCall<zoned_trunc>,
                Volatility::kStable},
    FunctionRow{1284,
                "date_trunc",
                kTimestamptz,
                {kText, kTimestamptz, kText},
                kCall<zoned_trunc_in>,
                Volatility::kStable},
    FunctionRow{1218, "date_trunc", kInterval, {kText, kInterval}, kCall<interval_trunc>},
};

}  // namespace

void add_truncation(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_datetime
