// float_functions.cpp — arithmetic and mathematics of floats, and their casts.
#include "interfaces/sql_rows.h"
#include "plugins/sql/core/float_math.h"
#include "plugins/sql/core/number_ops.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;

template <class Op>
constexpr ScalarKernel kUnary = fixed_kernel<Op, double, double>;
template <class Op>
constexpr ScalarKernel kBinary = fixed_kernel<Op, double, double, double>;

Status pi_kernel(CallContext&, std::span<const Vector>, const Selection& rows, std::uint32_t size,
                 VectorBuffer& out) {
  double* const to = out.append_values<double>(size);
  rows.for_each([&](std::uint32_t row) { to[row] = std::numbers::pi; });
  return {};
}

Status random_kernel(CallContext& context, std::span<const Vector>, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
  double* const to = out.append_values<double>(size);
  rows.for_each([&](std::uint32_t row) { to[row] = context.random().unit(); });
  return {};
}

constexpr std::array kFunctions = {
    FunctionRow{1913, "float4up", kFloat4, {kFloat4}, fixed_kernel<Identity, float, float>},
    FunctionRow{206, "float4um", kFloat4, {kFloat4}, fixed_kernel<Negate, float, float>},
    FunctionRow{207, "float4abs", kFloat4, {kFloat4}, fixed_kernel<Absolute, float, float>},
    FunctionRow{1914, "float8up", kFloat8, {kFloat8}, fixed_kernel<Identity, double, double>},
    FunctionRow{220, "float8um", kFloat8, {kFloat8}, fixed_kernel<Negate, double, double>},
    FunctionRow{221, "float8abs", kFloat8, {kFloat8}, fixed_kernel<Absolute, double, double>},
    FunctionRow{
        202, "float4mul", kFloat4, {kFloat4, kFloat4}, fixed_kernel<Multiply, float, float, float>},
    FunctionRow{
        204, "float4pl", kFloat4, {kFloat4, kFloat4}, fixed_kernel<Add, float, float, float>},
    FunctionRow{
        205, "float4mi", kFloat4, {kFloat4, kFloat4}, fixed_kernel<Subtract, float, float, float>},
    FunctionRow{
        203, "float4div", kFloat4, {kFloat4, kFloat4}, fixed_kernel<Divide, float, float, float>},
    FunctionRow{279,
                "float48mul",
                kFloat8,
                {kFloat4, kFloat8},
                fixed_kernel<Multiply, double, float, double>},
    FunctionRow{
        281, "float48pl", kFloat8, {kFloat4, kFloat8}, fixed_kernel<Add, double, float, double>},
    FunctionRow{282,
                "float48mi",
                kFloat8,
                {kFloat4, kFloat8},
                fixed_kernel<Subtract, double, float, double>},
    FunctionRow{280,
                "float48div",
                kFloat8,
                {kFloat4, kFloat8},
                fixed_kernel<Divide, double, float, double>},
    FunctionRow{283,
                "float84mul",
                kFloat8,
                {kFloat8, kFloat4},
                fixed_kernel<Multiply, double, double, float>},
    FunctionRow{
        285, "float84pl", kFloat8, {kFloat8, kFloat4}, fixed_kernel<Add, double, double, float>},
    FunctionRow{286,
                "float84mi",
                kFloat8,
                {kFloat8, kFloat4},
                fixed_kernel<Subtract, double, double, float>},
    FunctionRow{284,
                "float84div",
                kFloat8,
                {kFloat8, kFloat4},
                fixed_kernel<Divide, double, double, float>},
    FunctionRow{216,
                "float8mul",
                kFloat8,
                {kFloat8, kFloat8},
                fixed_kernel<Multiply, double, double, double>},
    FunctionRow{
        218, "float8pl", kFloat8, {kFloat8, kFloat8}, fixed_kernel<Add, double, double, double>},
    FunctionRow{219,
                "float8mi",
                kFloat8,
                {kFloat8, kFloat8},
                fixed_kernel<Subtract, double, double, double>},
    FunctionRow{217,
                "float8div",
                kFloat8,
                {kFloat8, kFloat8},
                fixed_kernel<Divide, double, double, double>},
    FunctionRow{2308, "ceil", kFloat8, {kFloat8}, kUnary<Ceiling>},
    FunctionRow{2320, "ceiling", kFloat8, {kFloat8}, kUnary<Ceiling>},
    FunctionRow{2309, "floor", kFloat8, {kFloat8}, kUnary<Floor>},
    FunctionRow{1342, "round", kFloat8, {kFloat8}, kUnary<Round>},
    FunctionRow{1343, "trunc", kFloat8, {kFloat8}, kUnary<Truncate>},
    FunctionRow{2310, "sign", kFloat8, {kFloat8}, kUnary<Sign>},
    FunctionRow{1344, "sqrt", kFloat8, {kFloat8}, kUnary<SquareRoot>},
    FunctionRow{1345, "cbrt", kFloat8, {kFloat8}, kUnary<CubeRoot>},
    FunctionRow{1347, "exp", kFloat8, {kFloat8}, kUnary<Exponential>},
    FunctionRow{1341, "ln", kFloat8, {kFloat8}, kUnary<NaturalLogarithm>},
    FunctionRow{1340, "log", kFloat8, {kFloat8}, kUnary<DecimalLogarithm>},
    FunctionRow{1608, "degrees", kFloat8, {kFloat8}, kUnary<Degrees>},
    FunctionRow{1609, "radians", kFloat8, {kFloat8}, kUnary<Radians>},
    FunctionRow{1604, "sin", kFloat8, {kFloat8}, kUnary<Sine>},
    FunctionRow{1605, "cos", kFloat8, {kFloat8}, kUnary<Cosine>},
    FunctionRow{1606, "tan", kFloat8, {kFloat8}, kUnary<Tangent>},
    FunctionRow{1600, "asin", kFloat8, {kFloat8}, kUnary<ArcSine>},
    FunctionRow{1601, "acos", kFloat8, {kFloat8}, kUnary<ArcCosine>},
    FunctionRow{1602, "atan", kFloat8, {kFloat8}, kUnary<ArcTangent>},
    FunctionRow{1368, "power", kFloat8, {kFloat8, kFloat8}, kBinary<Power>},
    FunctionRow{1346, "pow", kFloat8, {kFloat8, kFloat8}, kBinary<Power>},
    FunctionRow{1603, "atan2", kFloat8, {kFloat8, kFloat8}, kBinary<ArcTangent2>},
    FunctionRow{232, "dpow", kFloat8, {kFloat8, kFloat8}, kBinary<Power>},
    FunctionRow{230, "dsqrt", kFloat8, {kFloat8}, kUnary<SquareRoot>},
    FunctionRow{1394, "abs", kFloat4, {kFloat4}, fixed_kernel<Absolute, float, float>},
    FunctionRow{1395, "abs", kFloat8, {kFloat8}, kUnary<Absolute>},
    FunctionRow{1610, "pi", kFloat8, {}, pi_kernel},
    FunctionRow{1598, "random", kFloat8, {}, random_kernel, Volatility::kVolatile},
    // casts
    FunctionRow{311, "float8", kFloat8, {kFloat4}, fixed_kernel<ConvertTo<double>, double, float>},
    FunctionRow{312, "float4", kFloat4, {kFloat8}, fixed_kernel<NarrowFloat, float, double>},
    FunctionRow{
        236, "float4", kFloat4, {kInt2}, fixed_kernel<ConvertTo<float>, float, std::int16_t>},
    FunctionRow{
        318, "float4", kFloat4, {kInt4}, fixed_kernel<ConvertTo<float>, float, std::int32_t>},
    FunctionRow{
        652, "float4", kFloat4, {kInt8}, fixed_kernel<ConvertTo<float>, float, std::int64_t>},
    FunctionRow{
        235, "float8", kFloat8, {kInt2}, fixed_kernel<ConvertTo<double>, double, std::int16_t>},
    FunctionRow{
        316, "float8", kFloat8, {kInt4}, fixed_kernel<ConvertTo<double>, double, std::int32_t>},
    FunctionRow{
        482, "float8", kFloat8, {kInt8}, fixed_kernel<ConvertTo<double>, double, std::int64_t>},
    FunctionRow{238, "int2", kInt2, {kFloat4}, fixed_kernel<FloatToInteger, std::int16_t, float>},
    FunctionRow{319, "int4", kInt4, {kFloat4}, fixed_kernel<FloatToInteger, std::int32_t, float>},
    FunctionRow{653, "int8", kInt8, {kFloat4}, fixed_kernel<FloatToInteger, std::int64_t, float>},
    FunctionRow{237, "int2", kInt2, {kFloat8}, fixed_kernel<FloatToInteger, std::int16_t, double>},
    FunctionRow{317, "int4", kInt4, {kFloat8}, fixed_kernel<FloatToInteger, std::int32_t, double>},
    FunctionRow{483, "int8", kInt8, {kFloat8}, fixed_kernel<FloatToInteger, std::int64_t, double>},
};

}  // namespace

void add_float_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_core
