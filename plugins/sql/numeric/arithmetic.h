// arithmetic.h — the four operations and what follows from them, on finite numbers.
//
// Role:     results have the scale asked for, or the one that PostgreSQL gives.
// Errors:   none here: divisors are not zero, radicands not negative; callers check.
// Source:   PostgreSQL 15, numeric.c: the same scales, so the same digits.
#pragma once

#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {

Number add(const Number& a, const Number& b);
Number subtract(const Number& a, const Number& b);
// Exact, then rounded to `scale`.
Number multiply(const Number& a, const Number& b, int scale);
inline Number multiply(const Number& a, const Number& b) {
  return multiply(a, b, a.scale + b.scale);
}

enum class Rounding : std::uint8_t { kHalfUp, kTruncate };
Number divide(const Number& a, const Number& b, int scale, Rounding rounding = Rounding::kHalfUp);
// The scale that gives a quotient at least 16 significant digits.
int quotient_scale(const Number& a, const Number& b);
// a - truncated(a / b) * b.
Number remainder(const Number& a, const Number& b);

Number floor_of(const Number& value);
Number ceiling_of(const Number& value);
// Correctly rounded; `scale` may be negative.
Number square_root(const Number& value, int scale);

}  // namespace coppice::sql_numeric
