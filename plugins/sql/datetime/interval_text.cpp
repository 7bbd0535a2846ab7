// interval_text.cpp — fields from right to left, so that a unit comes before its number.
#include "plugins/sql/datetime/interval_text.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/datetime/fields.h"
#include "plugins/sql/datetime/modifier.h"
#include "plugins/sql/datetime/tokens.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::size_t kTextBytesMax = 256;

// An interval being summed up; every function answers false when a part does not fit.
struct Sum {
  std::int32_t years = 0, months = 0, days = 0;
  std::int64_t us = 0;

  bool add_us(std::int64_t value, double fraction, std::int64_t scale) {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(value, scale, &product) &&
           !__builtin_add_overflow(us, product, &us) && add_part_of(fraction, scale);
  }
  // `fraction` of `scale` microseconds, rounded.
  bool add_part_of(double fraction, std::int64_t scale) {
    if (fraction == 0) return true;
    fraction *= static_cast<double>(scale);
    const auto whole = static_cast<std::int64_t>(fraction);
    if (__builtin_add_overflow(us, whole, &us)) return false;
    fraction -= static_cast<double>(whole);
    if (fraction > 0.5) return !__builtin_add_overflow(us, 1, &us);
    if (fraction < -0.5) return !__builtin_sub_overflow(us, 1, &us);
    return true;
  }
  bool add_days(std::int64_t value, std::int32_t scale) { return add_to(days, value, scale); }
  bool add_months(std::int64_t value) { return add_to(months, value, 1); }
  bool add_years(std::int64_t value, std::int32_t scale) { return add_to(years, value, scale); }
  bool add_part_of_days(double fraction, std::int32_t scale) {
    if (fraction == 0) return true;
    fraction *= scale;
    const auto whole = static_cast<std::int32_t>(fraction);
    return add_to(days, whole, 1) && add_part_of(fraction - whole, kUsPerDay);
  }
  bool add_part_of_years(double fraction, std::int32_t scale) {
    return add_to(months, static_cast<std::int32_t>(std::rint(fraction * scale * 12)), 1);
  }

  bool negate() {
    return !__builtin_sub_overflow(0, years, &years) &&
           !__builtin_sub_overflow(0, months, &months) && !__builtin_sub_overflow(0, days, &days) &&
           !__builtin_sub_overflow(0, us, &us);
  }

 private:
  static bool add_to(std::int32_t& part, std::int64_t value, std::int32_t scale) {
    std::int64_t product = 0;
    return value >= std::numeric_limits<std::int32_t>::min() &&
           value <= std::numeric_limits<std::int32_t>::max() &&
           !__builtin_mul_overflow(value, std::int64_t{scale}, &product) &&
           product >= std::numeric_limits<std::int32_t>::min() &&
           product <= std::numeric_limits<std::int32_t>::max() &&
           !__builtin_add_overflow(part, static_cast<std::int32_t>(product), &part);
  }
};

// A number of a unit; `seen` gets the bits of what it was.
bool add_units(Sum& sum, Unit unit, std::int64_t value, double fraction, std::uint32_t& seen) {
  switch (unit) {
    case Unit::kMicrosecond:
      seen = bit(Field::kMicrosecond);
      return sum.add_us(value, fraction, 1);
    case Unit::kMillisecond:
      seen = bit(Field::kMillisecond);
      return sum.add_us(value, fraction, 1000);
    case Unit::kSecond:
      seen = fraction == 0 ? bit(Field::kSecond) : kSecondBits;
      return sum.add_us(value, fraction, kUsPerSecond);
    case Unit::kMinute:
      seen = bit(Field::kMinute);
      return sum.add_us(value, fraction, kUsPerMinute);
    case Unit::kHour:
      seen = bit(Field::kHour);
      return sum.add_us(value, fraction, kUsPerHour);
    case Unit::kDay:
      seen = bit(Field::kDay);
      return sum.add_days(value, 1) && sum.add_part_of(fraction, kUsPerDay);
    case Unit::kWeek:
      seen = bit(Field::kWeek);
      return sum.add_days(value, 7) && sum.add_part_of_days(fraction, 7);
    case Unit::kMonth:
      seen = bit(Field::kMonth);
      return sum.add_months(value) && sum.add_part_of_days(fraction, 30);
    case Unit::kYear:
      seen = bit(Field::kYear);
      return sum.add_years(value, 1) && sum.add_part_of_years(fraction, 1);
    case Unit::kDecade:
      seen = bit(Field::kDecade);
      return sum.add_years(value, 10) && sum.add_part_of_years(fraction, 10);
    case Unit::kCentury:
      seen = bit(Field::kCentury);
      return sum.add_years(value, 100) && sum.add_part_of_years(fraction, 100);
    case Unit::kMillennium:
      seen = bit(Field::kMillennium);
      return sum.add_years(value, 1000) && sum.add_part_of_years(fraction, 1000);
    default:
      return true;  // callers let no other unit through
  }
}

