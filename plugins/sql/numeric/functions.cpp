// functions.cpp — rows of pg_proc over numeric.
#include "interfaces/sql_rows.h"
#include "plugins/sql/numeric/kernels.h"
#include "plugins/sql/numeric/operations.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kNumeric;

// scale() and min_scale() of NaN and infinities are NULL.
template <auto Scale>
Status scale_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]);
  const std::uint32_t first = out.size();
  std::int32_t* const to = out.append_values<std::int32_t>(size);
  Number a;
  rows.for_each([&](std::uint32_t row) {
    load(values[row], a);
    to[row] = 0;
    if (a.finite())
      to[row] = Scale(a);
    else
      out.set_null(first + row);
  });
  return {};
}

int shown_scale(const Number& a) {
  return a.scale;
}

Status factorial_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                        std::uint32_t size, VectorBuffer& out) {
  const Argument<std::int64_t> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const Number result = COPPICE_TRY(op::factorial(values[row]));
    return store(result, to);
  });
}

Status bucket_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]), lows(arguments[1]), highs(arguments[2]);
  const Argument<std::int32_t> counts(arguments[3]);
  Number value, low, high;
  return each_fixed<std::int32_t>(rows, size, out,
                                  [&](std::uint32_t row, std::int32_t& to) -> Status {
                                    load(values[row], value);
                                    load(lows[row], low);
                                    load(highs[row], high);
                                    to = COPPICE_TRY(op::bucket(value, low, high, counts[row]));
                                    return {};
                                  });
}

Result<Number> increment(const Number& a) {
  return op::sum(a, number_of(1));
}

constexpr std::array kFunctions = {
    FunctionRow{1915, "numeric_uplus", kNumeric, {kNumeric}, unary<op::identity>},
    FunctionRow{1771, "numeric_uminus", kNumeric, {kNumeric}, unary<op::negate>},
    FunctionRow{1704, "numeric_abs", kNumeric, {kNumeric}, unary<op::absolute>},
    FunctionRow{1705, "abs", kNumeric, {kNumeric}, unary<op::absolute>},
    FunctionRow{1706, "sign", kNumeric, {kNumeric}, unary<op::sign>},
    FunctionRow{1711, "ceil", kNumeric, {kNumeric}, unary<op::ceiling>},
    FunctionRow{2167, "ceiling", kNumeric, {kNumeric}, unary<op::ceiling>},
    FunctionRow{1712, "floor", kNumeric, {kNumeric}, unary<op::floor>},
    FunctionRow{1708, "round", kNumeric, {kNumeric}, unary<op::round>},
    FunctionRow{1707, "round", kNumeric, {kNumeric, kInt4}, with_integer<op::round_at>},
    FunctionRow{1710, "trunc", kNumeric, {kNumeric}, unary<op::truncate>},
    FunctionRow{1709, "trunc", kNumeric, {kNumeric, kInt4}, with_integer<op::truncate_at>},
    FunctionRow{
        1724, "numeric_add", kNumeric, {kNumeric, kNumeric}, fixed_or_binary<op::sum, add_fixed>},
    FunctionRow{1725,
                "numeric_sub",
                kNumeric,
                {kNumeric, kNumeric},
                fixed_or_binary<op::difference, subtract_fixed>},
    FunctionRow{1726,
                "numeric_mul",
                kNumeric,
                {kNumeric, kNumeric},
                fixed_or_binary<op::product, multiply_fixed>},
    FunctionRow{1727, "numeric_div", kNumeric, {kNumeric, kNumeric}, binary<op::quotient>},
    FunctionRow{1728, "mod", kNumeric, {kNumeric, kNumeric}, binary<op::modulo>},
    FunctionRow{1729, "numeric_mod", kNumeric, {kNumeric, kNumeric}, binary<op::modulo>},
    FunctionRow{1973, "div", kNumeric, {kNumeric, kNumeric}, binary<op::whole_quotient>},
    FunctionRow{
        1980, "numeric_div_trunc", kNumeric, {kNumeric, kNumeric}, binary<op::whole_quotient>},
    FunctionRow{1730, "sqrt", kNumeric, {kNumeric}, unary<op::root>},
    FunctionRow{1731, "numeric_sqrt", kNumeric, {kNumeric}, unary<op::root>},
    FunctionRow{1732, "exp", kNumeric, {kNumeric}, unary<op::exp>},
    FunctionRow{1733, "numeric_exp", kNumeric, {kNumeric}, unary<op::exp>},
    FunctionRow{1734, "ln", kNumeric, {kNumeric}, unary<op::ln>},
    FunctionRow{1735, "numeric_ln", kNumeric, {kNumeric}, unary<op::ln>},
    FunctionRow{1741, "log", kNumeric, {kNumeric}, unary<op::log10>},
    FunctionRow{1481, "log10", kNumeric, {kNumeric}, unary<op::log10>},
    FunctionRow{1736, "log", kNumeric, {kNumeric, kNumeric}, binary<op::log_to_base>},
    FunctionRow{1737, "numeric_log", kNumeric, {kNumeric, kNumeric}, binary<op::log_to_base>},
    FunctionRow{1738, "pow", kNumeric, {kNumeric, kNumeric}, binary<op::raise>},
    FunctionRow{2169, "power", kNumeric, {kNumeric, kNumeric}, binary<op::raise>},
    FunctionRow{1739, "numeric_power", kNumeric, {kNumeric, kNumeric}, binary<op::raise>},
    FunctionRow{5048, "gcd", kNumeric, {kNumeric, kNumeric}, binary<op::greatest_divisor>},
    FunctionRow{5049, "lcm", kNumeric, {kNumeric, kNumeric}, binary<op::least_multiple>},
    FunctionRow{3281, "scale", kInt4, {kNumeric}, scale_kernel<shown_scale>},
    FunctionRow{5042, "min_scale", kInt4, {kNumeric}, scale_kernel<op::least_scale>},
    FunctionRow{5043, "trim_scale", kNumeric, {kNumeric}, unary<op::trim_scale>},
    FunctionRow{1764, "numeric_inc", kNumeric, {kNumeric}, unary<increment>},
    FunctionRow{1376, "factorial", kNumeric, {kInt8}, factorial_kernel},
    FunctionRow{2170, "width_bucket", kInt4, {kNumeric, kNumeric, kNumeric, kInt4}, bucket_kernel},
};

}  // namespace

void add_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_numeric
