// operations.h — what SQL's operators and functions do with any two values, NaN and infinities
// included.
//
// Errors:   as PostgreSQL raises them; results are checked for size when they are stored.
// Source:   PostgreSQL 15, numeric.c: numeric_add() and its neighbours.
#pragma once

#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric::op {

using Answer = Result<Number>;

Answer sum(const Number& a, const Number& b);
Answer difference(const Number& a, const Number& b);
Answer product(const Number& a, const Number& b);
Answer quotient(const Number& a, const Number& b);
Answer whole_quotient(const Number& a, const Number& b);
Answer modulo(const Number& a, const Number& b);
Answer greatest_divisor(const Number& a, const Number& b);
Answer least_multiple(const Number& a, const Number& b);
Answer raise(const Number& a, const Number& b);
Answer log_to_base(const Number& base, const Number& value);

Answer identity(const Number& a);
Answer negate(const Number& a);
Answer absolute(const Number& a);
Answer sign(const Number& a);
Answer ceiling(const Number& a);
Answer floor(const Number& a);
Answer round(const Number& a);
Answer truncate(const Number& a);
Answer root(const Number& a);
Answer exp(const Number& a);
Answer ln(const Number& a);
Answer log10(const Number& a);
Answer trim_scale(const Number& a);

Answer round_at(const Number& a, std::int32_t scale);
Answer truncate_at(const Number& a, std::int32_t scale);
Answer factorial(std::int64_t n);
Result<std::int32_t> bucket(const Number& value, const Number& low, const Number& high,
                            std::int32_t count);
// Digits after the point that are not trailing zeros.
int least_scale(const Number& a);

}  // namespace coppice::sql_numeric::op
