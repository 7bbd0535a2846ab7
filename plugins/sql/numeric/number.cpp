// number.cpp — numbers to and from bytes; rounding and order.
#include "plugins/sql/numeric/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "interfaces/types/sql_error.h"

namespace coppice::sql_numeric {
namespace {

constexpr std::array<int, 5> kPowers = {1, 10, 100, 1000, 10000};

std::uint16_t field(ByteView bytes, std::size_t index) {
  return load_be<std::uint16_t>(bytes.data() + index * 2);
}

void append_field(std::string& to, unsigned value) {
  to.push_back(static_cast<char>(value >> 8 & 0xFF));
  to.push_back(static_cast<char>(value & 0xFF));
}

void make_zero(Number& value) {
  value.digits.clear();
  value.weight = 0;
  value.negative = false;
}

// Adds one to the digit before `count` and cuts the rest.
void cut_with_carry(Number& value, std::size_t count) {
  value.digits.truncate(count);
  while (count > 0) {
    Digit& digit = value.digits[--count];
    if (digit != kBase - 1) {
      ++digit;
      return;
    }
    digit = 0;
  }
  value.digits.push_front(1);
  ++value.weight;
}

// Where the decimal digit after the last one kept is.
struct Cut {
  std::int64_t decimals;  // decimal digits kept, from the first digit on
  std::size_t whole;      // digits kept whole
  int part;               // decimal digits kept of the next one
};
Cut cut_at(const Number& value, int scale) {
  const std::int64_t decimals = (std::int64_t{value.weight} + 1) * kBaseDigits + scale;
  if (decimals < 0) return {decimals, 0, 0};
  return {decimals, static_cast<std::size_t>(decimals / kBaseDigits),
          static_cast<int>(decimals % kBaseDigits)};
}

}  // namespace

Number special(Kind kind) {
  Number to;
  to.kind = kind;
  return to;
}

Number number_of(Int128 unscaled, int scale) {
  std::string bytes;
  append_numeric(bytes, unscaled, static_cast<unsigned>(scale));
  Number to;
  load(as_bytes(bytes), to);
  return to;
}

bool to_int64(const Number& value, std::int64_t& to) {
  constexpr int kWeightOfInt64 = 4;  // 10000^5 > 2^63
  const Number* from = &value;
  Number rounded;
  if (!value.integral()) {
    rounded = value;
    round_to(rounded, 0);
    from = &rounded;
  }
  to = 0;
  if (from->digits.empty()) return true;
  if (from->weight > kWeightOfInt64) return false;
  for (int power = from->weight; power >= 0; --power) {  // below zero, where the range is wider
    if (__builtin_mul_overflow(to, kBase, &to)) return false;
    if (__builtin_sub_overflow(to, from->at_power(power), &to)) return false;
  }
  return from->negative || !__builtin_sub_overflow(std::int64_t{0}, to, &to);
}

double approximate(const Number& value) {
  if (value.nan()) return std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!value.finite()) return value.sign() * kInfinity;
  constexpr std::size_t kEnough = 6;
  std::string text = "0.";
  const std::size_t count = std::min(kEnough, value.digits.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string digit = std::to_string(kBase + value.digits[i]);
    text.append(digit, 1);
  }
  text += "e" + std::to_string((value.weight + 1) * kBaseDigits);
  double magnitude = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  if (read.ec == std::errc::result_out_of_range) magnitude = value.weight > 0 ? kInfinity : 0;
  return value.negative ? -magnitude : magnitude;
}

void load(ByteView bytes, Number& to) {
  const std::uint16_t sign = field(bytes, 2);
  to.kind = Kind::kFinite;
  to.negative = sign == kNumericNegative;
  to.weight = static_cast<std::int16_t>(field(bytes, 1));
  to.scale = field(bytes, 3);
  if (sign >= kNumericNan) {
    to.kind = sign == kNumericNan        ? Kind::kNan
              : sign == kNumericInfinity ? Kind::kInfinity
                                         : Kind::kNegativeInfinity;
    to.scale = 0;
    to.digits.clear();
    return;
  }
  const std::size_t count = (bytes.size() - kNumericHeaderBytes) / 2;
  Digit* const digits = to.digits.raw(count);
  for (std::size_t i = 0; i < count; ++i) digits[i] = field(bytes, 4 + i);
}

std::unexpected<Error> overflow() {
  return std::unexpected(sql_error("22003", "value overflows numeric format"));
}

Status store(const Number& value, std::string& to) {
  if (!value.finite()) {
    append_field(to, 0);
    append_field(to, 0);
    append_field(to, value.nan()                     ? kNumericNan
                     : value.kind == Kind::kInfinity ? kNumericInfinity
                                                     : kNumericNegativeInfinity);
    append_field(to, value.nan() ? 0 : kInfinityScale);
    return {};
  }
  if (value.weight > kWeightMax || value.weight < -kWeightMax - 1 || value.scale > kScaleMax ||
      value.scale < 0)
    return overflow();
  const std::size_t at = to.size(), count = value.digits.size();
  to.resize(at + kNumericHeaderBytes + count * 2);
  auto* const bytes = reinterpret_cast<std::byte*>(to.data() + at);
  store_be(bytes, static_cast<std::uint16_t>(count));
  store_be(bytes + 2, static_cast<std::int16_t>(value.weight));
  store_be(bytes + 4, value.negative ? kNumericNegative : kNumericPositive);
  store_be(bytes + 6, static_cast<std::uint16_t>(value.scale));
  for (std::size_t i = 0; i < count; ++i)
    store_be(bytes + kNumericHeaderBytes + i * 2, value.digits[i]);
  return {};
}

