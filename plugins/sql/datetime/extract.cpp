// extract.cpp — extract() as numeric, date_part() as float8.
//
// Source:   PostgreSQL 15, timestamp_part_common(), extract_date(), interval_part_common(),
//           time_part_common().
#include <algorithm>
#include <limits>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/numeric_bytes.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/units.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kDate;
using type_oid::kFloat8;
using type_oid::kInterval;
using type_oid::kNumeric;
using type_oid::kText;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

// A part on its way to either type: a number of 10^-scale, or no finite number.
struct Part {
  enum class Kind : std::uint8_t { kNumber, kNull, kInfinity, kNegativeInfinity };
  Kind kind = Kind::kNumber;
  Int128 unscaled = 0;
  unsigned scale = 0;
};
Part number(Int128 value, unsigned scale = 0) {
  return {Part::Kind::kNumber, value, scale};
}

std::int32_t display_year(std::int32_t year) {
  return year > 0 ? year : year - 1;
}
std::int32_t decade(std::int32_t year) {
  return year >= 0 ? year / 10 : -((8 - (year - 1)) / 10);
}
// Century and millennium: counted from 1, and there is no 0.
std::int32_t period(std::int32_t year, std::int32_t size) {
  return year > 0 ? (year + size - 1) / size : -((size - 1 - (year - 1)) / size);
}

// What a date alone knows; none: not a part of a date.
std::optional<Part> part_of_date(Unit unit, const Civil& civil) {
  const std::int32_t julian = julian_of(civil.year, civil.month, civil.day);
  switch (unit) {
    case Unit::kDay:
      return number(civil.day);
    case Unit::kMonth:
      return number(civil.month);
    case Unit::kQuarter:
      return number((civil.month - 1) / 3 + 1);
    case Unit::kWeek:
      return number(iso_week(civil));
    case Unit::kYear:
      return number(display_year(civil.year));
    case Unit::kDecade:
      return number(decade(civil.year));
    case Unit::kCentury:
      return number(period(civil.year, 100));
    case Unit::kMillennium:
      return number(period(civil.year, 1000));
    case Unit::kIsoYear:
      return number(display_year(iso_year(civil)));
    case Unit::kDayOfWeek:
      return number(day_of_week(julian));
    case Unit::kIsoDayOfWeek:
      return number((day_of_week(julian) + 6) % 7 + 1);
    case Unit::kDayOfYear:
      return number(day_of_year(civil));
    case Unit::kJulian:
      return number(julian);
    default:
      return {};
  }
}

std::optional<Part> part_of_clock(Unit unit, std::int64_t time) {
  switch (unit) {
    case Unit::kMicrosecond:
      return number(time % kUsPerMinute);
    case Unit::kMillisecond:
      return number(time % kUsPerMinute, 3);
    case Unit::kSecond:
      return number(time % kUsPerMinute, 6);
    case Unit::kMinute:
      return number(time / kUsPerMinute % 60);
    case Unit::kHour:
      return number(time / kUsPerHour);
    default:
      return {};
  }
}

