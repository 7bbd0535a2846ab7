// decoder.cpp — what each field of a date or time means, given those before it.
#include "plugins/sql/datetime/decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interfaces/sql_kernels.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::size_t kTextBytesMax = 128 + 25;
constexpr std::size_t kShortTextBytesMax = 128 + 1;  // of a date or a time alone
constexpr std::int32_t kZoneHoursMax = 15;

bool is_alpha(char c) {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

// atoi() of digits, which PostgreSQL lets wrap.
std::int32_t digits_value(std::string_view text) {
  std::size_t at = 0;
  std::int64_t value = 0;
  if (!read_int64(text, at, value)) value = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int32_t>(value);
}

bool time_overflows(const Civil& civil) {
  return civil.hour < 0 || civil.hour > 24 || civil.minute < 0 || civil.minute >= 60 ||
         civil.second < 0 || civil.second > 60 || civil.us < 0 || civil.us > kUsPerSecond ||
         time_of(civil) > kUsPerDay;
}

// ".5" as microseconds.
bool read_fraction_us(std::string_view text, std::size_t at, std::int32_t& us) {
  double fraction = 0;
  if (!read_fraction(text, at, fraction)) return false;
  us = static_cast<std::int32_t>(std::rint(fraction * 1e6));
  return true;
}

}  // namespace

Decoder::Decoder(const SqlSettings& settings)
    : order_(date_style_of(settings.date_style).order),
      session_zone_(session_zone(settings.time_zone)),
      calls_(settings.calls) {}

Reading Decoder::date_only(std::string_view text) {
  return decode(text, kShortTextBytesMax);
}

Reading Decoder::date_time(std::string_view text) {
  return decode(text, kTextBytesMax);
}

Reading Decoder::decode(std::string_view text, std::size_t bytes_max) {
  Reading reading = split_fields(text, bytes_max, fields_);
  for (std::size_t i = 0; i < fields_.size() && reading == Reading::kOk; ++i) {
    found_ = 0;
    reading = field(i);
    if (reading != Reading::kOk) break;
    if ((found_ & seen_) != 0) return Reading::kBadFormat;
    seen_ |= found_;
  }
  return reading == Reading::kOk ? finish() : reading;
}

Reading Decoder::time_only(std::string_view text) {
  time_only_ = true;
  return decode(text, kShortTextBytesMax);
}

Reading Decoder::field(std::size_t i) {
  const std::string& text = fields_[i].text;
  switch (fields_[i].kind) {
    case FieldKind::kDate:
      return time_only_ ? date_in_time(i) : date_field(i);
    case FieldKind::kTime: {
      if (!time_only_ && prefix_ != Unit::kNone) {
        if (prefix_ != Unit::kTime) return Reading::kBadFormat;
        prefix_ = Unit::kNone;
      }
      const Reading reading = decode_time(text);
      if (reading != Reading::kOk) return reading;
      return !time_only_ && time_overflows(civil_) ? Reading::kOutOfRange : Reading::kOk;
    }
    case FieldKind::kSigned:
      found_ = bit(Field::kZone);
      return decode_zone(text);
    case FieldKind::kNumber:
      if (prefix_ != Unit::kNone) return labelled_number(text);
      return time_only_ ? number_in_time(i) : number_field(i);
    case FieldKind::kString:
    case FieldKind::kSpecial:
      return word_field(i);
  }
  return Reading::kBadFormat;
}

Reading Decoder::date_field(std::size_t i) {
  const std::string& text = fields_[i].text;
  if (prefix_ == Unit::kJulian) {  // a Julian day with a zone attached
    std::size_t at = 0;
    std::int32_t julian = 0;
    if (!read_int(text, at, julian) || julian < 0) return Reading::kOutOfRange;
    set_date(civil_, julian);
    julian_ = true;
    prefix_ = Unit::kNone;
    found_ = kDateBits | kTimeBits | bit(Field::kZone);
    return decode_zone(std::string_view(text).substr(at));
  }
  constexpr std::uint32_t kMonthAndDay = bit(Field::kMonth) | bit(Field::kDay);
  if (prefix_ == Unit::kNone && (seen_ & kMonthAndDay) != kMonthAndDay) return decode_date(text);
  // There is a date already: a time with a zone, or the name of a zone.
  if (!is_digit(text[0]) && prefix_ == Unit::kNone) return named_zone(text);
  if (prefix_ != Unit::kNone && prefix_ != Unit::kTime) return Reading::kBadFormat;
  prefix_ = Unit::kNone;
  if ((seen_ & kTimeBits) == kTimeBits) return Reading::kBadFormat;
  return dashed_time(text);
}

