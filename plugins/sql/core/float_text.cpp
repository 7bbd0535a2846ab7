// float_text.cpp — from_chars and to_chars with PostgreSQL's words, limits and exponents.
// Source:   PostgreSQL 15, float8in_internal(), float8out(), d2s.c (when an exponent is written).
#include "plugins/sql/core/float_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/physical_type.h"
#include "interfaces/types/sql_error.h"

namespace coppice::sql_core {
namespace {

template <class T>
constexpr std::string_view kTypeName = sizeof(T) == 4 ? "real" : "double precision";

bool equals_ignoring_case(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, ascii_lower);
}

template <class T>
std::optional<T> word_of(std::string_view body) {
  const bool negative = body.starts_with('-');
  if (negative || body.starts_with('+')) body.remove_prefix(1);
  if (equals_ignoring_case(body, "nan"))
    return std::copysign(std::numeric_limits<T>::quiet_NaN(), negative ? T{-1} : T{1});
  if (equals_ignoring_case(body, "infinity") || equals_ignoring_case(body, "inf"))
    return negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  return {};
}

// The digits of strtod()'s hexadecimal form, "0x1.8p3"; from_chars wants them without "0x".
bool is_hexadecimal(std::string_view digits) {
  return digits.size() > 2 && digits[0] == '0' && ascii_lower(digits[1]) == 'x';
}

}  // namespace

template <class T>
Result<T> float_of(std::string_view text) {
  const std::string_view body = trim_spaces(text);
  if (const std::optional<T> word = word_of<T>(body)) return *word;
  const bool negative = body.starts_with('-');
  std::string_view digits = body;
  if (negative || body.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.'))
    return invalid_text(kTypeName<T>, text);
  const bool hexadecimal = is_hexadecimal(digits);
  if (hexadecimal) digits.remove_prefix(2);
  T value = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(
      digits.data(), end, value, hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (read.ec == std::errc::invalid_argument || read.ptr != end)
    return invalid_text(kTypeName<T>, text);
  if (read.ec == std::errc::result_out_of_range)
    return std::unexpected(sql_error(
        "22003",
        "\"" + std::string(body) + "\" is out of range for type " + std::string(kTypeName<T>)));
  return negative ? -value : value;
}

namespace {

// A value mantissa × 2^exponent2, exactly.
struct Binary {
  std::uint64_t mantissa;
  int exponent2;
};

// Whether digits × 10^exponent10 (at most 17 digits) is exactly `point`.
bool is_exactly(std::uint64_t digits, int exponent10, Binary point) {
  constexpr int kExponentMax = 24;  // above it 5^exponent10 cannot be part of 54 bits
  if (digits == 0 || exponent10 > kExponentMax || exponent10 < -kExponentMax) return false;
  UInt128 left = digits, right = point.mantissa;
  for (int i = 0; i < exponent10; ++i) left *= 5;
  for (int i = 0; i > exponent10; --i) right *= 5;
  int balance = exponent10 - point.exponent2;  // left × 2^balance = right?
  for (; left % 2 == 0; left /= 2) ++balance;
  for (; right % 2 == 0; right /= 2) --balance;
  return left == right && balance == 0;
}

// Whether the text "d.ddde±xx" is half way between `value` and a neighbour. It reads back as
// `value` only by rounding to even, and PostgreSQL does not count on that.
template <class T>
bool is_half_way(std::string_view text, T value) {
  std::uint64_t digits = 0;
  int exponent10 = 0;
  const std::size_t e = text.find('e');
  bool fraction = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') fraction = true;
    if (!is_digit(c)) continue;
    digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
    if (fraction) --exponent10;
  }
  int written = 0;
  const std::size_t number_at = text[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(text.data() + number_at, text.data() + text.size(), written);
  exponent10 += written;
  for (; digits != 0 && digits % 10 == 0; digits /= 10) ++exponent10;

  int exponent2 = 0;
  const T fraction_part = std::frexp(std::fabs(value), &exponent2);
  constexpr int kBits = std::numeric_limits<T>::digits;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction_part, kBits));
  exponent2 -= kBits;
  const bool lowest = mantissa == std::uint64_t{1} << (kBits - 1);  // the one below is nearer
  const Binary below =
      lowest ? Binary{4 * mantissa - 1, exponent2 - 2} : Binary{2 * mantissa - 1, exponent2 - 1};
  return is_exactly(digits, exponent10, {2 * mantissa + 1, exponent2 - 1}) ||
         is_exactly(digits, exponent10, below);
}

// The shortest "d.ddde±xx" that reads back as the value.
template <class T>
std::string_view shortest(std::array<char, 64>& buffer, T value) {
  const auto text_up_to = [&](const char* end) {
    return std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  };
  char* const limit = buffer.data() + buffer.size();
  std::string_view text =
      text_up_to(std::to_chars(buffer.data(), limit, value, std::chars_format::scientific).ptr);
  for (int digits = 1; digits < std::numeric_limits<T>::max_digits10 && is_half_way(text, value);) {
    T back = 0;
    do {
      text = text_up_to(
          std::to_chars(buffer.data(), limit, value, std::chars_format::scientific, digits).ptr);
      ++digits;
      std::from_chars(text.data(), text.data() + text.size(), back);
    } while (back != value && digits < std::numeric_limits<T>::max_digits10);
  }
  return text;
}

// "d.ddde±xx" into PostgreSQL's choice of notation.
template <class T>
void append_shortest(ByteBuffer& to, T value) {
  std::array<char, 64> buffer;
  const std::string_view text = shortest(buffer, value);
  const std::size_t e = text.find('e');
  int exponent = 0;
  const std::size_t number_at = text[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(text.data() + number_at, text.data() + text.size(), exponent);
  constexpr int kFixedDigitsMax = std::numeric_limits<T>::digits10;
  if (exponent < -4 || exponent >= kFixedDigitsMax) return append_text(to, text);

  std::string digits;
  if (text[0] == '-') append_text(to, "-");
  for (const char c : text.substr(0, e))
    if (is_digit(c)) digits.push_back(c);
  if (exponent < 0) {
    append_text(to, "0.");
    append_text(to, std::string(static_cast<std::size_t>(-exponent - 1), '0'));
    return append_text(to, digits);
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    digits.append(whole - digits.size(), '0');
    return append_text(to, digits);
  }
  append_text(to, std::string_view(digits).substr(0, whole));
  append_text(to, ".");
  append_text(to, std::string_view(digits).substr(whole));
}

}  // namespace

template <class T>
void append_float(ByteBuffer& to, T value, int extra_float_digits) {
  if (std::isnan(value)) return append_text(to, "NaN");
  if (std::isinf(value)) return append_text(to, value > 0 ? "Infinity" : "-Infinity");
  if (extra_float_digits > 0) {
    if (value == 0) return append_text(to, std::signbit(value) ? "-0" : "0");
    return append_shortest(to, value);
  }
  const int digits = std::max(std::numeric_limits<T>::digits10 + extra_float_digits, 1);
  std::array<char, 64> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::general, digits);
  append_text(to, {buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data())});
}

template Result<float> float_of<float>(std::string_view);
template Result<double> float_of<double>(std::string_view);
template void append_float<float>(ByteBuffer&, float, int);
template void append_float<double>(ByteBuffer&, double, int);

}  // namespace coppice::sql_core
