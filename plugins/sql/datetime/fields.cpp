// fields.cpp — cutting texts into fields, and what fields share.
#include "plugins/sql/datetime/fields.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/datetime/tokens.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::size_t kFieldsMax = 25;

bool is_alpha(char c) {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}
bool is_alnum(char c) {
  return is_alpha(c) || is_digit(c);
}
bool is_punctuation(char c) {
  return c > ' ' && c < 0x7F && !is_alnum(c);
}
bool is_one_of(char c, std::string_view set) {
  return c != '\0' && set.find(c) != std::string_view::npos;
}

class Splitter {
 public:
  Splitter(std::string_view text, std::vector<RawField>& fields) : text_(text), fields_(fields) {}

  Reading run() {
    while (at_ < text_.size()) {
      if (is_space(peek())) {
        ++at_;
        continue;
      }
      if (fields_.size() == kFieldsMax) return Reading::kBadFormat;
      if (is_digit(peek()))
        digits();
      else if (peek() == '.')
        point();
      else if (is_alpha(peek()))
        letters();
      else if (is_one_of(peek(), "+-")) {
        if (!sign()) return Reading::kBadFormat;
      } else if (is_punctuation(peek()))
        ++at_;
      else
        return Reading::kBadFormat;
    }
    return Reading::kOk;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  RawField& start(FieldKind kind) {
    RawField& field = fields_.emplace_back();
    field.kind = kind;
    return field;
  }
  void take(RawField& field) { field.text.push_back(ascii_lower(text_[at_++])); }
  template <class Wanted>
  void take_while(RawField& field, Wanted wanted) {
    while (at_ < text_.size() && wanted(text_[at_])) take(field);
  }

  void digits() {
    RawField& field = start(FieldKind::kNumber);
    take_while(field, is_digit);
    if (peek() == ':') {
      field.kind = FieldKind::kTime;
      take_while(field, [](char c) { return is_digit(c) || c == ':' || c == '.'; });
    } else if (is_one_of(peek(), "-/.")) {
      const char delimiter = peek();
      take(field);
      if (!is_digit(peek())) {
        field.kind = FieldKind::kDate;
        take_while(field, [&](char c) { return is_alnum(c) || c == delimiter; });
        return;
      }
      field.kind = delimiter == '.' ? FieldKind::kNumber : FieldKind::kDate;
      take_while(field, is_digit);
      if (peek() != delimiter) return;
      field.kind = FieldKind::kDate;
      take_while(field, [&](char c) { return is_digit(c) || c == delimiter; });
    }
  }

  void point() {
    RawField& field = start(FieldKind::kNumber);
    take(field);
    take_while(field, is_digit);
  }

  void letters() {
    RawField& field = start(FieldKind::kString);
    take_while(field, is_alpha);
    // More may follow: a date with separators, or the name of a zone.
    bool goes_on = is_one_of(peek(), "-/.");
    if (is_one_of(peek(), "+") || is_digit(peek()))
      goes_on = find_date_word(field.text).field == Field::kUnknown;
    if (!goes_on) return;
    field.kind = FieldKind::kDate;
    take_while(field, [](char c) { return is_alnum(c) || is_one_of(c, "+-/_.:"); });
  }

  bool sign() {
    RawField& field = start(FieldKind::kSigned);
    take(field);
    while (is_space(peek())) ++at_;
    if (is_digit(peek())) {
      take_while(field, [](char c) { return is_digit(c) || is_one_of(c, ":.-"); });
      return true;
    }
    field.kind = FieldKind::kSpecial;
    take_while(field, is_alpha);
    return field.text.size() > 1;
  }

  std::string_view text_;
  std::vector<RawField>& fields_;
  std::size_t at_ = 0;
};

}  // namespace

Reading split_fields(std::string_view text, std::size_t bytes_max, std::vector<RawField>& fields) {
  Splitter splitter(text, fields);
  const Reading reading = splitter.run();
  if (reading != Reading::kOk) return reading;
  std::size_t bytes = 0;
  for (const RawField& field : fields) bytes += field.text.size() + 1;
  return bytes <= bytes_max ? Reading::kOk : Reading::kBadFormat;
}

Error reading_error(Reading reading, std::string_view type, std::string_view text,
                    std::string_view zone) {
  const std::string quoted = "\"" + std::string(text) + "\"";
  switch (reading) {
    case Reading::kOutOfRange:
      if (type == "interval")
        return sql_error("22015", "interval field value out of range: " + quoted);
      return sql_error("22008", "date/time field value out of range: " + quoted);
    case Reading::kOutOfRangeOrder:
      return sql_error("22008", "date/time field value out of range: " + quoted)
          .note(sql_field::kHint, "Perhaps you need a different \"datestyle\" setting.");
    case Reading::kZoneOutOfRange:
      return sql_error("22009", "time zone displacement out of range: " + quoted);
    case Reading::kUnknownZone:
      return sql_error("22023", "time zone \"" + std::string(zone) + "\" not recognized");
    case Reading::kNoClock:
      return sql_error(sqlstate::kFeatureNotSupported,
                       "the current time is not known where " + quoted + " is read");
    case Reading::kOk:
    case Reading::kBadFormat:
      break;
  }
  return sql_error("22007", "invalid input syntax for type " + std::string(type) + ": " + quoted);
}

bool read_int64(std::string_view text, std::size_t& at, std::int64_t& to) {
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && is_one_of(text[at], "+-")) ++at;
  UInt128 value = 0;
  constexpr auto kMax = static_cast<UInt128>(std::numeric_limits<std::int64_t>::max());
  for (; at < text.size() && is_digit(text[at]); ++at) {
    value = value * 10 + static_cast<unsigned>(text[at] - '0');
    if (value > kMax + (negative ? 1 : 0)) return false;
  }
  to = static_cast<std::int64_t>(negative ? -value : value);
  return true;
}

bool read_int(std::string_view text, std::size_t& at, std::int32_t& to) {
  std::int64_t value = 0;
  if (!read_int64(text, at, value) || value > std::numeric_limits<std::int32_t>::max() ||
      value < std::numeric_limits<std::int32_t>::min())
    return false;
  to = static_cast<std::int32_t>(value);
  return true;
}

bool read_fraction(std::string_view text, std::size_t at, double& to) {
  to = 0;
  if (at + 1 == text.size()) return true;
  if (!std::ranges::all_of(text.substr(at + 1), is_digit)) return false;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + at, end, to);
  // A fraction too small to be told from 0 is 0.
  return read.ptr == end && (read.ec == std::errc() || to == 0);
}

}  // namespace coppice::sql_datetime