// A time of day takes a date only where nothing else can be meant.
Reading Decoder::date_in_time(std::size_t i) {
  const std::string& text = fields_[i].text;
  const bool date_expected =
      i == 0 && fields_.size() >= 2 &&
      (fields_.back().kind == FieldKind::kDate || fields_[1].kind == FieldKind::kTime);
  if (date_expected) return decode_date(text);
  if (!is_digit(text[0])) return named_zone(text);
  if ((seen_ & kTimeBits) == kTimeBits) return Reading::kBadFormat;
  return dashed_time(text);
}

// "040506-08": a run of digits and a zone.
Reading Decoder::dashed_time(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return Reading::kBadFormat;
  if (const Reading reading = decode_zone(text.substr(dash)); reading != Reading::kOk)
    return reading;
  const Reading reading =
      decode_run(text.substr(0, dash), time_only_ ? seen_ | kDateBits : seen_, found_);
  found_ |= bit(Field::kZone);
  return reading;
}

Reading Decoder::named_zone(const std::string& text) {
  zone_ = find_zone(text);
  found_ = bit(Field::kZone);
  if (zone_ != nullptr) return Reading::kOk;
  unknown_zone_ = text;
  return Reading::kUnknownZone;
}

// A number after "J", or after the T of ISO 8601.
Reading Decoder::labelled_number(const std::string& text) {
  std::size_t at = 0;
  std::int32_t value = 0;
  if (!read_int(text, at, value)) return Reading::kOutOfRange;
  if (at < text.size() && text[at] != '.') return Reading::kBadFormat;
  const Unit prefix = prefix_;
  prefix_ = Unit::kNone;
  if (prefix == Unit::kTime) {
    const Reading reading = decode_run(text, seen_ | kDateBits, found_);
    if (reading != Reading::kOk) return reading;
    return found_ == kTimeBits ? Reading::kOk : Reading::kBadFormat;
  }
  if (prefix != Unit::kJulian) return labelled_part(prefix, value, text, at);
  if (value < 0) return Reading::kOutOfRange;
  found_ = kDateBits;
  set_date(civil_, value);
  julian_ = true;
  if (at == text.size()) return Reading::kOk;
  double fraction = 0;
  if (!read_fraction(text, at, fraction)) return Reading::kBadFormat;
  set_time(civil_, static_cast<std::int64_t>(fraction * static_cast<double>(kUsPerDay)));
  found_ |= kTimeBits;
  return Reading::kOk;
}

// "y2024m01d05h04mm05s06"
Reading Decoder::labelled_part(Unit unit, std::int32_t value, const std::string& text,
                               std::size_t at) {
  if (at < text.size() && unit != Unit::kSecond) return Reading::kBadFormat;
  // m after a month and an hour is a minute.
  constexpr std::uint32_t kMonthAndHour = bit(Field::kMonth) | bit(Field::kHour);
  if (unit == Unit::kMonth && (seen_ & kMonthAndHour) == kMonthAndHour) unit = Unit::kMinute;
  switch (unit) {
    case Unit::kYear:
      found_ = bit(Field::kYear);
      civil_.year = value;
      return Reading::kOk;
    case Unit::kMonth:
      found_ = bit(Field::kMonth);
      civil_.month = value;
      return Reading::kOk;
    case Unit::kDay:
      found_ = bit(Field::kDay);
      civil_.day = value;
      return Reading::kOk;
    case Unit::kHour:
      found_ = bit(Field::kHour);
      civil_.hour = value;
      return Reading::kOk;
    case Unit::kMinute:
      found_ = bit(Field::kMinute);
      civil_.minute = value;
      return Reading::kOk;
    case Unit::kSecond:
      found_ = bit(Field::kSecond);
      civil_.second = value;
      if (at == text.size()) return Reading::kOk;
      found_ = kSecondBits;
      return read_fraction_us(text, at, civil_.us) ? Reading::kOk : Reading::kBadFormat;
    default:
      return Reading::kBadFormat;
  }
}

