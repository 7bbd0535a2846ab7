// date_types.cpp — date, time, timestamp, timestamptz, interval.
//
// Source:   PostgreSQL 15, date.c and timestamp.c: the input, output, receive and send functions.
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/datetime/calendar.h"
#include "plugins/sql/datetime/decoder.h"
#include "plugins/sql/datetime/input.h"
#include "plugins/sql/datetime/interval_text.h"
#include "plugins/sql/datetime/modifier.h"
#include "plugins/sql/datetime/output.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

class DateType final : public SqlType {
 public:
  DateType()
      : SqlType({.oid = type_oid::kDate,
                 .name = "date",
                 .display_name = "date",
                 .physical = PhysicalType::kInt32,
                 .size = 4,
                 .category = 'D',
                 .array = 1182}) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings& settings,
               VectorBuffer& out) const override {
    std::int32_t date = 0;
    if (form == WireForm::kText) {
      date = COPPICE_TRY(read_date(as_text(value), settings));
    } else {
      COPPICE_TRY(check_binary_size(value, 4));
      date = load_be<std::int32_t>(value.data());
      if (is_finite(date) && !is_valid_date(date))
        return std::unexpected(fault_error(Fault::kDateRange));
    }
    *out.append_values<std::int32_t>(1) = date;
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override {
    const DateStyle style = date_style_of(settings.date_style);
    std::string text;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const auto date = static_cast<std::int32_t>(values.int_at(row));
      if (form == WireForm::kBinary) return append_be(bytes, date);
      text.clear();
      append_date(date, style, text);
      append_text(bytes, text);
    });
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.int32(static_cast<std::int32_t>(values.int_at(row)), order);
  }
};

// time, timestamp and timestamptz: 64 bits and a precision.
class PreciseType : public SqlType {
 public:
  PreciseType(Info info, std::string_view suffix) : SqlType(std::move(info)), suffix_(suffix) {}

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.int64(values.int_at(row), order);
  }
  std::string describe(std::int32_t modifier) const override {
    if (modifier < 0) return info().display_name;
    const std::string_view word = info().oid == type_oid::kTime ? "time" : "timestamp";
    return std::string(word) + "(" + std::to_string(modifier) + ")" + std::string(suffix_);
  }
  Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const override {
    if (arguments.empty()) return -1;
    if (arguments.size() != 1) return std::unexpected(sql_error("22023", "invalid type modifier"));
    const std::string_view word = info().oid == type_oid::kTime ? "TIME" : "TIMESTAMP";
    const std::string_view zone = info().oid == type_oid::kTimestamptz ? " WITH TIME ZONE" : "";
    if (arguments[0] < 0)
      return std::unexpected(
          sql_error("22023", std::string(word) + "(" + std::to_string(arguments[0]) + ")" +
                                 std::string(zone) + " precision must not be negative"));
    return static_cast<std::int32_t>(std::min<std::int64_t>(arguments[0], kPrecisionMax));
  }

 private:
  std::string_view suffix_;
};

class TimeType final : public PreciseType {
 public:
  TimeType()
      : PreciseType({.oid = type_oid::kTime,
                     .name = "time",
                     .display_name = "time without time zone",
                     .physical = PhysicalType::kInt64,
                     .size = 8,
                     .category = 'D',
                     .array = 1183},
                    " without time zone") {}

  Status parse(WireForm form, ByteView value, std::int32_t modifier, const SqlSettings& settings,
               VectorBuffer& out) const override {
    std::int64_t time = 0;
    if (form == WireForm::kText) {
      time = COPPICE_TRY(read_time(as_text(value), settings));
    } else {
      COPPICE_TRY(check_binary_size(value, 8));
      time = load_be<std::int64_t>(value.data());
      if (time < 0 || time > kUsPerDay)
        return std::unexpected(sql_error("22008", "time out of range"));
    }
    if (!round_to(time, modifier)) return std::unexpected(sql_error("22008", "time out of range"));
    *out.append_values<std::int64_t>(1) = time;
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    std::string text;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const std::int64_t time = values.int_at(row);
      if (form == WireForm::kBinary) return append_be(bytes, time);
      text.clear();
      append_time(time, text);
      append_text(bytes, text);
    });
    return {};
  }
};

class TimestampType final : public PreciseType {
 public:
  TimestampType(Info info, std::string_view suffix) : PreciseType(std::move(info), suffix) {}

  Status parse(WireForm form, ByteView value, std::int32_t modifier, const SqlSettings& settings,
               VectorBuffer& out) const override {
    const bool zoned = info().oid == type_oid::kTimestamptz;
    std::int64_t timestamp = 0;
    if (form == WireForm::kText) {
      timestamp = COPPICE_TRY(read_timestamp(as_text(value), zoned, settings));
    } else {
      COPPICE_TRY(check_binary_size(value, 8));
      timestamp = load_be<std::int64_t>(value.data());
      if (is_finite(timestamp) && !is_valid_timestamp(timestamp))
        return std::unexpected(fault_error(Fault::kTimestampRange));
    }
    if (is_finite(timestamp) && !round_to(timestamp, modifier))
      return std::unexpected(fault_error(Fault::kTimestampRange));
    *out.append_values<std::int64_t>(1) = timestamp;
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override {
    const DateStyle style = date_style_of(settings.date_style);
    const ZoneRef zone =
        info().oid == type_oid::kTimestamptz ? session_zone(settings.time_zone) : nullptr;
    std::string text;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const std::int64_t timestamp = values.int_at(row);
      if (form == WireForm::kBinary) return append_be(bytes, timestamp);
      text.clear();
      append_timestamp(timestamp, zone.get(), style, text);
      append_text(bytes, text);
    });
    return {};
  }
};

