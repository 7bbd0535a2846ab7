// powers.cpp — Taylor series after range reduction, with the scales that PostgreSQL chooses.
#include "plugins/sql/numeric/powers.h"

#include <cmath>
#include <limits>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/numeric/arithmetic.h"
#include "plugins/sql/numeric/breathe.h"

namespace coppice::sql_numeric {
namespace {

constexpr double kLog10OfE = 0.434294481903252;
constexpr double kLog10Of2 = 0.301029995663981;
constexpr int kGuardDigits = 8;

int shown_scale(int scale, int least = 0, int other = 0) {
  return std::min(std::max({scale, least, other, 0}), kShownScaleMax);
}

Number zero(int scale) {
  Number to;
  to.scale = scale;
  return to;
}

// x^n/n! added up until it vanishes; |x| is about 0.01 at most.
Number exponential_series(const Number& x, int scale) {
  Number sum = add(number_of(1), x);
  Number term = divide(multiply(x, x, scale), number_of(2), scale);
  for (int n = 3; !term.digits.empty(); ++n) {
    sum = add(sum, term);
    term = divide(multiply(term, x, scale), number_of(n), scale);
  }
  return sum;
}

Result<Number> exponential(const Number& value, int scale) {
  double estimate = approximate(value);
  if (std::fabs(estimate) >= kResultScaleMax * 3) {
    if (estimate > 0) return overflow();
    return zero(scale);
  }
  const int result_weight = static_cast<int>(estimate * kLog10OfE);
  Number x = value;
  int halvings = 0;
  for (; std::fabs(estimate) > 0.01; estimate /= 2) ++halvings;
  if (halvings > 0) x = divide(x, number_of(Int128{1} << halvings), x.scale + halvings);
  const int extra = static_cast<int>(halvings * kLog10Of2);
  const int significant = std::max(1 + result_weight + scale + extra, 0) + kGuardDigits;
  Number to = exponential_series(x, significant - 1);
  for (; halvings > 0; --halvings)
    to = multiply(to, to, std::max(significant - to.weight * 2 * kBaseDigits, 0));
  round_to(to, scale);
  return to;
}

// About where the first decimal digit of the logarithm is.
int logarithm_weight(const Number& value) {
  if (value.sign() <= 0) return 0;
  if (compare(value, number_of(9, 1)) >= 0 && compare(value, number_of(11, 1)) <= 0) {
    const Number x = subtract(value, number_of(1));  // ln(1 + x) is about x
    if (x.digits.empty()) return 0;
    return x.weight * kBaseDigits + static_cast<int>(std::log10(double{1} * x.digits[0]));
  }
  double digits = value.digits[0];
  int weight = value.weight * kBaseDigits;
  if (value.digits.size() > 1) {
    digits = digits * kBase + value.digits[1];
    weight -= kBaseDigits;
  }
  const double estimate = std::log(digits) + weight * 2.302585092994046;
  return static_cast<int>(std::log10(std::fabs(estimate)));
}

// 0.5 * ln((1+z)/(1-z)) = z + z^3/3 + z^5/5 … with z = (x-1)/(x+1).
Number logarithm_series(const Number& x, int scale) {
  const Number one = number_of(1);
  Number sum = divide(subtract(x, one), add(x, one), scale);
  Number odd_power = sum;
  const Number square = multiply(sum, sum, scale);
  for (int n = 3;; n += 2) {
    odd_power = multiply(odd_power, square, scale);
    const Number term = divide(odd_power, number_of(n), scale);
    if (term.digits.empty()) return sum;
    sum = add(sum, term);
    if (term.weight < sum.weight - scale * 2 / kBaseDigits) return sum;
  }
}

Status check_positive(const Number& value) {
  if (value.sign() == 0) return std::unexpected(fault_error(Fault::kLogZero));
  if (value.sign() < 0) return std::unexpected(fault_error(Fault::kLogNegative));
  return {};
}

Result<Number> natural_logarithm(const Number& value, int scale) {
  COPPICE_TRY(check_positive(value));
  const Number low = number_of(9, 1), high = number_of(11, 1);
  Number x = value;
  int roots = 0;
  while (compare(x, low) <= 0 || compare(x, high) >= 0) {
    x = square_root(x, scale - x.weight * kBaseDigits / 2 + kGuardDigits);
    ++roots;
  }
  const int extra = static_cast<int>((roots + 1) * kLog10Of2);
  const Number sum = logarithm_series(x, scale + extra + kGuardDigits);
  return multiply(sum, number_of(Int128{1} << (roots + 1)), scale);
}

}  // namespace

Result<Number> exponential(const Number& value) {
  double weight = approximate(value) * kLog10OfE;
  weight = std::min(std::max(weight, double{-kResultScaleMax}), double{kResultScaleMax});
  return exponential(value,
                     shown_scale(kSignificantDigitsMin - static_cast<int>(weight), value.scale));
}

Result<Number> natural_logarithm(const Number& value) {
  return natural_logarithm(
      value, shown_scale(kSignificantDigitsMin - logarithm_weight(value), value.scale));
}

Result<Number> logarithm(const Number& base, const Number& value) {
  const int base_weight = logarithm_weight(base), value_weight = logarithm_weight(value);
  const int weight = value_weight - base_weight;
  const int scale = shown_scale(kSignificantDigitsMin - weight, base.scale, value.scale);
  const Number divisor = COPPICE_TRY(
      natural_logarithm(base, std::max(scale + weight - base_weight + kGuardDigits, 0)));
  const Number dividend = COPPICE_TRY(
      natural_logarithm(value, std::max(scale + weight - value_weight + kGuardDigits, 0)));
  if (divisor.digits.empty()) return std::unexpected(fault_error(Fault::kDivisionByZero));
  return divide(dividend, divisor, scale);
}

namespace {

// exponent * log10(|base|), from the first 16 digits of the base, which is not 0.
double power_weight(const Number& base, std::int64_t exponent) {
  double first = base.digits[0];
  int weight = base.weight * kBaseDigits;
  for (std::size_t i = 1; i < base.digits.size() && i * kBaseDigits < 16; ++i) {
    first = first * kBase + base.digits[i];
    weight -= kBaseDigits;
  }
  return static_cast<double>(exponent) * (std::log10(first) + weight);
}

// By squaring, each product with as many digits as the result needs.
Result<Number> power_by_squaring(const Number& base, std::int64_t exponent, int significant,
                                 int scale) {
  Number square = base;
  std::uint64_t rest = static_cast<std::uint64_t>(std::abs(exponent));
  Number to = (rest & 1) != 0 ? base : number_of(1);
  for (rest >>= 1; rest != 0; rest >>= 1) {
    int local = std::min(significant - 2 * square.weight * kBaseDigits, 2 * square.scale);
    square = multiply(square, square, std::max(local, 0));
    if ((rest & 1) != 0) {
      local = std::min(significant - (square.weight + to.weight) * kBaseDigits,
                       square.scale + to.scale);
      to = multiply(square, to, std::max(local, 0));
    }
    COPPICE_TRY(breathe(square.digits.size()));
    if (square.weight > kWeightMax || to.weight > kWeightMax) {
      if (exponent > 0) return overflow();
      return zero(scale);
    }
  }
  if (exponent < 0) {
    if (to.digits.empty()) return std::unexpected(fault_error(Fault::kDivisionByZero));
    return divide(number_of(1), to, scale);
  }
  round_to(to, scale);
  return to;
}

Result<Number> integer_power(const Number& base, std::int64_t exponent) {
  const int scale = shown_scale(kSignificantDigitsMin, base.scale);
  Number to;
  if (exponent == 0) {
    to = number_of(1);
    to.scale = scale;
    return to;
  }
  if (base.digits.empty()) return zero(scale);
  if (exponent == 1) {
    to = base;
    round_to(to, scale);
    return to;
  }
  if (exponent == -1) return divide(number_of(1), base, scale);
  if (exponent == 2) return multiply(base, base, scale);
  const double weight = power_weight(base, exponent);
  if (weight > 3 * kWeightMax * kBaseDigits) return overflow();
  if (weight + 1 < -scale) return zero(scale);
  const int extra =
      static_cast<int>(std::log(std::fabs(static_cast<double>(exponent)))) + kGuardDigits;
  return power_by_squaring(base, exponent, 1 + scale + static_cast<int>(weight) + extra, scale);
}

bool odd(const Number& value) {
  return !value.digits.empty() && value.integral() && (value.at_power(0) & 1) != 0;
}

// e^(exponent * ln(base)), base above 0.
Result<Number> power_by_logarithm(const Number& base, const Number& exponent) {
  const int ln_weight = logarithm_weight(base);
  const int rough = std::max(kGuardDigits - ln_weight, 0);
  const Number rough_logarithm = COPPICE_TRY(natural_logarithm(base, rough));
  double estimate = approximate(multiply(rough_logarithm, exponent, rough));
  if (std::fabs(estimate) > kResultScaleMax * 3.01) {
    if (estimate > 0) return overflow();
    return zero(kShownScaleMax);
  }
  estimate *= kLog10OfE;
  const int weight = static_cast<int>(estimate);
  const int scale = shown_scale(kSignificantDigitsMin - weight, base.scale, exponent.scale);
  const int local = std::max(std::max(scale + weight, 0) - ln_weight + kGuardDigits, 0);
  const Number ln_base = COPPICE_TRY(natural_logarithm(base, local));
  return exponential(multiply(ln_base, exponent, local), scale);
}

}  // namespace

Result<Number> power(const Number& base, const Number& exponent) {
  if (base.sign() == 0 && exponent.sign() < 0)
    return std::unexpected(fault_error(Fault::kPowerZeroNegative));
  if (base.sign() < 0 && !exponent.integral())
    return std::unexpected(fault_error(Fault::kPowerComplex));
  std::int64_t whole = 0;
  if (exponent.integral() && to_int64(exponent, whole) &&
      whole >= std::numeric_limits<std::int32_t>::min() &&
      whole <= std::numeric_limits<std::int32_t>::max())
    return integer_power(base, whole);
  if (base.sign() == 0) return zero(kSignificantDigitsMin);
  Number magnitude = base;
  magnitude.negative = false;
  Number to = COPPICE_TRY(power_by_logarithm(magnitude, exponent));
  to.negative = base.negative && odd(exponent) && !to.digits.empty();
  return to;
}

}  // namespace coppice::sql_numeric