Reading Decoder::number_field(std::size_t i) {
  const std::string& text = fields_[i].text;
  const std::size_t point = text.find('.');
  if (point != std::string::npos && (seen_ & kDateBits) == 0) return decode_date(text);
  if (point != std::string::npos && point > 2) return decode_run(text, seen_, found_);
  if (text.size() >= 6 && ((seen_ & kDateBits) == 0 || (seen_ & kTimeBits) == 0))
    return decode_run(text, seen_, found_);
  return decode_number(text, text_month_, seen_, found_);
}

Reading Decoder::number_in_time(std::size_t i) {
  const std::string& text = fields_[i].text;
  const std::size_t point = text.find('.');
  if (point != std::string::npos) {
    if (i == 0 && fields_.size() >= 2 && fields_.back().kind == FieldKind::kDate)
      return decode_date(text);
    return point > 2 ? decode_run(text, seen_ | kDateBits, found_) : Reading::kBadFormat;
  }
  if (text.size() > 4) return decode_run(text, seen_ | kDateBits, found_);
  return decode_number(text, false, seen_ | kDateBits, found_);
}

Reading Decoder::word_field(std::size_t i) {
  const std::string& text = fields_[i].text;
  if (const ZoneAbbreviation* const known = find_abbreviation(text.substr(0, 10))) {
    found_ = bit(Field::kZone);
    if (known->zone.empty()) {
      offset_ = known->offset;
      if (!known->dst) return Reading::kOk;
      found_ |= bit(Field::kDaylightZone);
      return Reading::kOk;
    }
    found_ |= bit(Field::kDynamicZone);
    abbreviation_zone_ = find_zone(known->zone);
    abbreviation_ = text;
    std::ranges::transform(abbreviation_, abbreviation_.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return abbreviation_zone_ != nullptr ? Reading::kOk : Reading::kBadFormat;
  }
  const Word word = find_date_word(text);
  if (word.field == Field::kIgnore) return Reading::kOk;
  found_ = bit(word.field);
  switch (word.field) {
    case Field::kReserved:
      return reserved(word.unit);
    case Field::kMonth:
      if (time_only_) return Reading::kBadFormat;
      // A number taken for the month was the day.
      if ((seen_ & bit(Field::kMonth)) != 0 && !text_month_ && (seen_ & bit(Field::kDay)) == 0 &&
          civil_.month >= 1 && civil_.month <= 31) {
        civil_.day = civil_.month;
        found_ = bit(Field::kDay);
      }
      text_month_ = true;
      civil_.month = word.value;
      return Reading::kOk;
    case Field::kDaylightModifier:
      found_ |= bit(Field::kDaylightZone);
      offset_ += word.value;
      return Reading::kOk;
    case Field::kAmPm:
      half_ = word.value == 0 ? Half::kAm : Half::kPm;
      return Reading::kOk;
    case Field::kEra:
      bc_ = word.value == 1;
      return Reading::kOk;
    case Field::kDayOfWeek:
      return time_only_ ? Reading::kBadFormat : Reading::kOk;
    case Field::kUnits:
      found_ = 0;
      prefix_ = word.unit;
      return Reading::kOk;
    case Field::kIsoTime:
      return iso_time_marker(i);
    case Field::kUnknown:
      if (named_zone(text) == Reading::kOk) return Reading::kOk;
      return Reading::kBadFormat;
    default:
      return Reading::kBadFormat;
  }
}

Reading Decoder::iso_time_marker(std::size_t i) {
  found_ = 0;
  if (!time_only_ && (seen_ & kDateBits) != kDateBits) return Reading::kBadFormat;
  if (i + 1 >= fields_.size()) return Reading::kBadFormat;
  const FieldKind next = fields_[i + 1].kind;
  if (next != FieldKind::kNumber && next != FieldKind::kTime && next != FieldKind::kDate)
    return Reading::kBadFormat;
  prefix_ = Unit::kTime;
  return Reading::kOk;
}

Reading Decoder::set_now() {
  if (calls_ == nullptr) return Reading::kNoClock;
  const std::int64_t now = calls_->transaction_start().us;
  const std::int64_t seconds = now / kUsPerSecond - (now % kUsPerSecond < 0 ? 1 : 0);
  offset_ = session_zone_->at(seconds).offset;
  civil_ = civil_of_timestamp(now - kUnixEpochUs + offset_ * kUsPerSecond);
  return Reading::kOk;
}

Reading Decoder::reserved(Unit unit) {
  constexpr std::uint32_t kAll = kDateBits | kTimeBits | bit(Field::kZone);
  if (unit == Unit::kZulu) {
    found_ = kTimeBits | bit(Field::kZone);
    civil_.hour = civil_.minute = civil_.second = civil_.us = 0;
    offset_ = 0;
    return Reading::kOk;
  }
  if (unit == Unit::kNow) {
    found_ = time_only_ ? kTimeBits : kAll;
    return set_now();
  }
  if (time_only_) return Reading::kBadFormat;
  if (unit == Unit::kEpoch || unit == Unit::kEarly || unit == Unit::kLate) {
    found_ = kAll;
    kind_ = unit == Unit::kEpoch ? Kind::kEpoch : unit == Unit::kEarly ? Kind::kEarly : Kind::kLate;
    return Reading::kOk;
  }
  const Civil before = civil_;
  const std::int32_t offset = offset_;
  if (const Reading reading = set_now(); reading != Reading::kOk) return reading;
  std::int32_t julian = julian_of(civil_.year, civil_.month, civil_.day);
  if (unit == Unit::kYesterday) --julian;
  if (unit == Unit::kTomorrow) ++julian;
  civil_ = before;
  offset_ = offset;
  set_date(civil_, julian);
  found_ = kDateBits;
  return Reading::kOk;
}

Reading Decoder::decode_date(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && !is_digit(text[at]) && !is_alpha(text[at])) ++at;
    if (at == text.size()) return Reading::kBadFormat;
    const std::size_t start = at;
    const bool digits = is_digit(text[at]);
    while (at < text.size() && (digits ? is_digit(text[at]) : is_alpha(text[at]))) ++at;
    parts.push_back(text.substr(start, at - start));
    if (at < text.size()) ++at;  // whatever ended the part
  }
  std::uint32_t seen = seen_;
  bool text_month = false;
  const auto note = [&](std::uint32_t part) {
    if ((seen & part) != 0) return false;
    seen |= part;
    found_ |= part;
    return true;
  };
  for (const std::string_view part : parts) {  // words first: they are sure
    if (!is_alpha(part[0])) continue;
    const Word word = find_date_word(part);
    if (word.field == Field::kIgnore) continue;
    if (word.field != Field::kMonth || !note(bit(Field::kMonth))) return Reading::kBadFormat;
    civil_.month = word.value;
    text_month = true;
  }
  for (const std::string_view part : parts) {
    if (is_alpha(part[0])) continue;
    std::uint32_t found = 0;
    const Reading reading = decode_number(part, text_month, seen, found);
    if (reading != Reading::kOk) return reading;
    if (!note(found)) return Reading::kBadFormat;
  }
  const std::uint32_t all = seen & ~(bit(Field::kDayOfYear) | bit(Field::kZone));
  return all == kDateBits ? Reading::kOk : Reading::kBadFormat;
}

