// catalog_functions.cpp — functions about definitions: the catalog answers.
#include "interfaces/sql_rows.h"
#include "plugins/sql/catalog/answers.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kBool;
using type_oid::kInt4;
using type_oid::kName;
using type_oid::kOid;
using type_oid::kRegclass;
using type_oid::kText;

constexpr TypeOid kPgNodeTree = 194;
constexpr Volatility kStable = Volatility::kStable;

constexpr std::array kFunctions = {
    FunctionRow{
        1081, "format_type", kText, {kOid, kInt4}, answer_kernel<"format_type">, kStable, false},
    FunctionRow{
        1716, "pg_get_expr", kText, {kPgNodeTree, kOid}, answer_kernel<"pg_get_expr">, kStable},
    FunctionRow{2509,
                "pg_get_expr",
                kText,
                {kPgNodeTree, kOid, kBool},
                answer_kernel<"pg_get_expr">,
                kStable},
    FunctionRow{1643, "pg_get_indexdef", kText, {kOid}, answer_kernel<"pg_get_indexdef">, kStable},
    FunctionRow{2507,
                "pg_get_indexdef",
                kText,
                {kOid, kInt4, kBool},
                answer_kernel<"pg_get_indexdef">,
                kStable},
    FunctionRow{1387,
                "pg_get_constraintdef",
                kText,
                {kOid},
                answer_kernel<"pg_get_constraintdef">,
                kStable},
    FunctionRow{2508,
                "pg_get_constraintdef",
                kText,
                {kOid, kBool},
                answer_kernel<"pg_get_constraintdef">,
                kStable},
    FunctionRow{1642, "pg_get_userbyid", kName, {kOid}, answer_kernel<"pg_get_userbyid">, kStable},
    FunctionRow{1641, "pg_get_viewdef", kText, {kOid}, answer_kernel<"pg_get_viewdef">, kStable},
    FunctionRow{
        2506, "pg_get_viewdef", kText, {kOid, kBool}, answer_kernel<"pg_get_viewdef">, kStable},
    FunctionRow{
        3159, "pg_get_viewdef", kText, {kOid, kInt4}, answer_kernel<"pg_get_viewdef">, kStable},
    FunctionRow{1573, "pg_get_ruledef", kText, {kOid}, answer_kernel<"pg_get_ruledef">, kStable},
    FunctionRow{
        2504, "pg_get_ruledef", kText, {kOid, kBool}, answer_kernel<"pg_get_ruledef">, kStable},
    FunctionRow{
        1662, "pg_get_triggerdef", kText, {kOid}, answer_kernel<"pg_get_triggerdef">, kStable},
    FunctionRow{2730,
                "pg_get_triggerdef",
                kText,
                {kOid, kBool},
                answer_kernel<"pg_get_triggerdef">,
                kStable},
    FunctionRow{
        3352, "pg_get_partkeydef", kText, {kOid}, answer_kernel<"pg_get_partkeydef">, kStable},
    FunctionRow{3415,
                "pg_get_statisticsobjdef",
                kText,
                {kOid},
                answer_kernel<"pg_get_statisticsobjdef">,
                kStable},
    FunctionRow{6174,
                "pg_get_statisticsobjdef_columns",
                kText,
                {kOid},
                answer_kernel<"pg_get_statisticsobjdef_columns">,
                kStable},
    FunctionRow{
        2098, "pg_get_functiondef", kText, {kOid}, answer_kernel<"pg_get_functiondef">, kStable},
    FunctionRow{2162,
                "pg_get_function_arguments",
                kText,
                {kOid},
                answer_kernel<"pg_get_function_arguments">,
                kStable},
    FunctionRow{2232,
                "pg_get_function_identity_arguments",
                kText,
                {kOid},
                answer_kernel<"pg_get_function_arguments">,
                kStable},
    FunctionRow{2165,
                "pg_get_function_result",
                kText,
                {kOid},
                answer_kernel<"pg_get_function_result">,
                kStable},
    FunctionRow{6197,
                "pg_get_function_sqlbody",
                kText,
                {kOid},
                answer_kernel<"pg_get_function_sqlbody">,
                kStable},
    FunctionRow{1665,
                "pg_get_serial_sequence",
                kText,
                {kText, kText},
                answer_kernel<"pg_get_serial_sequence">,
                kStable},
    FunctionRow{3778,
                "pg_tablespace_location",
                kText,
                {kOid},
                answer_kernel<"pg_tablespace_location">,
                kStable},
    FunctionRow{6121,
                "pg_relation_is_publishable",
                kBool,
                {kRegclass},
                answer_kernel<"pg_relation_is_publishable">,
                kStable},
    FunctionRow{1348, "obj_description", kText, {kOid}, answer_kernel<"obj_description">, kStable},
    FunctionRow{
        1215, "obj_description", kText, {kOid, kName}, answer_kernel<"obj_description">, kStable},
    FunctionRow{
        1216, "col_description", kText, {kOid, kInt4}, answer_kernel<"col_description">, kStable},
    FunctionRow{1993,
                "shobj_description",
                kText,
                {kOid, kName},
                answer_kernel<"shobj_description">,
                kStable},
    FunctionRow{
        2079, "pg_table_is_visible", kBool, {kOid}, answer_kernel<"pg_table_is_visible">, kStable},
    FunctionRow{
        2080, "pg_type_is_visible", kBool, {kOid}, answer_kernel<"pg_type_is_visible">, kStable},
    FunctionRow{2081,
                "pg_function_is_visible",
                kBool,
                {kOid},
                answer_kernel<"pg_function_is_visible">,
                kStable},
    FunctionRow{2082,
                "pg_operator_is_visible",
                kBool,
                {kOid},
                answer_kernel<"pg_operator_is_visible">,
                kStable},
};

struct Visibility {
  FunctionOid oid;
  std::string_view name;
};
// Of things that only pg_catalog has.
constexpr std::array kVisible = {
    Visibility{2083, "pg_opclass_is_visible"},        Visibility{3829, "pg_opfamily_is_visible"},
    Visibility{2093, "pg_conversion_is_visible"},     Visibility{3815, "pg_collation_is_visible"},
    Visibility{3403, "pg_statistics_obj_is_visible"}, Visibility{3758, "pg_ts_config_is_visible"},
    Visibility{3757, "pg_ts_dict_is_visible"},        Visibility{3756, "pg_ts_parser_is_visible"},
    Visibility{3768, "pg_ts_template_is_visible"},
};

Status always_true(CallContext&, std::span<const Vector>, const Selection&, std::uint32_t size,
                   VectorBuffer& out) {
  std::fill_n(out.append_values<std::uint8_t>(size), size, std::uint8_t{1});
  return {};
}

}  // namespace

void add_catalog_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  for (const Visibility& row : kVisible) {
    const FunctionRow function{row.oid, row.name, kBool, {kOid}, always_true, kStable};
    add_rows(registry, std::span(&function, 1));
  }
}

}  // namespace coppice::sql_catalog
