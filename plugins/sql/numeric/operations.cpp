// operations.cpp — the rules for special values around the arithmetic of finite ones.
#include "plugins/sql/numeric/operations.h"

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/numeric/arithmetic.h"
#include "plugins/sql/numeric/breathe.h"
#include "plugins/sql/numeric/powers.h"

namespace coppice::sql_numeric::op {
namespace {

Number infinity(int sign) {
  return special(sign > 0 ? Kind::kInfinity : Kind::kNegativeInfinity);
}
Number not_a_number() {
  return special(Kind::kNan);
}
bool both_finite(const Number& a, const Number& b) {
  return a.finite() && b.finite();
}
Number opposite(const Number& a) {
  if (a.infinite()) return infinity(-a.sign());
  Number to = a;
  to.negative = !a.negative && !a.digits.empty();
  return to;
}
std::unexpected<Error> by_zero() {
  return std::unexpected(fault_error(Fault::kDivisionByZero));
}

}  // namespace

Answer sum(const Number& a, const Number& b) {
  if (both_finite(a, b)) return add(a, b);
  if (a.nan() || b.nan()) return not_a_number();
  if (a.infinite() && b.infinite() && a.kind != b.kind) return not_a_number();
  return special(a.infinite() ? a.kind : b.kind);
}

Answer difference(const Number& a, const Number& b) {
  if (both_finite(a, b)) return subtract(a, b);
  return sum(a, opposite(b));
}

Answer product(const Number& a, const Number& b) {
  if (both_finite(a, b)) {
    Number to = multiply(a, b);
    if (to.scale > kScaleMax) round_to(to, kScaleMax);
    return to;
  }
  if (a.nan() || b.nan()) return not_a_number();
  const int sign = a.sign() * b.sign();
  return sign == 0 ? not_a_number() : infinity(sign);
}

namespace {

// Where a or b is special.
Answer special_quotient(const Number& a, const Number& b) {
  if (a.nan() || b.nan() || (a.infinite() && b.infinite())) return not_a_number();
  if (b.infinite()) return Number();
  if (b.zero()) return by_zero();
  return infinity(a.sign() * b.sign());
}

}  // namespace

Answer quotient(const Number& a, const Number& b) {
  if (!both_finite(a, b)) return special_quotient(a, b);
  if (b.zero()) return by_zero();
  return divide(a, b, quotient_scale(a, b));
}

Answer whole_quotient(const Number& a, const Number& b) {
  if (!both_finite(a, b)) return special_quotient(a, b);
  if (b.zero()) return by_zero();
  return divide(a, b, 0, Rounding::kTruncate);
}

Answer modulo(const Number& a, const Number& b) {
  if (a.nan() || b.nan()) return not_a_number();
  if (b.zero()) return by_zero();
  if (a.infinite()) return not_a_number();
  if (b.infinite()) return a;
  return remainder(a, b);
}

Answer greatest_divisor(const Number& a, const Number& b) {
  if (!both_finite(a, b)) return not_a_number();
  Number to = a, rest = b;
  while (!rest.digits.empty()) {
    Number next = remainder(to, rest);
    COPPICE_TRY(breathe(to.digits.size()));
    to = std::move(rest);
    rest = std::move(next);
  }
  to.negative = false;
  to.scale = std::max(a.scale, b.scale);
  return to;
}

Answer least_multiple(const Number& a, const Number& b) {
  if (!both_finite(a, b)) return not_a_number();
  Number to;
  if (!a.zero() && !b.zero()) {
    const Number divisor = COPPICE_TRY(greatest_divisor(a, b));
    to = multiply(b, divide(a, divisor, 0, Rounding::kTruncate), b.scale);
    to.negative = false;
  }
  to.scale = std::max(a.scale, b.scale);
  return to;
}

Answer log_to_base(const Number& base, const Number& value) {
  if (both_finite(base, value)) return logarithm(base, value);
  if (base.nan() || value.nan()) return not_a_number();
  if (base.sign() < 0 || value.sign() < 0) return std::unexpected(fault_error(Fault::kLogNegative));
  if (base.sign() == 0 || value.sign() == 0) return std::unexpected(fault_error(Fault::kLogZero));
  if (base.infinite()) return value.infinite() ? not_a_number() : Number();
  return infinity(1);
}

namespace {

bool is_one(const Number& a) {
  return a.finite() && compare(a, number_of(1)) == 0;
}

// POSIX's rules for pow(), where an argument is an infinity and none is NaN.
Answer infinite_power(const Number& base, const Number& exponent) {
  const int base_sign = base.sign(), exponent_sign = exponent.sign();
  if (base_sign == 0 && exponent_sign < 0)
    return std::unexpected(fault_error(Fault::kPowerZeroNegative));
  if (base_sign < 0 && !exponent.integral())
    return std::unexpected(fault_error(Fault::kPowerComplex));
  if (is_one(base) || exponent_sign == 0) return number_of(1);
  if (base_sign == 0) return Number();
  if (exponent.infinite()) {
    if (base.finite() && compare(base, number_of(-1)) == 0) return number_of(1);
    const bool grows = base.infinite() || compare_magnitudes(base, number_of(1)) > 0;
    return grows == (exponent_sign > 0) ? infinity(1) : Number();
  }
  if (exponent_sign < 0) return Number();
  const bool is_odd = (exponent.at_power(0) & 1) != 0;
  return infinity(base_sign < 0 && is_odd ? -1 : 1);
}

}  // namespace

Answer raise(const Number& a, const Number& b) {
  if (both_finite(a, b)) return power(a, b);
  if (a.nan()) return b.zero() ? number_of(1) : not_a_number();
  if (b.nan()) return is_one(a) ? number_of(1) : not_a_number();
  return infinite_power(a, b);
}

Answer identity(const Number& a) {
  return a;
}
Answer negate(const Number& a) {
  return opposite(a);
}
Answer absolute(const Number& a) {
  if (a.infinite()) return infinity(1);
  Number to = a;
  to.negative = false;
  return to;
}
Answer sign(const Number& a) {
  return a.nan() ? a : number_of(a.sign());
}
Answer ceiling(const Number& a) {
  return a.finite() ? ceiling_of(a) : a;
}
Answer floor(const Number& a) {
  return a.finite() ? floor_of(a) : a;
}
Answer round(const Number& a) {
  return round_at(a, 0);
}
Answer truncate(const Number& a) {
  return truncate_at(a, 0);
}

Answer root(const Number& a) {
  if (a.nan()) return a;
  if (a.sign() < 0) return std::unexpected(fault_error(Fault::kSqrtNegative));
  if (a.infinite()) return a;
  const int weight = (a.weight + 1) * kBaseDigits / 2 - 1;
  const int scale = std::max({kSignificantDigitsMin - weight, a.scale, 0});
  return square_root(a, std::min(scale, kShownScaleMax));
}

Answer exp(const Number& a) {
  if (a.finite()) return exponential(a);
  return a.kind == Kind::kNegativeInfinity ? Number() : a;
}

Answer ln(const Number& a) {
  if (a.finite()) return natural_logarithm(a);
  if (a.kind == Kind::kNegativeInfinity) return std::unexpected(fault_error(Fault::kLogNegative));
  return a;
}

Answer log10(const Number& a) {
  return log_to_base(number_of(10), a);
}

int least_scale(const Number& a) {
  if (a.digits.empty()) return 0;
  int scale = (static_cast<int>(a.digits.size()) - a.weight - 1) * kBaseDigits;
  if (scale <= 0) return 0;
  for (int last = a.digits.back(); last % 10 == 0; last /= 10) --scale;
  return scale;
}

Answer trim_scale(const Number& a) {
  Number to = a;
  to.scale = least_scale(a);
  return to;
}

namespace {

// No stored digit is further from the point.
constexpr std::int32_t kPlacesMax = (kWeightMax + 1) * kBaseDigits;

int clamped(std::int32_t scale) {
  return std::min(std::max(scale, -kPlacesMax - 1), kScaleMax);
}

}  // namespace

Answer round_at(const Number& a, std::int32_t scale) {
  Number to = a;
  if (!a.finite()) return to;
  round_to(to, clamped(scale));
  to.scale = std::max(to.scale, 0);
  return to;
}

Answer truncate_at(const Number& a, std::int32_t scale) {
  Number to = a;
  if (!a.finite()) return to;
  truncate_to(to, clamped(scale));
  to.scale = std::max(to.scale, 0);
  return to;
}

Answer factorial(std::int64_t n) {
  constexpr std::int64_t kMax = 32177;  // the last one that can be stored
  if (n < 0)
    return std::unexpected(sql_error("22003", "factorial of a negative number is undefined"));
  if (n > kMax) return overflow();
  Number to = number_of(1);
  for (std::int64_t factor = 2; factor <= n; ++factor) {
    to = multiply(to, number_of(factor));
    COPPICE_TRY(breathe(to.digits.size()));
  }
  return to;
}

namespace {

std::unexpected<Error> bucket_error(std::string_view why) {
  return std::unexpected(sql_error("2201G", std::string(why)));
}

Result<std::int32_t> bucket_number(std::int64_t number) {
  if (number > std::numeric_limits<std::int32_t>::max())
    return std::unexpected(fault_error(Fault::kInt4Range));
  return static_cast<std::int32_t>(number);
}

int compare_any(const Number& a, const Number& b) {
  if (both_finite(a, b)) return compare(a, b);
  return a.infinite() ? a.sign() : -b.sign();
}

}  // namespace

Result<std::int32_t> bucket(const Number& value, const Number& low, const Number& high,
                            std::int32_t count) {
  if (count <= 0) return bucket_error("count must be greater than zero");
  if (value.nan() || low.nan() || high.nan())
    return bucket_error("operand, lower bound, and upper bound cannot be NaN");
  if (low.infinite() || high.infinite())
    return bucket_error("lower and upper bounds must be finite");
  const int direction = compare(high, low);
  if (direction == 0) return bucket_error("lower bound cannot equal upper bound");
  const int from_low = compare_any(value, low) * direction;
  if (from_low < 0) return 0;
  if (compare_any(value, high) * direction >= 0) return bucket_number(std::int64_t{count} + 1);
  const Number span = subtract(high, low);
  const Number scaled = multiply(subtract(value, low), number_of(count));
  const Number ratio = divide(scaled, span, quotient_scale(scaled, span));
  if (compare(ratio, number_of(count)) >= 0) return count;
  std::int64_t number = 0;
  to_int64(floor_of(ratio), number);
  return bucket_number(number + 1);
}

}  // namespace coppice::sql_numeric::op