Reading Decoder::decode_time(std::string_view text) {
  found_ = kTimeBits;
  std::size_t at = 0;
  std::int64_t hour = 0;
  std::int32_t us = 0;
  if (!read_int64(text, at, hour)) return Reading::kOutOfRange;
  if (at == text.size() || text[at] != ':') return Reading::kBadFormat;
  ++at;
  civil_.second = 0;
  if (!read_int(text, at, civil_.minute)) return Reading::kOutOfRange;
  if (at < text.size() && text[at] == '.') {  // mm:ss.fff
    if (!read_fraction_us(text, at, us)) return Reading::kBadFormat;
    if (hour > std::numeric_limits<std::int32_t>::max()) return Reading::kOutOfRange;
    civil_.second = civil_.minute;
    civil_.minute = static_cast<std::int32_t>(hour);
    hour = 0;
  } else if (at < text.size() && text[at] == ':') {
    ++at;
    if (!read_int(text, at, civil_.second)) return Reading::kOutOfRange;
    if (at < text.size() && text[at] != '.') return Reading::kBadFormat;
    if (at < text.size() && !read_fraction_us(text, at, us)) return Reading::kBadFormat;
  } else if (at < text.size()) {
    return Reading::kBadFormat;
  }
  if (hour < 0 || hour > std::numeric_limits<std::int32_t>::max() || civil_.minute < 0 ||
      civil_.minute > 59 || civil_.second < 0 || civil_.second > 60 || us > kUsPerSecond)
    return Reading::kOutOfRange;
  civil_.hour = static_cast<std::int32_t>(hour);
  civil_.us = us;
  return Reading::kOk;
}

