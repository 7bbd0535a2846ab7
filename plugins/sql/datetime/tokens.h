// tokens.h — the words of dates and intervals.
//
// Source:   PostgreSQL 15, datetktbl and deltatktbl of datetime.c; the first ten letters count.
#pragma once

#include <cstdint>
#include <string_view>

namespace coppice::sql_datetime {

// The numbers are bits of the masks that say which fields were seen.
enum class Field : std::uint8_t {
  kReserved = 0,
  kMonth = 1,
  kYear = 2,
  kDay = 3,
  kZone = 5,
  kDaylightZone = 6,
  kDynamicZone = 7,
  kIgnore = 8,
  kAmPm = 9,
  kHour = 10,
  kMinute = 11,
  kSecond = 12,
  kMillisecond = 13,
  kMicrosecond = 14,
  kDayOfYear = 15,
  kDayOfWeek = 16,
  kUnits = 17,
  kEra = 18,
  kAgo = 19,
  kIsoTime = 23,
  kWeek = 24,
  kDecade = 25,
  kCentury = 26,
  kMillennium = 27,
  kDaylightModifier = 28,
  kUnknown = 31,
};
constexpr std::uint32_t bit(Field field) {
  return 1U << static_cast<unsigned>(field);
}
inline constexpr std::uint32_t kSecondBits =
    bit(Field::kSecond) | bit(Field::kMillisecond) | bit(Field::kMicrosecond);
inline constexpr std::uint32_t kDateBits =
    bit(Field::kYear) | bit(Field::kMonth) | bit(Field::kDay);
inline constexpr std::uint32_t kTimeBits = bit(Field::kHour) | bit(Field::kMinute) | kSecondBits;

// What a word of kind kUnits or kReserved stands for.
enum class Unit : std::uint8_t {
  kNone,
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
  kDecade,
  kCentury,
  kMillennium,
  kDayOfWeek,
  kIsoDayOfWeek,
  kDayOfYear,
  kIsoYear,
  kJulian,
  kEpoch,
  kTimezone,
  kTimezoneHour,
  kTimezoneMinute,
  kTime,  // after the T of ISO 8601
  kNow,
  kToday,
  kTomorrow,
  kYesterday,
  kZulu,
  kEarly,
  kLate,
};

struct Word {
  std::string_view name;
  Field field = Field::kUnknown;
  Unit unit = Unit::kNone;
  std::int32_t value = 0;  // of a month, a weekday, AM 0 and PM 1, AD 0 and BC 1
};

// In lower case. A word that is not there is kUnknown.
Word find_date_word(std::string_view text);
Word find_interval_word(std::string_view text);

}  // namespace coppice::sql_datetime