// The day and its fraction, at the scale that PostgreSQL's division gives: 16 digits, and then to a
// multiple of four by the size of the dividend in base 10000.
Part julian_part(std::int32_t julian, std::int64_t time) {
  unsigned scale = 20;
  if (time < 100'000'000) scale = 24;
  if (time < 10'000) scale = 28;
  Int128 power = 1;
  for (unsigned i = 0; i < scale; ++i) power *= 10;
  // time × 10^scale passes 128 bits: divide in two steps of at most 10^14.
  Int128 quotient = 0;
  Int128 rest = time;
  for (unsigned left = scale; left > 0;) {
    const unsigned step = std::min(left, 14U);
    Int128 small = 1;
    for (unsigned i = 0; i < step; ++i) small *= 10;
    rest *= small;
    quotient = quotient * small + rest / kUsPerDay;
    rest %= kUsPerDay;
    left -= step;
  }
  if (rest * 2 >= kUsPerDay) ++quotient;
  return number(julian * power + quotient, scale);
}

enum class Precision : bool { kDays, kMicroseconds };

// Parts that grow with time are infinite where it is, the others are not known.
std::optional<Part> part_of_infinity(Unit unit, bool late, Precision precision) {
  const Part infinite{late ? Part::Kind::kInfinity : Part::Kind::kNegativeInfinity, 0, 0};
  switch (unit) {
    case Unit::kYear:
    case Unit::kDecade:
    case Unit::kCentury:
    case Unit::kMillennium:
    case Unit::kJulian:
    case Unit::kIsoYear:
    case Unit::kEpoch:
      return infinite;
    case Unit::kDay:
    case Unit::kMonth:
    case Unit::kQuarter:
    case Unit::kWeek:
    case Unit::kDayOfWeek:
    case Unit::kIsoDayOfWeek:
    case Unit::kDayOfYear:
      return Part{Part::Kind::kNull, 0, 0};
    case Unit::kMicrosecond:
    case Unit::kMillisecond:
    case Unit::kSecond:
    case Unit::kMinute:
    case Unit::kHour:
    case Unit::kTimezone:
    case Unit::kTimezoneHour:
    case Unit::kTimezoneMinute:
      if (precision == Precision::kMicroseconds) return Part{Part::Kind::kNull, 0, 0};
      return {};
    default:
      return {};
  }
}

// Where 64 bits would overflow, PostgreSQL divides, and four digits are left.
Part epoch_part(std::int64_t stamp) {
  const Int128 us = Int128{stamp} + kUnixEpochUs;
  if (us <= std::numeric_limits<std::int64_t>::max()) return number(us, 6);
  return number((us + 50) / 100 * 100, 6);
}

// `zone`: of an instant; null for a local time.
std::optional<Part> part_of_stamp(Unit unit, std::int64_t stamp, const Zone* zone) {
  if (!is_finite(stamp))
    return part_of_infinity(unit, stamp == kTimestampLate, Precision::kMicroseconds);
  if (unit == Unit::kEpoch) return epoch_part(stamp);
  std::int32_t offset = 0;
  if (zone != nullptr) {
    offset = zone->at(unix_seconds(stamp)).offset;
    if (unit == Unit::kTimezone) return number(offset);
    if (unit == Unit::kTimezoneHour) return number(offset / 3600);
    if (unit == Unit::kTimezoneMinute) return number(offset / 60 % 60);
  }
  const std::int64_t local = stamp + offset * kUsPerSecond;
  const std::int64_t time = time_of_day(local);
  if (const auto part = part_of_clock(unit, time)) return part;
  const Civil civil = civil_of_timestamp(local);
  if (unit == Unit::kJulian)
    return julian_part(julian_of(civil.year, civil.month, civil.day), time);
  return part_of_date(unit, civil);
}

std::optional<Part> part_of_interval(Unit unit, Interval value) {
  const std::int32_t years = value.months / 12;
  switch (unit) {
    case Unit::kMicrosecond:
      return number(value.us % kUsPerMinute);
    case Unit::kMillisecond:
      return number(value.us % kUsPerMinute, 3);
    case Unit::kSecond:
      return number(value.us % kUsPerMinute, 6);
    case Unit::kMinute:
      return number(value.us / kUsPerMinute % 60);
    case Unit::kHour:
      return number(value.us / kUsPerHour);
    case Unit::kDay:
      return number(value.days);
    case Unit::kMonth:
      return number(value.months % 12);
    case Unit::kQuarter:
      return number(value.months % 12 / 3 + 1);
    case Unit::kYear:
      return number(years);
    case Unit::kDecade:
      return number(years / 10);
    case Unit::kCentury:
      return number(years / 100);
    case Unit::kMillennium:
      return number(years / 1000);
    case Unit::kEpoch: {
      // A year counts 365.25 days here.
      const Int128 quarter_days =
          Int128{years} * 1461 + (value.months % 12) * Int128{120} + Int128{value.days} * 4;
      return number(quarter_days * (kUsPerDay / 4) + value.us, 6);
    }
    default:
      return {};
  }
}

void append_numeric_part(const Part& part, std::string& to) {
  if (part.kind == Part::Kind::kNumber) return append_numeric(to, part.unscaled, part.scale);
  const std::uint16_t sign =
      part.kind == Part::Kind::kInfinity ? kNumericInfinity : kNumericNegativeInfinity;
  const std::array<char, kNumericHeaderBytes> header = {
      0, 0, 0, 0, static_cast<char>(sign >> 8), static_cast<char>(sign & 0xFF), 0, 0};
  to.append(header.data(), header.size());
}

double float_part(const Part& part) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (part.kind == Part::Kind::kInfinity) return kInfinite;
  if (part.kind == Part::Kind::kNegativeInfinity) return -kInfinite;
  constexpr std::array<double, 7> kPowers = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  return static_cast<double>(part.unscaled) / kPowers[part.scale];
}