Reading Decoder::decode_zone(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return Reading::kBadFormat;
  std::size_t at = 1;
  std::int32_t hours = 0, minutes = 0, seconds = 0;
  if (!read_int(text, at, hours)) return Reading::kZoneOutOfRange;
  if (at < text.size() && text[at] == ':') {
    ++at;
    if (!read_int(text, at, minutes)) return Reading::kZoneOutOfRange;
    if (at < text.size() && text[at] == ':') {
      ++at;
      if (!read_int(text, at, seconds)) return Reading::kZoneOutOfRange;
    }
  } else if (at == text.size() && text.size() > 3) {
    minutes = hours % 100;
    hours /= 100;
  }
  if (hours < 0 || hours > kZoneHoursMax || minutes < 0 || minutes >= 60 || seconds < 0 ||
      seconds >= 60)
    return Reading::kZoneOutOfRange;
  offset_ = (hours * 60 + minutes) * 60 + seconds;
  if (text[0] == '-') offset_ = -offset_;
  return at == text.size() ? Reading::kOk : Reading::kBadFormat;
}

bool Decoder::set_part(Field part, std::int32_t value, std::uint32_t& found) {
  found = bit(part);
  (part == Field::kYear ? civil_.year : part == Field::kMonth ? civil_.month : civil_.day) = value;
  return true;
}

// A number alone: which part of the date it is follows from its length and what is known.
Reading Decoder::decode_number(std::string_view text, bool text_month, std::uint32_t seen,
                               std::uint32_t& found) {
  std::size_t at = 0;
  std::int32_t value = 0;
  found = 0;
  if (!read_int(text, at, value)) return Reading::kOutOfRange;
  if (at == 0) return Reading::kBadFormat;
  if (at < text.size()) {
    if (text[at] != '.') return Reading::kBadFormat;
    if (at > 2) return decode_run(text, seen | kDateBits, found);
    std::int32_t us = 0;
    if (!read_fraction_us(text, at, us)) return Reading::kBadFormat;
    civil_.us = us;
  }
  const bool long_number = text.size() >= 3;
  constexpr std::uint32_t kYear = bit(Field::kYear), kMonth = bit(Field::kMonth),
                          kDay = bit(Field::kDay);
  if (text.size() == 3 && (seen & kDateBits) == kYear && value >= 1 && value <= 366) {
    found = bit(Field::kDayOfYear) | kMonth | kDay;
    day_of_year_ = value;
    return Reading::kOk;
  }
  const bool year_first = long_number || order_ == DateOrder::kYearMonthDay;
  switch (seen & kDateBits) {
    case 0:
      set_part(year_first                           ? Field::kYear
               : order_ == DateOrder::kDayMonthYear ? Field::kDay
                                                    : Field::kMonth,
               value, found);
      break;
    case kYear:
    case kDay:
      set_part(Field::kMonth, value, found);
      break;
    case kMonth:
      set_part(text_month && year_first ? Field::kYear : Field::kDay, value, found);
      break;
    case kYear | kMonth:
      if (text_month && long_number && two_digits_) {  // what was taken for the year was the day
        set_part(Field::kDay, civil_.year, found);
        civil_.year = value;
        two_digits_ = false;
      } else {
        set_part(Field::kDay, value, found);
      }
      break;
    case kMonth | kDay:
      set_part(Field::kYear, value, found);
      break;
    case kDateBits:
      return decode_run(text, seen, found);
    default:
      return Reading::kBadFormat;
  }
  if (found == kYear) two_digits_ = text.size() <= 2;
  return Reading::kOk;
}