void normalise(Number& value) {
  Digits& digits = value.digits;
  std::size_t end = digits.size(), begin = 0;
  while (end > 0 && digits[end - 1] == 0) --end;
  digits.truncate(end);
  while (begin < end && digits[begin] == 0) ++begin;
  digits.drop_front(begin);
  value.weight -= static_cast<int>(begin);
  if (digits.empty()) make_zero(value);
}

void round_to(Number& value, int scale) {
  value.scale = scale;
  if (value.digits.empty()) return;
  const Cut cut = cut_at(value, scale);
  if (cut.decimals < 0) return make_zero(value);
  if (cut.whole >= value.digits.size()) return;
  Digit& digit = value.digits[cut.whole];
  const int low = kPowers[static_cast<std::size_t>(kBaseDigits - cut.part)];
  const int dropped = digit % low;
  if (cut.part == 0) {
    if (dropped >= kBase / 2)
      cut_with_carry(value, cut.whole);
    else
      value.digits.truncate(cut.whole);
  } else {
    const int kept = digit - dropped + (dropped >= low / 2 ? low : 0);
    if (kept >= kBase) {
      cut_with_carry(value, cut.whole);
    } else {
      digit = static_cast<Digit>(kept);
      value.digits.truncate(cut.whole + 1);
    }
  }
  normalise(value);
}

void truncate_to(Number& value, int scale) {
  value.scale = scale;
  if (value.digits.empty()) return;
  const Cut cut = cut_at(value, scale);
  if (cut.decimals <= 0) return make_zero(value);
  if (cut.whole >= value.digits.size()) return;
  if (cut.part == 0) {
    value.digits.truncate(cut.whole);
  } else {
    Digit& digit = value.digits[cut.whole];
    const int low = kPowers[static_cast<std::size_t>(kBaseDigits - cut.part)];
    digit = static_cast<Digit>(digit - digit % low);
    value.digits.truncate(cut.whole + 1);
  }
  normalise(value);
}

int compare_magnitudes(const Number& a, const Number& b) {
  if (a.digits.empty() || b.digits.empty())
    return static_cast<int>(!a.digits.empty()) - static_cast<int>(!b.digits.empty());
  if (a.weight != b.weight) return a.weight < b.weight ? -1 : 1;
  const auto first = a.digits.view(), second = b.digits.view();
  const auto order = std::lexicographical_compare_three_way(first.begin(), first.end(),
                                                            second.begin(), second.end());
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

int compare(const Number& a, const Number& b) {
  const int sign = a.sign();
  if (sign != b.sign()) return sign < b.sign() ? -1 : 1;
  return sign < 0 ? -compare_magnitudes(a, b) : compare_magnitudes(a, b);
}

namespace {

int rank_of(std::uint16_t sign, bool zero) {
  if (sign == kNumericNan) return 3;
  if (sign == kNumericInfinity) return 2;
  if (sign == kNumericNegativeInfinity) return -2;
  if (zero) return 0;
  return sign == kNumericNegative ? -1 : 1;
}

}  // namespace

int compare_bytes(ByteView a, ByteView b) {
  const int rank = rank_of(field(a, 2), a.size() == kNumericHeaderBytes);
  const int other = rank_of(field(b, 2), b.size() == kNumericHeaderBytes);
  if (rank != other) return rank < other ? -1 : 1;
  if (rank != 1 && rank != -1) return 0;
  const auto first = static_cast<std::int16_t>(field(a, 1));
  const auto second = static_cast<std::int16_t>(field(b, 1));
  if (first != second) return (first < second) == (rank > 0) ? -1 : 1;
  // Digits are big-endian and end in one that is not 0: their bytes order as they do.
  const int order =
      as_text(a.subspan(kNumericHeaderBytes)).compare(as_text(b.subspan(kNumericHeaderBytes)));
  return order == 0 ? 0 : (order < 0) == (rank > 0) ? -1 : 1;
}

Precision precision_of(std::int32_t modifier) {
  const std::int32_t packed = modifier - kModifierOffset;
  return {packed >> 16 & 0xFFFF, ((packed & 0x7FF) ^ 0x400) - 0x400};
}

std::int32_t modifier_of(Precision precision) {
  return (precision.digits << 16 | (precision.scale & 0x7FF)) + kModifierOffset;
}

namespace {

std::unexpected<Error> field_overflow(Precision precision, std::string_view why) {
  return std::unexpected(
      sql_error("22003", "numeric field overflow")
          .note(sql_field::kDetail, "A field with precision " + std::to_string(precision.digits) +
                                        ", scale " + std::to_string(precision.scale) + " " +
                                        std::string(why)));
}

int decimal_digits(int value) {
  int count = 0;
  while (count < kBaseDigits && value >= kPowers[static_cast<std::size_t>(count)]) ++count;
  return count;
}

}  // namespace

Status fit(Number& value, std::int32_t modifier) {
  if (!has_precision(modifier) || value.nan()) return {};
  const Precision precision = precision_of(modifier);
  if (!value.finite()) return field_overflow(precision, "cannot hold an infinite value.");
  round_to(value, precision.scale);
  value.scale = std::max(value.scale, 0);
  if (value.digits.empty()) return {};
  const int before_point = precision.digits - precision.scale;
  const std::int64_t has =
      std::int64_t{value.weight} * kBaseDigits + decimal_digits(value.digits[0]);
  if (has <= before_point) return {};
  return field_overflow(
      precision, "must round to an absolute value less than " +
                     (before_point == 0 ? std::string("1") : "10^" + std::to_string(before_point)) +
                     ".");
}

}  // namespace coppice::sql_numeric
