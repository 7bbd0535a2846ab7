// number_text.cpp — numbers to and from text.
// Source:   PostgreSQL 15, numeric_in(), set_var_from_str(), get_str_from_var().
#include <array>
#include <charconv>
#include <climits>
#include <cmath>
#include <optional>

#include "interfaces/sql_kernels.h"
#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {
namespace {

constexpr std::array<Digit, 4> kPlaces = {1000, 100, 10, 1};

bool takes_word(std::string_view& text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (ascii_lower(text[i]) != word[i]) return false;
  text.remove_prefix(word.size());
  return true;
}

// A word for a special value at the beginning of `text`, which loses it.
std::optional<Kind> take_special(std::string_view& text) {
  if (takes_word(text, "nan")) return Kind::kNan;
  for (const std::string_view word : {"infinity", "+infinity", "inf", "+inf"})
    if (takes_word(text, word)) return Kind::kInfinity;
  for (const std::string_view word : {"-infinity", "-inf"})
    if (takes_word(text, word)) return Kind::kNegativeInfinity;
  return {};
}

// "12.50": the characters, and where the point is.
struct Mantissa {
  std::string_view text;  // digits and at most one point
  int before = 0, after = 0;
};

std::optional<Mantissa> take_mantissa(std::string_view& text) {
  Mantissa found;
  bool point = text.starts_with('.');
  std::size_t at = point ? 1 : 0;
  if (at == text.size() || !is_digit(text[at])) return {};
  for (; at < text.size(); ++at) {
    if (is_digit(text[at])) {
      ++(point ? found.after : found.before);
    } else if (text[at] == '.') {
      if (point) return {};
      point = true;
    } else {
      break;
    }
  }
  found.text = text.substr(0, at);
  text.remove_prefix(at);
  return found;
}

// As strtol() reads one: spaces and a sign may come first. Numbers too large come out as the
// largest.
std::optional<std::int64_t> take_exponent(std::string_view& text) {
  std::string_view rest = text;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty() || !is_digit(rest.front())) return {};
  constexpr std::int64_t kEnough = INT_MAX;
  std::int64_t value = 0;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1))
    value = std::min(kEnough, value * 10 + (rest.front() - '0'));
  text = rest;
  return negative ? -value : value;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

void fill_digits(const Mantissa& mantissa, std::int64_t decimal_weight, Number& to) {
  const std::int64_t weight = floor_divide(decimal_weight, kBaseDigits);
  auto place = static_cast<std::size_t>((weight + 1) * kBaseDigits - (decimal_weight + 1));
  const std::size_t decimals = place + static_cast<std::size_t>(mantissa.before + mantissa.after);
  to.digits.reset((decimals + kBaseDigits - 1) / kBaseDigits);
  for (const char c : mantissa.text) {
    if (c == '.') continue;
    Digit& digit = to.digits[place / kBaseDigits];
    digit = static_cast<Digit>(digit + (c - '0') * kPlaces[place % kBaseDigits]);
    ++place;
  }
  to.weight = static_cast<int>(weight);
  normalise(to);
}

}  // namespace

Result<Number> number_from_text(std::string_view text) {
  std::string_view rest = trim_spaces(text);
  Number to;
  if (const std::optional<Kind> kind = take_special(rest)) {
    if (!rest.empty()) return invalid_text("numeric", text);
    to.kind = *kind;
    return to;
  }
  to.negative = rest.starts_with('-');
  if (to.negative || rest.starts_with('+')) rest.remove_prefix(1);
  const std::optional<Mantissa> mantissa = take_mantissa(rest);
  if (!mantissa) return invalid_text("numeric", text);
  std::int64_t exponent = 0;
  if (!rest.empty() && ascii_lower(rest.front()) == 'e') {
    rest.remove_prefix(1);
    const std::optional<std::int64_t> read = take_exponent(rest);
    if (!read) return invalid_text("numeric", text);
    exponent = *read;
    constexpr std::int64_t kExponentMax = INT_MAX / 2;
    if (exponent >= kExponentMax || exponent <= -kExponentMax) return overflow();
  }
  if (!rest.empty()) return invalid_text("numeric", text);
  to.scale = static_cast<int>(std::max<std::int64_t>(0, mantissa->after - exponent));
  fill_digits(*mantissa, mantissa->before - 1 + exponent, to);
  return to;
}

Result<Number> number_from_float(double value, int significant_digits) {
  if (std::isnan(value)) return special(Kind::kNan);
  if (std::isinf(value)) return special(value < 0 ? Kind::kNegativeInfinity : Kind::kInfinity);
  std::array<char, 40> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, significant_digits)
                       .ptr;
  return number_from_text({text.data(), static_cast<std::size_t>(end - text.data())});
}

namespace {

void append_digit(ByteBuffer& to, Digit digit, std::size_t from, std::size_t count) {
  for (std::size_t i = from; i < from + count; ++i)
    to.push_back(static_cast<std::byte>('0' + digit / kPlaces[i] % 10));
}

}  // namespace

void append_numeric_text(ByteBuffer& to, ByteView bytes) {
  const auto sign = load_be<std::uint16_t>(bytes.data() + 4);
  if (sign == kNumericNan) return append_text(to, "NaN");
  if (sign == kNumericInfinity) return append_text(to, "Infinity");
  if (sign == kNumericNegativeInfinity) return append_text(to, "-Infinity");
  const int count = static_cast<int>((bytes.size() - kNumericHeaderBytes) / 2);
  const int weight = load_be<std::int16_t>(bytes.data() + 2);
  const int scale = load_be<std::uint16_t>(bytes.data() + 6);
  const auto at = [&](int i) -> Digit {
    if (i < 0 || i >= count) return 0;
    return load_be<std::uint16_t>(bytes.data() + kNumericHeaderBytes +
                                  static_cast<std::size_t>(i) * 2);
  };
  if (sign == kNumericNegative) append_text(to, "-");
  append_number(to, weight < 0 ? 0 : static_cast<int>(at(0)));
  for (int i = 1; i <= weight; ++i) append_digit(to, at(i), 0, kBaseDigits);
  if (scale == 0) return;
  append_text(to, ".");
  int rest = scale;
  for (int i = weight + 1; rest > 0; ++i, rest -= kBaseDigits)
    append_digit(to, at(i), 0, static_cast<std::size_t>(std::min(rest, kBaseDigits)));
}

}  // namespace coppice::sql_numeric