// Digits run together: yymmdd, yyyymmdd, hhmm, hhmmss, hhmmss.fff.
Reading Decoder::decode_run(std::string_view text, std::uint32_t seen, std::uint32_t& found) {
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    std::int32_t us = 0;
    if (!read_fraction_us(text, point, us)) return Reading::kBadFormat;
    civil_.us = us;
    text = text.substr(0, point);
  } else if ((seen & kDateBits) != kDateBits && text.size() >= 6) {
    found = kDateBits;
    const std::size_t size = text.size();
    civil_.day = digits_value(text.substr(size - 2));
    civil_.month = digits_value(text.substr(size - 4, 2));
    civil_.year = digits_value(text.substr(0, size - 4));
    if (size == 6) two_digits_ = true;
    return Reading::kOk;
  }
  if ((seen & kTimeBits) == kTimeBits || (text.size() != 6 && text.size() != 4))
    return Reading::kBadFormat;
  found = kTimeBits;
  civil_.hour = digits_value(text.substr(0, 2));
  civil_.minute = digits_value(text.substr(2, 2));
  civil_.second = text.size() == 6 ? digits_value(text.substr(4)) : 0;
  return Reading::kOk;
}

Reading Decoder::validate_date() {
  if ((seen_ & bit(Field::kYear)) != 0 && !julian_) {
    if (bc_) {
      if (civil_.year <= 0) return Reading::kOutOfRange;
      civil_.year = -(civil_.year - 1);
    } else if (two_digits_) {
      if (civil_.year < 0) return Reading::kOutOfRange;
      if (civil_.year < 70)
        civil_.year += 2000;
      else if (civil_.year < 100)
        civil_.year += 1900;
    } else if (civil_.year <= 0) {
      return Reading::kOutOfRange;
    }
  }
  if ((seen_ & bit(Field::kDayOfYear)) != 0) {
    if (!is_valid_julian(civil_.year, 1)) return Reading::kOutOfRange;
    set_date(civil_, julian_of(civil_.year, 1, 1) + day_of_year_ - 1);
  }
  if ((seen_ & bit(Field::kMonth)) != 0 && (civil_.month < 1 || civil_.month > 12))
    return Reading::kOutOfRangeOrder;
  if ((seen_ & bit(Field::kDay)) != 0 && (civil_.day < 1 || civil_.day > 31))
    return Reading::kOutOfRangeOrder;
  if ((seen_ & kDateBits) == kDateBits && civil_.day > days_in_month(civil_.year, civil_.month))
    return Reading::kOutOfRange;
  return Reading::kOk;
}

Reading Decoder::finish() {
  if (kind_ == Kind::kMoment)
    if (const Reading reading = validate_date(); reading != Reading::kOk) return reading;
  if (half_ != Half::kNone && civil_.hour > 12) return Reading::kOutOfRange;
  if (half_ == Half::kAm && civil_.hour == 12) civil_.hour = 0;
  if (half_ == Half::kPm && civil_.hour != 12) civil_.hour += 12;
  if (time_only_) {
    if (time_overflows(civil_)) return Reading::kOutOfRange;
    if ((seen_ & kTimeBits) != kTimeBits) return Reading::kBadFormat;
  } else {
    if (kind_ != Kind::kMoment) return Reading::kOk;
    if ((seen_ & kDateBits) != kDateBits) return Reading::kBadFormat;
  }
  return finish_zone();
}

std::int64_t Decoder::local_seconds() const {
  if (!is_valid_julian(civil_.year, civil_.month)) return 0;
  const std::int64_t day =
      std::int64_t{julian_of(civil_.year, civil_.month, civil_.day)} - kUnixEpochJulian;
  return day * 86400 + civil_.hour * 3600 + civil_.minute * 60 + civil_.second;
}

// What zone was named is known by now; only the date says which offset that means.
Reading Decoder::finish_zone() {
  const bool has_date = (seen_ & kDateBits) == kDateBits;
  const bool modified = (seen_ & bit(Field::kDaylightModifier)) != 0;
  if (zone_ != nullptr) {
    if (modified || (!has_date && !zone_->is_fixed())) return Reading::kBadFormat;
    offset_ = zone_->at_local(local_seconds()).offset;
  }
  if (abbreviation_zone_ != nullptr) {
    if (modified) return Reading::kBadFormat;
    const std::int64_t local = local_seconds();
    const std::int32_t offset = abbreviation_zone_->at_local(local).offset;
    const Zone::Local* const meant =
        abbreviation_zone_->find_abbreviation(abbreviation_, local - offset);
    offset_ = meant != nullptr ? meant->offset : offset;
  }
  if ((seen_ & bit(Field::kZone)) != 0) return Reading::kOk;
  if (modified) return Reading::kBadFormat;
  if (has_date) offset_ = session_zone_->at_local(local_seconds()).offset;
  return Reading::kOk;
}

}  // namespace coppice::sql_datetime
