// powers.h — exponentials, logarithms and powers of finite numbers.
//
// Errors:   22003 overflow, 2201E logarithms of what is not positive, 2201F powers without a real
//           result, 22012 zero to a negative power.
// Source:   PostgreSQL 15, numeric.c: its scales, working precision and range reductions, so that
//           all digits shown agree.
#pragma once

#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {

Result<Number> exponential(const Number& value);
Result<Number> natural_logarithm(const Number& value);
Result<Number> logarithm(const Number& base, const Number& value);
Result<Number> power(const Number& base, const Number& exponent);

}  // namespace coppice::sql_numeric
