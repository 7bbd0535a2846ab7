// zone.h — time zones: the offset from UTC at an instant, or at a local time.
//
// Role:     what TZif files and POSIX TZ texts say, in one form.
// Threads:  immutable once made; read by all.
// Source:   RFC 8536; PostgreSQL 15, localtime.c, DetermineTimeZoneOffset().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/bytes.h"

namespace coppice::sql_datetime {

// When daylight saving time begins or ends within a year.
struct ZoneChange {
  enum class Kind : std::uint8_t { kJulianDay, kDayOfYear, kMonthWeekDay };
  Kind kind = Kind::kMonthWeekDay;
  std::int32_t month = 0, week = 0, day = 0;
  std::int32_t seconds = 7200;  // local time of day
};

class Zone {
 public:
  struct Local {
    std::int32_t offset = 0;  // seconds east of UTC
    bool dst = false;
    std::string abbreviation;
  };

  // Nothing if the bytes are no TZif file.
  static std::optional<Zone> from_tzif(std::string_view name, ByteView file);
  // "EST5EDT,M3.2.0,M11.1.0", "<+03>-3". Without rules: those of the United States.
  static std::optional<Zone> from_posix(std::string_view text);
  // Positive is east; named as PostgreSQL names it: <-05>+05.
  static Zone fixed(std::int32_t offset_seconds);
  static Zone utc();

  const std::string& name() const { return name_; }
  // `unix_seconds`: since 1970, UTC.
  const Local& at(std::int64_t unix_seconds) const;
  // `local_seconds`: the local time, counted as if it were UTC. Times that a change skips are taken
  // with the offset before, times that occur twice with the offset after.
  const Local& at_local(std::int64_t local_seconds) const;
  // The abbreviation's meaning at or next to an instant; nothing if the zone never used it.
  const Local* find_abbreviation(std::string_view abbreviation, std::int64_t unix_seconds) const;
  bool is_fixed() const { return changes_.empty() && !rule_; }

 private:
  struct Change {
    std::int64_t at = 0;
    std::uint16_t local = 0;  // what holds from then on
  };
  struct Rule {  // what holds after the last change
    std::uint16_t standard = 0, daylight = 0;
    ZoneChange begin, end;
  };
  struct Next {
    std::uint16_t before = 0, after = 0;
    std::int64_t at = 0;
    bool any = false;
  };
  std::uint16_t local_at(std::int64_t unix_seconds) const;
  Next next_after(std::int64_t unix_seconds) const;  // the first change later than that
  std::array<Change, 2> rule_changes(std::int64_t year) const;
  bool parse_posix(std::string_view text);

  std::string name_;
  std::vector<Local> locals_;
  std::vector<Change> changes_;  // ascending
  std::optional<Rule> rule_;
  std::uint16_t fixed_local_ = 0;  // before the first change
};

using ZoneRef = std::shared_ptr<const Zone>;

}  // namespace coppice::sql_datetime