// What to take a part of, and what it is called in errors.
struct OfDate {
  using Value = std::int32_t;
  static constexpr std::string_view kName = "date";
  static constexpr bool kKnowsAllWords = true;  // now, infinity … are unsupported, not unknown
  static std::optional<Part> part(CallContext&, Unit unit, Value date) {
    if (!is_finite(date)) return part_of_infinity(unit, date == kDateLate, Precision::kDays);
    if (unit == Unit::kEpoch)
      return number((Int128{date} + kEpochJulian - kUnixEpochJulian) * 86400);
    return part_of_date(unit, civil_of_date(date));
  }
};
struct OfStamp {
  using Value = std::int64_t;
  static constexpr std::string_view kName = "timestamp without time zone";
  static constexpr bool kKnowsAllWords = true;
  static std::optional<Part> part(CallContext&, Unit unit, Value stamp) {
    return part_of_stamp(unit, stamp, nullptr);
  }
};
struct OfInstant {
  using Value = std::int64_t;
  static constexpr std::string_view kName = "timestamp with time zone";
  static constexpr bool kKnowsAllWords = true;
  static std::optional<Part> part(CallContext& context, Unit unit, Value stamp) {
    const ZoneRef zone = session_zone(context.settings().time_zone);
    return part_of_stamp(unit, stamp, zone.get());
  }
};
struct OfInterval {
  using Value = Int128;
  static constexpr std::string_view kName = "interval";
  static constexpr bool kKnowsAllWords = false;
  static std::optional<Part> part(CallContext&, Unit unit, Value value) {
    return part_of_interval(unit, interval_of(value));
  }
};
struct OfTime {
  using Value = std::int64_t;
  static constexpr std::string_view kName = "time without time zone";
  static constexpr bool kKnowsAllWords = false;
  static std::optional<Part> part(CallContext&, Unit unit, Value time) {
    if (unit == Unit::kEpoch) return number(time, 6);
    return part_of_clock(unit, time);
  }
};

template <class Of>
Result<Part> take(CallContext& context, std::string_view name, typename Of::Value value) {
  const UnitName unit = unit_of(name, UnitWords::kUnitsAndParts);
  const bool known = unit.known && (Of::kKnowsAllWords || unit.unit < Unit::kNow);
  if (!known) return std::unexpected(unit_not_recognized(unit, Of::kName));
  if (const auto part = Of::part(context, unit.unit, value)) return *part;
  return std::unexpected(unit_not_supported(unit, Of::kName));
}

template <class Of>
Status extract(CallContext& context, NullableText& to, std::string_view name,
               typename Of::Value value) {
  const Part part = COPPICE_TRY(take<Of>(context, name, value));
  to.null = part.kind == Part::Kind::kNull;
  if (!to.null) append_numeric_part(part, to.text);
  return {};
}

// PostgreSQL's float8 parts of a date are those of its midnight.
Result<Part> float_source(CallContext& context, OfDate, std::string_view name, std::int32_t date) {
  const std::int64_t stamp = COPPICE_TRY(timestamp_of_date(date));
  return take<OfStamp>(context, name, stamp);
}
template <class Of>
Result<Part> float_source(CallContext& context, Of, std::string_view name,
                          typename Of::Value value) {
  return take<Of>(context, name, value);
}

// Divided in float8 as PostgreSQL does it, not rounded from the numeric.
double julian_float(std::int64_t local) {
  const Civil civil = civil_of_timestamp(local);
  return julian_of(civil.year, civil.month, civil.day) +
         (civil.hour * 3600.0 + civil.minute * 60.0 + civil.second + civil.us / 1e6) / 86400.0;
}

template <class Of>
Status date_part(CallContext& context, NullableValue<double>& to, std::string_view name,
                 typename Of::Value value) {
  const Part part = COPPICE_TRY(float_source(context, Of{}, name, value));
  to.null = part.kind == Part::Kind::kNull;
  if (to.null) return {};
  if (part.kind == Part::Kind::kNumber && part.scale > 6) {  // a Julian day with its fraction
    std::int64_t local = 0;
    if constexpr (std::is_same_v<Of, OfDate>)
      local = value * kUsPerDay;
    else if constexpr (std::is_same_v<Of, OfInstant>)
      local = local_of(value, *session_zone(context.settings().time_zone));
    else
      local = static_cast<std::int64_t>(value);
    to.value = julian_float(local);
    return {};
  }
  to.value = float_part(part);
  return {};
}

constexpr Volatility kStable = Volatility::kStable;
constexpr std::array kFunctions = {
    FunctionRow{6199, "extract", kNumeric, {kText, kDate}, kCall<extract<OfDate>>},
    FunctionRow{6200, "extract", kNumeric, {kText, kTime}, kCall<extract<OfTime>>},
    FunctionRow{6202, "extract", kNumeric, {kText, kTimestamp}, kCall<extract<OfStamp>>},
    FunctionRow{
        6203, "extract", kNumeric, {kText, kTimestamptz}, kCall<extract<OfInstant>>, kStable},
    FunctionRow{6204, "extract", kNumeric, {kText, kInterval}, kCall<extract<OfInterval>>},
    FunctionRow{1384, "date_part", kFloat8, {kText, kDate}, kCall<date_part<OfDate>>},
    FunctionRow{1385, "date_part", kFloat8, {kText, kTime}, kCall<date_part<OfTime>>},
    FunctionRow{2021, "date_part", kFloat8, {kText, kTimestamp}, kCall<date_part<OfStamp>>},
    FunctionRow{
        1171, "date_part", kFloat8, {kText, kTimestamptz}, kCall<date_part<OfInstant>>, kStable},
    FunctionRow{1172, "date_part", kFloat8, {kText, kInterval}, kCall<date_part<OfInterval>>},
};

}  // namespace

void add_extraction(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_datetime