class IntervalType final : public SqlType {
 public:
  IntervalType()
      : SqlType({.oid = type_oid::kInterval,
                 .name = "interval",
                 .display_name = "interval",
                 .physical = PhysicalType::kInt128,
                 .size = 16,
                 .category = 'T',
                 .preferred = true,
                 .array = 1187,
                 .equality = Equality::kByKey}) {}

  Status parse(WireForm form, ByteView value, std::int32_t modifier, const SqlSettings&,
               VectorBuffer& out) const override {
    Interval interval;
    if (form == WireForm::kText) {
      interval = COPPICE_TRY(read_interval(as_text(value), modifier));
    } else {
      COPPICE_TRY(check_binary_size(value, 16));
      interval.us = load_be<std::int64_t>(value.data());
      interval.days = load_be<std::int32_t>(value.data() + 8);
      interval.months = load_be<std::int32_t>(value.data() + 12);
      if (!fit_interval(interval, modifier))
        return std::unexpected(fault_error(Fault::kIntervalRange));
    }
    *out.append_values<Int128>(1) = interval_bits(interval);
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    std::string text;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const Interval interval = interval_of(values.int128_at(row));
      if (form == WireForm::kBinary) {
        append_be(bytes, interval.us);
        append_be(bytes, interval.days);
        append_be(bytes, interval.months);
        return;
      }
      text.clear();
      append_interval(interval, text);
      append_text(bytes, text);
    });
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    const Interval interval = interval_of(values.int128_at(row));
    out.interval(interval.months, interval.days, interval.us, order);
  }
  std::string describe(std::int32_t modifier) const override;
  Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const override;
};

struct RangeName {
  std::uint32_t range;
  std::string_view name;
};
constexpr std::array kRangeNames = {
    RangeName{kRangeYear, " year"},
    RangeName{kRangeMonth, " month"},
    RangeName{kRangeDay, " day"},
    RangeName{kRangeHour, " hour"},
    RangeName{kRangeMinute, " minute"},
    RangeName{kRangeSecond, " second"},
    RangeName{kRangeYear | kRangeMonth, " year to month"},
    RangeName{kRangeDay | kRangeHour, " day to hour"},
    RangeName{kRangeDay | kRangeHour | kRangeMinute, " day to minute"},
    RangeName{kRangeDay | kRangeHour | kRangeMinute | kRangeSecond, " day to second"},
    RangeName{kRangeHour | kRangeMinute, " hour to minute"},
    RangeName{kRangeHour | kRangeMinute | kRangeSecond, " hour to second"},
    RangeName{kRangeMinute | kRangeSecond, " minute to second"},
};

std::string IntervalType::describe(std::int32_t modifier) const {
  std::string text = info().display_name;
  if (modifier < 0) return text;
  for (const RangeName& row : kRangeNames)
    if (row.range == interval_range(modifier)) text.append(row.name);
  const std::int32_t precision = interval_precision(modifier);
  if (precision != kFullPrecision) text += "(" + std::to_string(precision) + ")";
  return text;
}

// (range) or (range, precision), as the grammar gives them.
Result<std::int32_t> IntervalType::modifier_of(std::span<const std::int64_t> arguments) const {
  if (arguments.empty()) return -1;
  if (arguments.size() > 2)
    return std::unexpected(sql_error("22023", "invalid INTERVAL type modifier"));
  const bool known = arguments[0] == kIntervalFullRange ||
                     std::ranges::any_of(kRangeNames, [&](const RangeName& row) {
                       return row.range == arguments[0];
                     });
  if (!known) return std::unexpected(sql_error("22023", "invalid INTERVAL type modifier"));
  std::int64_t precision = kFullPrecision;
  if (arguments.size() == 2) {
    if (arguments[1] < 0)
      return std::unexpected(sql_error("22023", "INTERVAL(" + std::to_string(arguments[1]) +
                                                    ") precision must not be negative"));
    precision = std::min<std::int64_t>(arguments[1], kPrecisionMax);
  } else if (arguments[0] == kIntervalFullRange) {
    return -1;
  }
  return static_cast<std::int32_t>(arguments[0] << 16 | precision);
}

}  // namespace

void add_date_types(SqlRegistry& registry) {
  registry.add(std::make_unique<DateType>());
  registry.add(std::make_unique<TimeType>());
  SqlType::Info timestamp{.oid = type_oid::kTimestamp,
                          .name = "timestamp",
                          .display_name = "timestamp without time zone",
                          .physical = PhysicalType::kInt64,
                          .size = 8,
                          .category = 'D',
                          .array = 1115};
  SqlType::Info timestamptz = timestamp;
  timestamptz.oid = type_oid::kTimestamptz;
  timestamptz.name = "timestamptz";
  timestamptz.display_name = "timestamp with time zone";
  timestamptz.preferred = true;
  timestamptz.array = 1185;
  registry.add(std::make_unique<TimestampType>(std::move(timestamp), " without time zone"));
  registry.add(std::make_unique<TimestampType>(std::move(timestamptz), " with time zone"));
  registry.add(std::make_unique<IntervalType>());
}

}  // namespace coppice::sql_datetime
