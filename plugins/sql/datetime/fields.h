// fields.h — a date or interval as text, cut into fields.
//
// Source:   PostgreSQL 15, ParseDateTime() of datetime.c.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"

namespace coppice::sql_datetime {

enum class FieldKind : std::uint8_t {
  kNumber,
  kString,
  kDate,     // has - / . or letters inside
  kTime,     // has :
  kSigned,   // a sign and digits: a zone, or a number of an interval
  kSpecial,  // a sign and letters
};

struct RawField {
  FieldKind kind = FieldKind::kNumber;
  std::string text;  // in lower case
};

// How reading went. The order of faults has no meaning.
enum class Reading : std::uint8_t {
  kOk,
  kBadFormat,
  kOutOfRange,
  kOutOfRangeOrder,  // a month or day out of range: perhaps they are in another order
  kZoneOutOfRange,
  kUnknownZone,
  kNoClock,
};

// kBadFormat also for a text of more than `bytes_max` bytes or 25 fields.
Reading split_fields(std::string_view text, std::size_t bytes_max, std::vector<RawField>& fields);

// 22007, 22008, 22009 or 22015 as PostgreSQL words it; `zone` is the name not known.
Error reading_error(Reading reading, std::string_view type, std::string_view text,
                    std::string_view zone);

// Digits from `at` on, which it moves behind them; false when the number passes 32 bits. No digit
// at all is 0, as strtol() has it.
bool read_int(std::string_view text, std::size_t& at, std::int32_t& to);
bool read_int64(std::string_view text, std::size_t& at, std::int64_t& to);  // may start with a sign
// ".5" from `at` to the end of the text.
bool read_fraction(std::string_view text, std::size_t at, double& to);

}  // namespace coppice::sql_datetime