bool is_countable(Unit unit) {
  return unit >= Unit::kMicrosecond && unit <= Unit::kMillennium && unit != Unit::kQuarter;
}

// What a number without a unit counts.
Unit unit_of_range(std::uint32_t range) {
  if (range == kRangeYear) return Unit::kYear;
  if (range == kRangeMonth || range == (kRangeYear | kRangeMonth)) return Unit::kMonth;
  if (range == kRangeDay) return Unit::kDay;
  if (range == kRangeHour || range == (kRangeDay | kRangeHour)) return Unit::kHour;
  if (range == kRangeMinute || range == (kRangeHour | kRangeMinute) ||
      range == (kRangeDay | kRangeHour | kRangeMinute))
    return Unit::kMinute;
  return Unit::kSecond;
}

class WordsReader {
 public:
  explicit WordsReader(std::uint32_t range) : range_(range) {}

  Reading run(std::string_view text) {
    Reading reading = split_fields(text, kTextBytesMax, fields_);
    for (std::size_t i = fields_.size(); i > 0 && reading == Reading::kOk; --i) {
      found_ = 0;
      reading = field(i - 1);
      if (reading != Reading::kOk) break;
      if ((found_ & seen_) != 0) return Reading::kBadFormat;
      seen_ |= found_;
    }
    if (reading != Reading::kOk) return reading;
    if (seen_ == 0) return Reading::kBadFormat;
    return ago_ && !sum_.negate() ? Reading::kOutOfRange : Reading::kOk;
  }
  const Sum& sum() const { return sum_; }

 private:
  Reading field(std::size_t i) {
    const RawField& raw = fields_[i];
    switch (raw.kind) {
      case FieldKind::kTime:
        return time(raw.text, false);
      case FieldKind::kSigned:
        if (raw.text.find(':') != std::string::npos)
          return time(std::string_view(raw.text).substr(1), raw.text[0] == '-');
        return number(raw.text);
      case FieldKind::kDate:
      case FieldKind::kNumber:
        return number(raw.text);
      case FieldKind::kString:
      case FieldKind::kSpecial:
        return word(i);
    }
    return Reading::kBadFormat;
  }

