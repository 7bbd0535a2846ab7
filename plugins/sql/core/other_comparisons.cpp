// other_comparisons.cpp — = <> < <= > >= of bool, oid and pairs of floats.
#include "interfaces/sql_rows.h"
#include "plugins/sql/core/number_ops.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kBool;
using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kOid;

constexpr std::array kFunctions = {
    FunctionRow{56, "boollt", kBool, {kBool, kBool}, fixed_kernel<Less, bool, bool, bool>},
    FunctionRow{1691, "boolle", kBool, {kBool, kBool}, fixed_kernel<LessEqual, bool, bool, bool>},
    FunctionRow{84, "boolne", kBool, {kBool, kBool}, fixed_kernel<NotEqual, bool, bool, bool>},
    FunctionRow{60, "booleq", kBool, {kBool, kBool}, fixed_kernel<Equal, bool, bool, bool>},
    FunctionRow{57, "boolgt", kBool, {kBool, kBool}, fixed_kernel<Greater, bool, bool, bool>},
    FunctionRow{
        1692, "boolge", kBool, {kBool, kBool}, fixed_kernel<GreaterEqual, bool, bool, bool>},
    FunctionRow{289, "float4lt", kBool, {kFloat4, kFloat4}, fixed_kernel<Less, bool, float, float>},
    FunctionRow{
        290, "float4le", kBool, {kFloat4, kFloat4}, fixed_kernel<LessEqual, bool, float, float>},
    FunctionRow{
        288, "float4ne", kBool, {kFloat4, kFloat4}, fixed_kernel<NotEqual, bool, float, float>},
    FunctionRow{
        287, "float4eq", kBool, {kFloat4, kFloat4}, fixed_kernel<Equal, bool, float, float>},
    FunctionRow{
        291, "float4gt", kBool, {kFloat4, kFloat4}, fixed_kernel<Greater, bool, float, float>},
    FunctionRow{
        292, "float4ge", kBool, {kFloat4, kFloat4}, fixed_kernel<GreaterEqual, bool, float, float>},
    FunctionRow{
        301, "float48lt", kBool, {kFloat4, kFloat8}, fixed_kernel<Less, bool, float, double>},
    FunctionRow{
        302, "float48le", kBool, {kFloat4, kFloat8}, fixed_kernel<LessEqual, bool, float, double>},
    FunctionRow{
        300, "float48ne", kBool, {kFloat4, kFloat8}, fixed_kernel<NotEqual, bool, float, double>},
    FunctionRow{
        299, "float48eq", kBool, {kFloat4, kFloat8}, fixed_kernel<Equal, bool, float, double>},
    FunctionRow{
        303, "float48gt", kBool, {kFloat4, kFloat8}, fixed_kernel<Greater, bool, float, double>},
    FunctionRow{304,
                "float48ge",
                kBool,
                {kFloat4, kFloat8},
                fixed_kernel<GreaterEqual, bool, float, double>},
    FunctionRow{
        307, "float84lt", kBool, {kFloat8, kFloat4}, fixed_kernel<Less, bool, double, float>},
    FunctionRow{
        308, "float84le", kBool, {kFloat8, kFloat4}, fixed_kernel<LessEqual, bool, double, float>},
    FunctionRow{
        306, "float84ne", kBool, {kFloat8, kFloat4}, fixed_kernel<NotEqual, bool, double, float>},
    FunctionRow{
        305, "float84eq", kBool, {kFloat8, kFloat4}, fixed_kernel<Equal, bool, double, float>},
    FunctionRow{
        309, "float84gt", kBool, {kFloat8, kFloat4}, fixed_kernel<Greater, bool, double, float>},
    FunctionRow{310,
                "float84ge",
                kBool,
                {kFloat8, kFloat4},
                fixed_kernel<GreaterEqual, bool, double, float>},
    FunctionRow{
        295, "float8lt", kBool, {kFloat8, kFloat8}, fixed_kernel<Less, bool, double, double>},
    FunctionRow{
        296, "float8le", kBool, {kFloat8, kFloat8}, fixed_kernel<LessEqual, bool, double, double>},
    FunctionRow{
        294, "float8ne", kBool, {kFloat8, kFloat8}, fixed_kernel<NotEqual, bool, double, double>},
    FunctionRow{
        293, "float8eq", kBool, {kFloat8, kFloat8}, fixed_kernel<Equal, bool, double, double>},
    FunctionRow{
        297, "float8gt", kBool, {kFloat8, kFloat8}, fixed_kernel<Greater, bool, double, double>},
    FunctionRow{298,
                "float8ge",
                kBool,
                {kFloat8, kFloat8},
                fixed_kernel<GreaterEqual, bool, double, double>},
    FunctionRow{
        716, "oidlt", kBool, {kOid, kOid}, fixed_kernel<Less, bool, std::uint32_t, std::uint32_t>},
    FunctionRow{717,
                "oidle",
                kBool,
                {kOid, kOid},
                fixed_kernel<LessEqual, bool, std::uint32_t, std::uint32_t>},
    FunctionRow{185,
                "oidne",
                kBool,
                {kOid, kOid},
                fixed_kernel<NotEqual, bool, std::uint32_t, std::uint32_t>},
    FunctionRow{
        184, "oideq", kBool, {kOid, kOid}, fixed_kernel<Equal, bool, std::uint32_t, std::uint32_t>},
    FunctionRow{1638,
                "oidgt",
                kBool,
                {kOid, kOid},
                fixed_kernel<Greater, bool, std::uint32_t, std::uint32_t>},
    FunctionRow{1639,
                "oidge",
                kBool,
                {kOid, kOid},
                fixed_kernel<GreaterEqual, bool, std::uint32_t, std::uint32_t>},
};

}  // namespace

void add_other_comparisons(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_core
