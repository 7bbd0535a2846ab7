// expression_binder.cpp — leaves of expressions, and which function binds which kind.
#include "modules/planner/bind/expression_binder.h"

#include <utility>

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

}  // namespace

std::string_view place_name(Place place) {
  switch (place) {
    case Place::kTarget:
      return "SELECT";
    case Place::kWhere:
      return "WHERE";
    case Place::kJoin:
      return "JOIN conditions";
    case Place::kHaving:
      return "HAVING";
    case Place::kGroupBy:
      return "GROUP BY";
    case Place::kOrderBy:
      return "ORDER BY";
    case Place::kLimit:
      return "LIMIT";
    case Place::kOffset:
      return "OFFSET";
    case Place::kValues:
      return "VALUES";
    case Place::kInsert:
      return "INSERT";
    case Place::kUpdate:
      return "UPDATE";
    case Place::kReturning:
      return "RETURNING";
    case Place::kFilter:
      return "FILTER";
    case Place::kFromFunction:
      return "functions in FROM";
    case Place::kDefault:
      return "DEFAULT expressions";
    case Place::kExecute:
      return "EXECUTE parameters";
  }
  return "";
}

Result<ExpressionRef> ExpressionBinder::bind(const ast::Expr& tree) {
  COPPICE_TRY(context_.check_depth());
  switch (tree.kind) {
    case ast::ExprKind::kConstant:
      return constant(ast::as<ast::Constant>(tree));
    case ast::ExprKind::kParameter:
      return parameter(ast::as<ast::Parameter>(tree));
    case ast::ExprKind::kColumnRef:
      return column(ast::as<ast::ColumnRef>(tree));
    case ast::ExprKind::kOperator:
      return operation(ast::as<ast::Operator>(tree));
    case ast::ExprKind::kArrayComparison:
      return array_comparison(ast::as<ast::ArrayComparison>(tree));
    case ast::ExprKind::kDistinctFrom:
      return distinct_from(ast::as<ast::DistinctFrom>(tree));
    case ast::ExprKind::kNullIf:
      return null_if(ast::as<ast::NullIf>(tree));
    case ast::ExprKind::kInList:
      return in_list(ast::as<ast::InList>(tree));
    case ast::ExprKind::kLike:
      return like(ast::as<ast::Like>(tree));
    case ast::ExprKind::kBetween:
      return between(ast::as<ast::Between>(tree));
    case ast::ExprKind::kLogical:
      return logical(ast::as<ast::Logical>(tree));
    case ast::ExprKind::kCast:
      return explicit_cast(ast::as<ast::Cast>(tree));
    case ast::ExprKind::kCollate:
      return collate(ast::as<ast::Collate>(tree));
    case ast::ExprKind::kFunctionCall:
      return function(ast::as<ast::FunctionCall>(tree));
    case ast::ExprKind::kCase:
      return case_of(ast::as<ast::Case>(tree));
    case ast::ExprKind::kCoalesce:
      return coalesce(ast::as<ast::Coalesce>(tree));
    case ast::ExprKind::kMinMax:
      return min_max(ast::as<ast::MinMax>(tree));
    case ast::ExprKind::kSubquery:
      return subquery(ast::as<ast::Subquery>(tree));
    case ast::ExprKind::kSqlValue:
      return sql_value(ast::as<ast::SqlValue>(tree));
    case ast::ExprKind::kNullTest:
      return null_test(ast::as<ast::NullTest>(tree));
    case ast::ExprKind::kBooleanTest:
      return boolean_test(ast::as<ast::BooleanTest>(tree));
    case ast::ExprKind::kArray:
      return array(ast::as<ast::Array>(tree));
    case ast::ExprKind::kDefault:
      return context_.error(tree.location, sqlstate::kSyntaxError,
                            "DEFAULT is not allowed in this context");
    case ast::ExprKind::kNamedArgument:
      return context_.unsupported(tree.location, "a named argument");
    case ast::ExprKind::kIndirection:
      return indirection(ast::as<ast::Indirection>(tree));
    case ast::ExprKind::kRow:
      return context_.unsupported(tree.location, "a row as a value");
    case ast::ExprKind::kCurrentOf:
      return context_.unsupported(tree.location, "WHERE CURRENT OF");
    case ast::ExprKind::kMultiAssign:
      return context_.unsupported(tree.location, "an assignment to several columns");
    case ast::ExprKind::kGrouping:
    case ast::ExprKind::kGroupingSet:
      return context_.unsupported(tree.location, "GROUPING");
  }
  return context_.unsupported(tree.location, "this kind of expression");
}

Result<ExpressionRef> ExpressionBinder::bind_typed(const ast::Expr& tree) {
  ExpressionRef bound = COPPICE_TRY(bind(tree));
  return resolve_unknown(context_, std::move(bound));
}

Result<ExpressionRef> ExpressionBinder::bind_boolean(const ast::Expr& tree,
                                                     std::string_view construct) {
  ExpressionRef bound = COPPICE_TRY(bind(tree));
  return coerce_to_boolean(context_, std::move(bound), construct);
}

Result<ExpressionBinder::Arguments> ExpressionBinder::bind_all(ast::List<const ast::Expr*> items) {
  Arguments bound;
  bound.reserve(items.size());
  for (const ast::Expr* const item : items) {
    ExpressionRef one = COPPICE_TRY(bind(*item));
    bound.push_back(std::move(one));
  }
  return bound;
}

Result<ExpressionRef> ExpressionBinder::constant(const ast::Constant& tree) {
  ExpressionRef made;
  switch (tree.type) {
    case ast::ConstantKind::kNull:
      made = make_unknown("", tree.location);
      made->value = Value();
      made->value.type = PhysicalType::kBytes;
      return made;
    case ast::ConstantKind::kInteger:
      made = tree.integer == static_cast<std::int32_t>(tree.integer) ? make_int4(tree.integer)
                                                                     : make_int8(tree.integer);
      break;
    case ast::ConstantKind::kBoolean:
      made = make_bool(tree.integer != 0);
      break;
    case ast::ConstantKind::kText:
      return make_unknown(tree.text, tree.location);
    case ast::ConstantKind::kNumeric:
      if (context_.registry().find_type(type_oid::kNumeric) == nullptr)
        return context_.unsupported(tree.location, "type numeric");
      made = make_unknown(tree.text, tree.location);
      return coerce_implicit(context_, std::move(made), type_oid::kNumeric);
    case ast::ConstantKind::kBits:
      return context_.unsupported(tree.location, "type bit");
  }
  made->location = tree.location;
  return made;
}

Result<ExpressionRef> ExpressionBinder::parameter(const ast::Parameter& tree) {
  const TypeOid known = COPPICE_TRY(context_.parameter_type(tree.number, tree.location));
  ExpressionRef made = make_node(context_, Kind::kParameter,
                                 known == 0 ? type_oid::kUnknown : known, {}, tree.location);
  made->ordinal = static_cast<std::uint32_t>(tree.number - 1);
  return made;
}

Result<ExpressionRef> ExpressionBinder::column(const ast::ColumnRef& tree) {
  if (place_ == Place::kDefault) {
    return context_.error(tree.location, sqlstate::kFeatureNotSupported,
                          "cannot use column reference in DEFAULT expression");
  }
  if (tree.star) return context_.unsupported(tree.location, "a row as a value");
  const FoundColumn found = COPPICE_TRY(find_column(context_, level_, tree.names, tree.location));
  if (found.column == nullptr) return no_such_column(context_, level_, tree.names, tree.location);
  return column_expression(context_, level_, found, tree.location);
}

}  // namespace coppice::planner