  Reading time(std::string_view text, bool negative) {
    std::size_t at = 0;
    std::int64_t hours = 0;
    std::int32_t minutes = 0, seconds = 0;
    double fraction = 0;
    found_ = kTimeBits;
    if (!read_int64(text, at, hours)) return Reading::kOutOfRange;
    if (at == text.size() || text[at] != ':') return Reading::kBadFormat;
    ++at;
    if (!read_int(text, at, minutes)) return Reading::kOutOfRange;
    bool shift = false;  // it was mm:ss
    if (at == text.size()) {
      shift = range_ == (kRangeMinute | kRangeSecond);
    } else if (text[at] == '.') {
      if (!read_fraction(text, at, fraction)) return Reading::kBadFormat;
      shift = true;
    } else if (text[at] == ':') {
      ++at;
      if (!read_int(text, at, seconds)) return Reading::kOutOfRange;
      if (at < text.size() && (text[at] != '.' || !read_fraction(text, at, fraction)))
        return Reading::kBadFormat;
    } else {
      return Reading::kBadFormat;
    }
    if (shift) {
      if (hours > std::numeric_limits<std::int32_t>::max()) return Reading::kOutOfRange;
      seconds = minutes;
      minutes = static_cast<std::int32_t>(hours);
      hours = 0;
    }
    if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60)
      return Reading::kOutOfRange;
    Sum part;
    part.us = static_cast<std::int64_t>(std::rint(fraction * 1e6));
    if (!part.add_us(hours, 0, kUsPerHour) || !part.add_us(minutes, 0, kUsPerMinute) ||
        !part.add_us(seconds, 0, kUsPerSecond))
      return Reading::kOutOfRange;
    sum_.us = negative ? -part.us : part.us;
    unit_ = Unit::kDay;
    unit_known_ = true;
    return Reading::kOk;
  }

  Reading number(const std::string& text) {
    if (!unit_known_) unit_ = unit_of_range(range_);
    unit_known_ = true;
    std::size_t at = 0;
    std::int64_t value = 0;
    double fraction = 0;
    if (!read_int64(text, at, value)) return Reading::kOutOfRange;
    if (at < text.size() && text[at] == '-') {  // years-months
      ++at;
      std::int32_t months = 0;
      if (!read_int(text, at, months) || months < 0 || months >= 12) return Reading::kOutOfRange;
      if (at < text.size()) return Reading::kBadFormat;
      if (text[0] == '-') months = -months;
      if (__builtin_mul_overflow(value, 12, &value) ||
          __builtin_add_overflow(value, months, &value))
        return Reading::kOutOfRange;
      unit_ = Unit::kMonth;
    } else if (at < text.size()) {
      if (text[at] != '.' || !read_fraction(text, at, fraction)) return Reading::kBadFormat;
      if (text[0] == '-') fraction = -fraction;
    }
    if (!is_countable(unit_)) return Reading::kBadFormat;
    if (!add_units(sum_, unit_, value, fraction, found_)) return Reading::kOutOfRange;
    if (unit_ == Unit::kHour) unit_ = Unit::kDay;  // of the next number, if it has no unit
    return Reading::kOk;
  }

  Reading word(std::size_t i) {
    const std::string& text = fields_[i].text;
    Word word = find_interval_word(text);
    if (word.field == Field::kUnknown) word = find_date_word(text);
    if (word.field == Field::kIgnore) return Reading::kOk;
    if (word.field == Field::kUnits) {
      unit_ = word.unit;
      unit_known_ = true;
      return Reading::kOk;
    }
    if (word.field != Field::kAgo) return Reading::kBadFormat;
    ago_ = true;
    unit_ = Unit::kNone;
    unit_known_ = true;
    return Reading::kOk;
  }

  std::uint32_t range_;
  std::vector<RawField> fields_;
  std::uint32_t seen_ = 0, found_ = 0;
  Unit unit_ = Unit::kNone;
  bool unit_known_ = false, ago_ = false;
  Sum sum_;
};

// P1Y2M3DT4H5M6S, P0001-02-03T04:05:06 and what lies between.
class IsoReader {
 public:
  explicit IsoReader(std::string_view text) : text_(text) {}

  Reading run() {
    if (text_.size() < 2 || text_[0] != 'P') return Reading::kBadFormat;
    at_ = 1;
    bool date = true;
    bool any = false;
    while (at_ < text_.size()) {
      if (text_[at_] == 'T') {
        date = false;
        any = false;
        ++at_;
        continue;
      }
      if (!number()) return Reading::kBadFormat;
      const char unit = take();
      if (date ? is_one_of(unit, "YMWD") : is_one_of(unit, "HMS")) {
        if (!(date ? add_date_unit(unit) : add_time_unit(unit))) return Reading::kOutOfRange;
        any = true;
        continue;
      }
      if (any) return Reading::kBadFormat;
      if (!date) return times(unit);
      const Reading reading = dates(unit);
      if (reading != Reading::kOk || !goes_on_) return reading;
      date = false;
    }
    return Reading::kOk;
  }
  const Sum& sum() const { return sum_; }

 private:
  static bool is_one_of(char c, std::string_view set) {
    return c != '\0' && set.find(c) != std::string_view::npos;
  }
  char take() { return at_ < text_.size() ? text_[at_++] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }

