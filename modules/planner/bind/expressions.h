// expressions.h — bound expressions: making, comparing and walking them.
//
// Role:     while a statement is bound, kColumn's ordinal is the number of a column that
//           BindContext gave out; resolve_columns() turns it into a position once the input is
//           known.
// Threads:  any.   Parks: never.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interfaces/types/expression.h"
#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

PhysicalType physical_of(const BindContext& context, TypeOid type);

ExpressionRef make_constant(const BindContext& context, TypeOid type, Value value,
                            ast::Location at = ast::kNoLocation);
ExpressionRef make_null(const BindContext& context, TypeOid type,
                        ast::Location at = ast::kNoLocation);
ExpressionRef make_bool(bool value);
ExpressionRef make_int4(std::int64_t value);
ExpressionRef make_int8(std::int64_t value);
// A literal that is not typed yet.
ExpressionRef make_unknown(std::string_view text, ast::Location at);
ExpressionRef make_column(const BindContext& context, std::uint32_t id, TypeOid type,
                          std::int32_t modifier, ast::Location at = ast::kNoLocation);
// kAnd, kOr, kNot, kIsNull, kCase …: a node of `type` over `arguments`.
ExpressionRef make_node(const BindContext& context, Expression::Kind kind, TypeOid type,
                        std::vector<ExpressionRef> arguments, ast::Location at = ast::kNoLocation);
// A call; of an immutable function with constant arguments its result, unless that is an error,
// which is left to the execution.
ExpressionRef make_call(const BindContext& context, const SqlFunction& function, TypeOid result,
                        std::vector<ExpressionRef> arguments, ast::Location at);
// All of them, flattened and without what is true: null if nothing is left.
ExpressionRef make_and(const BindContext& context, std::vector<ExpressionRef> conditions);

inline bool is_constant(const Expression& expression) {
  return expression.kind == Expression::Kind::kConstant;
}
inline bool is_null_constant(const Expression& expression) {
  return is_constant(expression) && expression.value.null;
}
// A constant of type bool.
bool is_constant_bool(const Expression& expression, bool value);

// Equal but for locations and relabelled types of columns.
bool same_expression(const Expression& a, const Expression& b);

// visit(node), parents first; false: not into its children. Subqueries' `outer` are children.
void walk(const Expression& expression, const std::function<bool(const Expression&)>& visit);
// visit(slot) may replace what is in the slot and says whether to go into it.
void rewrite(ExpressionRef& expression, const std::function<bool(ExpressionRef&)>& visit);

bool any_of(const Expression& expression, const std::function<bool(const Expression&)>& test);
bool is_volatile(const Expression& expression);
// Neither columns nor subqueries nor volatile calls: one value per execution.
bool is_runtime_constant(const Expression& expression);

// AND of a condition taken apart, appended to `to`.
void split_conjuncts(ExpressionRef condition, std::vector<ExpressionRef>& to);

// Numbers of columns to positions in `ids`. XX000 if one is missing: a fault of the planner.
Status resolve_columns(Expression& expression, std::span<const std::uint32_t> ids);

}  // namespace coppice::planner
