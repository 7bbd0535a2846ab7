// arithmetic.cpp — sums, products and quotients, digit by digit.
#include "plugins/sql/numeric/arithmetic.h"

#include <array>
#include <vector>

#include "kernel/base/assert.h"

namespace coppice::sql_numeric {
namespace {

int low_power(const Number& value) {
  return value.weight - static_cast<int>(value.digits.size()) + 1;
}

Number add_magnitudes(const Number& a, const Number& b) {
  Number to;
  if (a.digits.empty() || b.digits.empty()) {
    to = a.digits.empty() ? b : a;
    return to;
  }
  to.weight = std::max(a.weight, b.weight) + 1;
  const int low = std::min(low_power(a), low_power(b));
  const auto count = static_cast<std::size_t>(to.weight - low + 1);
  Digit* const digits = to.digits.raw(count);
  int carry = 0;
  for (int power = low; power <= to.weight; ++power) {
    int sum = a.at_power(power) + b.at_power(power) + carry;
    carry = sum >= kBase ? 1 : 0;
    sum -= carry * kBase;
    digits[static_cast<std::size_t>(to.weight - power)] = static_cast<Digit>(sum);
  }
  normalise(to);
  return to;
}

// |a| >= |b|.
Number subtract_magnitudes(const Number& a, const Number& b) {
  Number to;
  to.weight = a.weight;
  if (b.digits.empty()) {
    to.digits = a.digits;
    return to;
  }
  const int low = std::min(low_power(a), low_power(b));
  Digit* const digits = to.digits.raw(static_cast<std::size_t>(to.weight - low + 1));
  int borrow = 0;
  for (int power = low; power <= to.weight; ++power) {
    int difference = a.at_power(power) - b.at_power(power) - borrow;
    borrow = difference < 0 ? 1 : 0;
    difference += borrow * kBase;
    digits[static_cast<std::size_t>(to.weight - power)] = static_cast<Digit>(difference);
  }
  normalise(to);
  return to;
}

Number add_signed(const Number& a, const Number& b, bool b_negative) {
  Number to;
  if (a.negative == b_negative) {
    to = add_magnitudes(a, b);
    to.negative = a.negative && !to.digits.empty();
  } else {
    const int order = compare_magnitudes(a, b);
    if (order > 0) {
      to = subtract_magnitudes(a, b);
      to.negative = a.negative;
    } else if (order < 0) {
      to = subtract_magnitudes(b, a);
      to.negative = b_negative;
    }
  }
  if (to.digits.empty()) to.negative = false;
  to.scale = std::max(a.scale, b.scale);
  return to;
}

}  // namespace

Number add(const Number& a, const Number& b) {
  return add_signed(a, b, b.negative);
}

Number subtract(const Number& a, const Number& b) {
  return add_signed(a, b, !b.negative && !b.digits.empty());
}

namespace {

// columns[i + j + 1] += a[i] * b[j]
void multiply_into(std::span<const Digit> a, std::span<const Digit> b,
                   std::span<std::uint64_t> columns, Digit* to) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint32_t factor = a[i];
    std::uint64_t* const row = columns.data() + i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) row[j] += factor * std::uint32_t{b[j]};
  }
  std::uint64_t carry = 0;
  for (std::size_t i = columns.size(); i-- > 0;) {
    const std::uint64_t sum = columns[i] + carry;
    carry = sum / kBase;
    to[i] = static_cast<Digit>(sum % kBase);
  }
}

constexpr std::uint64_t kPairBase = std::uint64_t{kBase} * kBase;

// Two digits at a time, least significant first.
std::vector<std::uint32_t> pairs_of(std::span<const Digit> digits) {
  std::vector<std::uint32_t> pairs((digits.size() + 1) / 2);
  for (std::size_t i = 0; i < digits.size(); ++i)
    pairs[i / 2] += digits[digits.size() - 1 - i] * (i % 2 == 0 ? 1U : std::uint32_t{kBase});
  return pairs;
}