  bool number() {
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative) ++at_;
    const std::size_t first = at_;
    value_ = 0;
    fraction_ = 0;
    if (at_ < text_.size() && is_digit(text_[at_]) && !read_int64(text_, at_, value_)) return false;
    digits_ = at_ - first;
    if (negative) value_ = -value_;
    if (at_ < text_.size() && text_[at_] == '.') {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      if (!read_fraction(text_.substr(0, end), at_, fraction_)) return false;
      if (negative) fraction_ = -fraction_;
      at_ = end;
    }
    return at_ != first;
  }

  bool add_date_unit(char unit) {
    std::uint32_t ignored = 0;
    const Unit meant = unit == 'Y'   ? Unit::kYear
                       : unit == 'M' ? Unit::kMonth
                       : unit == 'W' ? Unit::kWeek
                                     : Unit::kDay;
    return add_units(sum_, meant, value_, fraction_, ignored);
  }
  bool add_time_unit(char unit) {
    std::uint32_t ignored = 0;
    const Unit meant = unit == 'H' ? Unit::kHour : unit == 'M' ? Unit::kMinute : Unit::kSecond;
    return add_units(sum_, meant, value_, fraction_, ignored);
  }

  // yyyymmdd or yyyy-mm-dd, the latter cut short anywhere; goes_on_: a T follows.
  Reading dates(char unit) {
    goes_on_ = unit == 'T';
    if (unit != '\0' && unit != 'T' && unit != '-') return Reading::kBadFormat;
    if (unit != '-' && digits_ == 8) {
      const bool fits = sum_.add_years(value_ / 10000, 1) && sum_.add_months(value_ / 100 % 100) &&
                        sum_.add_days(value_ % 100, 1) && sum_.add_part_of(fraction_, kUsPerDay);
      return fits ? Reading::kOk : Reading::kOutOfRange;
    }
    if (!add_date_unit('Y')) return Reading::kOutOfRange;
    if (unit != '-') return Reading::kOk;
    for (const char part : {'M', 'D'}) {
      if (!number()) return Reading::kBadFormat;
      if (!add_date_unit(part)) return Reading::kOutOfRange;
      if (at_end()) return Reading::kOk;
      const char next = take();
      goes_on_ = next == 'T';
      if (goes_on_) return Reading::kOk;
      if (next != '-' || part == 'D') return Reading::kBadFormat;
    }
    return Reading::kBadFormat;
  }

  // hhmmss or hh:mm:ss, to the end.
  Reading times(char unit) {
    if (unit == '\0' && digits_ == 6) {
      const bool fits = sum_.add_us(value_ / 10000, 0, kUsPerHour) &&
                        sum_.add_us(value_ / 100 % 100, 0, kUsPerMinute) &&
                        sum_.add_us(value_ % 100, 0, kUsPerSecond) &&
                        sum_.add_part_of(fraction_, 1);
      return fits ? Reading::kOk : Reading::kOutOfRange;
    }
    if (unit != '\0' && unit != ':') return Reading::kBadFormat;
    if (!add_time_unit('H')) return Reading::kOutOfRange;
    if (unit == '\0') return Reading::kOk;
    for (const char part : {'M', 'S'}) {
      if (!number()) return Reading::kBadFormat;
      if (!add_time_unit(part)) return Reading::kOutOfRange;
      if (at_end()) return Reading::kOk;
      if (take() != ':') return Reading::kBadFormat;
    }
    return Reading::kBadFormat;
  }

  std::string_view text_;
  std::size_t at_ = 0, digits_ = 0;
  std::int64_t value_ = 0;
  double fraction_ = 0;
  bool goes_on_ = false;
  Sum sum_;
};

}  // namespace

Result<Interval> read_interval(std::string_view text, std::int32_t modifier) {
  WordsReader words(interval_range(modifier));
  Reading reading = words.run(text);
  Sum sum = words.sum();
  if (reading == Reading::kBadFormat) {
    IsoReader iso(text);
    reading = iso.run();
    sum = iso.sum();
  }
  if (reading != Reading::kOk) return std::unexpected(reading_error(reading, "interval", text, {}));
  const std::int64_t months = std::int64_t{sum.years} * 12 + sum.months;
  Interval value{static_cast<std::int32_t>(months), sum.days, sum.us};
  if (months != value.months || !fit_interval(value, modifier))
    return std::unexpected(fault_error(Fault::kIntervalRange));
  return value;
}

}  // namespace coppice::sql_datetime
