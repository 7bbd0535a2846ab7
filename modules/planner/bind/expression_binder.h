// expression_binder.h — syntax of expressions to typed expressions.
//
// Role:     one binder per clause of a level: resolves columns, overloads and casts, takes
//           aggregates out to the level, plans subqueries where they stand.
// Threads:  the statement's fiber.
// Parks:    when a subquery's plan asks the engine for counts.
// Errors:   as PostgreSQL: 42703, 42883, 42725, 42804, 42803, 22P02 …; 0A000.
// Source:   PostgreSQL 15, parse_expr.c, parse_func.c, parse_oper.c, parse_agg.c.
#pragma once

#include "modules/planner/bind/coerce.h"
#include "modules/planner/bind/scope.h"

namespace coppice::planner {

// Where an expression stands: decides what it may hold, and what errors call the place.
enum class Place : std::uint8_t {
  kTarget,
  kWhere,
  kJoin,
  kHaving,
  kGroupBy,
  kOrderBy,
  kLimit,
  kOffset,
  kValues,
  kInsert,
  kUpdate,
  kReturning,
  kFilter,
  kFromFunction,
  kDefault,
  kExecute,
};
std::string_view place_name(Place place);

class ExpressionBinder {
 public:
  ExpressionBinder(BindContext& context, Level& level, Place place)
      : context_(context), level_(level), place_(place) {}

  // The type may be unknown: literals and parameters that nothing gave a type yet.
  Result<ExpressionRef> bind(const ast::Expr& tree);
  // The same with unknown resolved to text.
  Result<ExpressionRef> bind_typed(const ast::Expr& tree);
  Result<ExpressionRef> bind_boolean(const ast::Expr& tree, std::string_view construct);

  // A call in FROM or in a select list: the function may give rows.
  Result<ExpressionRef> bind_call(const ast::Expr& tree) {
    set_allowed_ = true;
    auto bound = bind(tree);
    set_allowed_ = false;
    return bound;
  }

  // For clauses that make calls of their own.
  Result<ExpressionRef> call_operator(std::string_view name, ExpressionRef left,
                                      ExpressionRef right, ast::Location at);
  Result<ExpressionRef> call_function(std::string_view name, std::vector<ExpressionRef> arguments,
                                      ast::Location at);

 private:
  using Arguments = std::vector<ExpressionRef>;

  Result<ExpressionRef> constant(const ast::Constant& tree);
  Result<ExpressionRef> parameter(const ast::Parameter& tree);
  Result<ExpressionRef> column(const ast::ColumnRef& tree);
  Result<ExpressionRef> operation(const ast::Operator& tree);
  Result<ExpressionRef> row_comparison(const ast::Operator& tree);
  Result<ExpressionRef> array_comparison(const ast::ArrayComparison& tree);
  Result<ExpressionRef> distinct_from(const ast::DistinctFrom& tree);
  Result<ExpressionRef> null_if(const ast::NullIf& tree);
  Result<ExpressionRef> in_list(const ast::InList& tree);
  Result<ExpressionRef> in_items(ExpressionRef value, ast::List<const ast::Expr*> items,
                                 ast::Location at);
  Result<ExpressionRef> like(const ast::Like& tree);
  Result<ExpressionRef> between(const ast::Between& tree);
  Result<ExpressionRef> ordered_between(const ast::Expr& value, const ast::Expr& low,
                                        const ast::Expr& high, ast::Location at);
  Result<ExpressionRef> logical(const ast::Logical& tree);
  Result<ExpressionRef> explicit_cast(const ast::Cast& tree);
  Result<ExpressionRef> case_of(const ast::Case& tree);
  Result<ExpressionRef> coalesce(const ast::Coalesce& tree);
  Result<ExpressionRef> min_max(const ast::MinMax& tree);
  Result<ExpressionRef> sql_value(const ast::SqlValue& tree);
  Result<ExpressionRef> null_test(const ast::NullTest& tree);
  Result<ExpressionRef> boolean_test(const ast::BooleanTest& tree);
  Result<ExpressionRef> collate(const ast::Collate& tree);
  Result<ExpressionRef> subquery(const ast::Subquery& tree);
  Result<ExpressionRef> subquery_node(const ast::Subquery& tree, const struct PlannedQuery& query,
                                      Arguments arguments);
  Result<ExpressionRef> array(const ast::Array& tree);
  Result<ExpressionRef> indirection(const ast::Indirection& tree);
  TypeOid array_type(TypeOid element) const;  // 0: there is none

  Result<ExpressionRef> function(const ast::FunctionCall& tree);
  Result<ExpressionRef> aggregate(const ast::FunctionCall& tree, const SqlAggregate& aggregate,
                                  Arguments arguments);
  Result<ExpressionRef> call(const SqlFunction& function, Arguments arguments, ast::Location at);
  // f(x) may be a cast: f is a type that needs no function for it.
  bool names_cast(std::string_view name, std::span<const TypeOid> inputs) const;
  // Null if no such cast exists.
  Result<ExpressionRef> cast_by_name(std::string_view name, Arguments& arguments, ast::Location at);
  std::unexpected<Error> no_such_function(const ast::FunctionCall& tree, const Arguments& arguments,
                                          bool ambiguous) const;
  Result<Arguments> bind_all(ast::List<const ast::Expr*> items);
  // Of equal lengths; their types made one where an operator is not looked up.
  Result<ExpressionRef> equal_rows(const ast::Row& left, const ast::Row& right, ast::Location at);

  BindContext& context_;
  Level& level_;
  Place place_;
  bool in_aggregate_ = false;
  bool set_allowed_ = false;
};

}  // namespace coppice::planner