void carry_pairs(std::span<std::uint64_t> columns) {
  std::uint64_t carry = 0;
  for (std::uint64_t& column : columns) {
    column += carry;
    carry = column / kPairBase;
    column %= kPairBase;
  }
}

void multiply_long(std::span<const Digit> a, std::span<const Digit> b, std::span<Digit> to) {
  const std::vector<std::uint32_t> shorter = pairs_of(a), longer = pairs_of(b);
  std::vector<std::uint64_t> columns(shorter.size() + longer.size());
  constexpr std::size_t kRows = 1024;  // 1025 products of pairs stay below 2^64
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const std::uint64_t factor = shorter[i];
    std::uint64_t* const row = columns.data() + i;
    for (std::size_t j = 0; j < longer.size(); ++j) row[j] += factor * longer[j];
    if (i % kRows == kRows - 1) carry_pairs(columns);
  }
  carry_pairs(columns);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::uint64_t pair = columns[i / 2];
    to[to.size() - 1 - i] = static_cast<Digit>(i % 2 == 0 ? pair % kBase : pair / kBase);
  }
}

}  // namespace

Number multiply(const Number& a, const Number& b, int scale) {
  Number to;
  to.scale = scale;
  if (a.digits.empty() || b.digits.empty()) return to;
  const std::size_t count = a.digits.size() + b.digits.size();
  to.negative = a.negative != b.negative;
  to.weight = a.weight + b.weight + 1;
  Digit* const digits = to.digits.raw(count);
  const bool a_shorter = a.digits.size() < b.digits.size();
  const auto shorter = a_shorter ? a.digits.view() : b.digits.view();
  const auto longer = a_shorter ? b.digits.view() : a.digits.view();
  constexpr std::size_t kSmall = 32, kFew = 8;
  if (count <= kSmall) {
    std::array<std::uint64_t, kSmall> columns{};
    multiply_into(shorter, longer, std::span(columns).first(count), digits);
  } else if (shorter.size() <= kFew) {
    std::vector<std::uint64_t> columns(count);
    multiply_into(shorter, longer, columns, digits);
  } else {
    multiply_long(shorter, longer, {digits, count});
  }
  normalise(to);
  round_to(to, scale);
  return to;
}

namespace {

// quotient[i] for i < count, of a divisor that fits in three digits. `dividend` gives its digits,
// then zeros.
void divide_short(std::span<const Digit> a, std::span<const Digit> b, std::span<Digit> quotient) {
  std::uint64_t divisor = 0, rest = 0;
  for (const Digit digit : b) divisor = divisor * kBase + digit;
  for (std::size_t i = 0; i < b.size() - 1; ++i) rest = rest * kBase + (i < a.size() ? a[i] : 0);
  for (std::size_t i = 0; i < quotient.size(); ++i) {
    const std::size_t at = i + b.size() - 1;
    rest = rest * kBase + (at < a.size() ? a[at] : 0);
    quotient[i] = static_cast<Digit>(rest / divisor);
    rest %= divisor;
  }
}

// Knuth's algorithm D: both sides times `d`, so that the estimate of a digit is at most 2 too big.
struct LongDivision {
  std::vector<std::int32_t> rest;     // one more digit in front than the dividend
  std::vector<std::int32_t> divisor;  // its first digit is at least half of the base

  LongDivision(std::span<const Digit> a, std::span<const Digit> b, std::size_t count)
      : rest(count + b.size()), divisor(b.size()) {
    const std::int32_t d = kBase / (b[0] + 1);
    scale(b, d, divisor);
    scale(a.first(std::min(a.size(), rest.size() - 1)), d, std::span(rest).subspan(1));
    rest[0] = scaled_carry;
  }

  // to = from * d, left-aligned; what comes out in front is kept as `scaled_carry`.
  void scale(std::span<const Digit> from, std::int32_t d, std::span<std::int32_t> to) {
    scaled_carry = 0;
    for (std::size_t i = from.size(); i-- > 0;) {
      const std::int32_t product = from[i] * d + scaled_carry;
      scaled_carry = product / kBase;
      to[i] = product % kBase;
    }
  }

