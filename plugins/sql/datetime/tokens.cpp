// tokens.cpp — the tables of words, in order.
#include "plugins/sql/datetime/tokens.h"

#include <algorithm>
#include <array>

namespace coppice::sql_datetime {
namespace {

constexpr std::size_t kLettersMax = 10;

constexpr std::array kDateWords = {
    Word{"-infinity", Field::kReserved, Unit::kEarly, 0},
    Word{"ad", Field::kEra, Unit::kNone, 0},
    Word{"allballs", Field::kReserved, Unit::kZulu, 0},
    Word{"am", Field::kAmPm, Unit::kNone, 0},
    Word{"apr", Field::kMonth, Unit::kNone, 4},
    Word{"april", Field::kMonth, Unit::kNone, 4},
    Word{"at", Field::kIgnore, Unit::kNone, 0},
    Word{"aug", Field::kMonth, Unit::kNone, 8},
    Word{"august", Field::kMonth, Unit::kNone, 8},
    Word{"bc", Field::kEra, Unit::kNone, 1},
    Word{"d", Field::kUnits, Unit::kDay, 0},
    Word{"dec", Field::kMonth, Unit::kNone, 12},
    Word{"december", Field::kMonth, Unit::kNone, 12},
    Word{"dow", Field::kUnits, Unit::kDayOfWeek, 0},
    Word{"doy", Field::kUnits, Unit::kDayOfYear, 0},
    Word{"dst", Field::kDaylightModifier, Unit::kNone, 3600},
    Word{"epoch", Field::kReserved, Unit::kEpoch, 0},
    Word{"feb", Field::kMonth, Unit::kNone, 2},
    Word{"february", Field::kMonth, Unit::kNone, 2},
    Word{"fri", Field::kDayOfWeek, Unit::kNone, 5},
    Word{"friday", Field::kDayOfWeek, Unit::kNone, 5},
    Word{"h", Field::kUnits, Unit::kHour, 0},
    Word{"infinity", Field::kReserved, Unit::kLate, 0},
    Word{"isodow", Field::kUnits, Unit::kIsoDayOfWeek, 0},
    Word{"isoyear", Field::kUnits, Unit::kIsoYear, 0},
    Word{"j", Field::kUnits, Unit::kJulian, 0},
    Word{"jan", Field::kMonth, Unit::kNone, 1},
    Word{"january", Field::kMonth, Unit::kNone, 1},
    Word{"jd", Field::kUnits, Unit::kJulian, 0},
    Word{"jul", Field::kMonth, Unit::kNone, 7},
    Word{"julian", Field::kUnits, Unit::kJulian, 0},
    Word{"july", Field::kMonth, Unit::kNone, 7},
    Word{"jun", Field::kMonth, Unit::kNone, 6},
    Word{"june", Field::kMonth, Unit::kNone, 6},
    Word{"m", Field::kUnits, Unit::kMonth, 0},
    Word{"mar", Field::kMonth, Unit::kNone, 3},
    Word{"march", Field::kMonth, Unit::kNone, 3},
    Word{"may", Field::kMonth, Unit::kNone, 5},
    Word{"mm", Field::kUnits, Unit::kMinute, 0},
    Word{"mon", Field::kDayOfWeek, Unit::kNone, 1},
    Word{"monday", Field::kDayOfWeek, Unit::kNone, 1},
    Word{"nov", Field::kMonth, Unit::kNone, 11},
    Word{"november", Field::kMonth, Unit::kNone, 11},
    Word{"now", Field::kReserved, Unit::kNow, 0},
    Word{"oct", Field::kMonth, Unit::kNone, 10},
    Word{"october", Field::kMonth, Unit::kNone, 10},
    Word{"on", Field::kIgnore, Unit::kNone, 0},
    Word{"pm", Field::kAmPm, Unit::kNone, 1},
    Word{"s", Field::kUnits, Unit::kSecond, 0},
    Word{"sat", Field::kDayOfWeek, Unit::kNone, 6},
    Word{"saturday", Field::kDayOfWeek, Unit::kNone, 6},
    Word{"sep", Field::kMonth, Unit::kNone, 9},
    Word{"sept", Field::kMonth, Unit::kNone, 9},
    Word{"september", Field::kMonth, Unit::kNone, 9},
    Word{"sun", Field::kDayOfWeek, Unit::kNone, 0},
    Word{"sunday", Field::kDayOfWeek, Unit::kNone, 0},
    Word{"t", Field::kIsoTime, Unit::kTime, 0},
    Word{"thu", Field::kDayOfWeek, Unit::kNone, 4},
    Word{"thur", Field::kDayOfWeek, Unit::kNone, 4},
    Word{"thurs", Field::kDayOfWeek, Unit::kNone, 4},
    Word{"thursday", Field::kDayOfWeek, Unit::kNone, 4},
    Word{"today", Field::kReserved, Unit::kToday, 0},
    Word{"tomorrow", Field::kReserved, Unit::kTomorrow, 0},
    Word{"tue", Field::kDayOfWeek, Unit::kNone, 2},
    Word{"tues", Field::kDayOfWeek, Unit::kNone, 2},
    Word{"tuesday", Field::kDayOfWeek, Unit::kNone, 2},
    Word{"wed", Field::kDayOfWeek, Unit::kNone, 3},
    Word{"wednesday", Field::kDayOfWeek, Unit::kNone, 3},
    Word{"weds", Field::kDayOfWeek, Unit::kNone, 3},
    Word{"y", Field::kUnits, Unit::kYear, 0},
    Word{"yesterday", Field::kReserved, Unit::kYesterday, 0},
};

constexpr std::array kIntervalWords = {
    Word{"@", Field::kIgnore, Unit::kNone},
    Word{"ago", Field::kAgo, Unit::kNone},
    Word{"c", Field::kUnits, Unit::kCentury},
    Word{"cent", Field::kUnits, Unit::kCentury},
    Word{"centuries", Field::kUnits, Unit::kCentury},
    Word{"century", Field::kUnits, Unit::kCentury},
    Word{"d", Field::kUnits, Unit::kDay},
    Word{"day", Field::kUnits, Unit::kDay},
    Word{"days", Field::kUnits, Unit::kDay},
    Word{"dec", Field::kUnits, Unit::kDecade},
    Word{"decade", Field::kUnits, Unit::kDecade},
    Word{"decades", Field::kUnits, Unit::kDecade},
    Word{"decs", Field::kUnits, Unit::kDecade},
    Word{"h", Field::kUnits, Unit::kHour},
    Word{"hour", Field::kUnits, Unit::kHour},
    Word{"hours", Field::kUnits, Unit::kHour},
    Word{"hr", Field::kUnits, Unit::kHour},
    Word{"hrs", Field::kUnits, Unit::kHour},
    Word{"m", Field::kUnits, Unit::kMinute},
    Word{"microsecon", Field::kUnits, Unit::kMicrosecond},
    Word{"mil", Field::kUnits, Unit::kMillennium},
    Word{"millennia", Field::kUnits, Unit::kMillennium},
    Word{"millennium", Field::kUnits, Unit::kMillennium},
    Word{"millisecon", Field::kUnits, Unit::kMillisecond},
    Word{"mils", Field::kUnits, Unit::kMillennium},
    Word{"min", Field::kUnits, Unit::kMinute},
    Word{"mins", Field::kUnits, Unit::kMinute},
    Word{"minute", Field::kUnits, Unit::kMinute},
    Word{"minutes", Field::kUnits, Unit::kMinute},
    Word{"mon", Field::kUnits, Unit::kMonth},
    Word{"mons", Field::kUnits, Unit::kMonth},
    Word{"month", Field::kUnits, Unit::kMonth},
    Word{"months", Field::kUnits, Unit::kMonth},
    Word{"ms", Field::kUnits, Unit::kMillisecond},
    Word{"msec", Field::kUnits, Unit::kMillisecond},
    Word{"msecond", Field::kUnits, Unit::kMillisecond},
    Word{"mseconds", Field::kUnits, Unit::kMillisecond},
    Word{"msecs", Field::kUnits, Unit::kMillisecond},
    Word{"qtr", Field::kUnits, Unit::kQuarter},
    Word{"quarter", Field::kUnits, Unit::kQuarter},
    Word{"s", Field::kUnits, Unit::kSecond},
    Word{"sec", Field::kUnits, Unit::kSecond},
    Word{"second", Field::kUnits, Unit::kSecond},
    Word{"seconds", Field::kUnits, Unit::kSecond},
    Word{"secs", Field::kUnits, Unit::kSecond},
    Word{"timezone", Field::kUnits, Unit::kTimezone},
    Word{"timezone_h", Field::kUnits, Unit::kTimezoneHour},
    Word{"timezone_m", Field::kUnits, Unit::kTimezoneMinute},
    Word{"us", Field::kUnits, Unit::kMicrosecond},
    Word{"usec", Field::kUnits, Unit::kMicrosecond},
    Word{"usecond", Field::kUnits, Unit::kMicrosecond},
    Word{"useconds", Field::kUnits, Unit::kMicrosecond},
    Word{"usecs", Field::kUnits, Unit::kMicrosecond},
    Word{"w", Field::kUnits, Unit::kWeek},
    Word{"week", Field::kUnits, Unit::kWeek},
    Word{"weeks", Field::kUnits, Unit::kWeek},
    Word{"y", Field::kUnits, Unit::kYear},
    Word{"year", Field::kUnits, Unit::kYear},
    Word{"years", Field::kUnits, Unit::kYear},
    Word{"yr", Field::kUnits, Unit::kYear},
    Word{"yrs", Field::kUnits, Unit::kYear},
};

template <std::size_t kSize>
Word find(const std::array<Word, kSize>& words, std::string_view text) {
  text = text.substr(0, kLettersMax);
  const auto* const found = std::ranges::lower_bound(words, text, {}, &Word::name);
  return found == words.end() || found->name != text ? Word{} : *found;
}

}  // namespace

Word find_date_word(std::string_view text) {
  return find(kDateWords, text);
}
Word find_interval_word(std::string_view text) {
  return find(kIntervalWords, text);
}

}  // namespace coppice::sql_datetime