  // One digit of the quotient; rest[at …] becomes what remains.
  Digit next(std::size_t at) {
    const std::size_t n = divisor.size();
    std::int32_t* const from = rest.data() + at;
    const std::int64_t top = std::int64_t{from[0]} * kBase + from[1];
    std::int64_t digit = std::min<std::int64_t>(top / divisor[0], kBase - 1);
    while (digit * divisor[1] > (top - digit * divisor[0]) * kBase + from[2]) --digit;
    std::int64_t borrow = 0;
    for (std::size_t i = n; i > 0; --i) {
      std::int64_t left = from[i] - digit * divisor[i - 1] - borrow;
      borrow = left < 0 ? (kBase - 1 - left) / kBase : 0;
      left += borrow * kBase;
      from[i] = static_cast<std::int32_t>(left);
    }
    std::int64_t first = from[0] - borrow;
    if (first < 0) {  // one too big after all
      --digit;
      std::int32_t carry = 0;
      for (std::size_t i = n; i > 0; --i) {
        const std::int32_t sum = from[i] + divisor[i - 1] + carry;
        carry = sum >= kBase ? 1 : 0;
        from[i] = sum - carry * kBase;
      }
      first += carry;
    }
    COPPICE_ASSERT(first == 0);
    from[0] = 0;
    return static_cast<Digit>(digit);
  }

  std::int32_t scaled_carry = 0;
};

constexpr std::size_t kShortDivisor = 3;

// The quotient's digits from 10000^(a.weight - b.weight) down, cut.
void divide_digits(const Number& a, const Number& b, std::size_t count, Digits& quotient) {
  Digit* const to = quotient.raw(count);
  if (b.digits.size() <= kShortDivisor) {
    // The first digit of the quotient comes from as many digits as the divisor has.
    return divide_short(a.digits.view(), b.digits.view(), {to, count});
  }
  LongDivision division(a.digits.view(), b.digits.view(), count);
  for (std::size_t i = 0; i < count; ++i) to[i] = division.next(i);
}

int ceiling_of_quarter(int value) {
  return value >= 0 ? (value + kBaseDigits - 1) / kBaseDigits : -(-value / kBaseDigits);
}

}  // namespace

Number divide(const Number& a, const Number& b, int scale, Rounding rounding) {
  COPPICE_ASSERT(!b.digits.empty());
  Number to;
  to.scale = scale;
  if (a.digits.empty()) return to;
  to.negative = a.negative != b.negative;
  to.weight = a.weight - b.weight;
  const int guard = rounding == Rounding::kHalfUp ? 1 : 0;
  const int count = std::max(to.weight + 1 + ceiling_of_quarter(scale), 1) + guard;
  divide_digits(a, b, static_cast<std::size_t>(count), to.digits);
  normalise(to);
  if (rounding == Rounding::kHalfUp)
    round_to(to, scale);
  else
    truncate_to(to, scale);
  return to;
}

int quotient_scale(const Number& a, const Number& b) {
  const int first = a.digits.empty() ? 0 : a.digits[0];
  const int second = b.digits.empty() ? 0 : b.digits[0];
  int weight = a.weight - b.weight;
  if (first <= second) --weight;
  const int scale = std::max({kSignificantDigitsMin - weight * kBaseDigits, a.scale, b.scale, 0});
  return std::min(scale, kShownScaleMax);
}

Number remainder(const Number& a, const Number& b) {
  const Number quotient = divide(a, b, 0, Rounding::kTruncate);
  return subtract(a, multiply(b, quotient, b.scale));
}

Number floor_of(const Number& value) {
  Number to = value;
  truncate_to(to, 0);
  if (value.negative && !value.integral()) to = subtract(to, number_of(1));
  return to;
}

Number ceiling_of(const Number& value) {
  Number to = value;
  truncate_to(to, 0);
  if (!value.negative && !value.integral()) to = add(to, number_of(1));
  return to;
}

}  // namespace coppice::sql_numeric
