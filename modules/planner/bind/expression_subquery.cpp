// expression_subquery.cpp — subqueries in expressions, planned where they stand.
#include <utility>

#include "modules/planner/bind/expression_binder.h"
#include "modules/planner/bind/query.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

}  // namespace

Result<ExpressionRef> ExpressionBinder::subquery_node(const ast::Subquery& tree,
                                                      const PlannedQuery& query,
                                                      Arguments arguments) {
  TypeOid type = type_oid::kBool;
  Kind kind = Kind::kInSubquery;
  std::int32_t modifier = -1;
  switch (tree.type) {
    case ast::SubqueryKind::kScalar:
      kind = Kind::kScalarSubquery;
      type = query.columns.front().type;
      modifier = query.columns.front().modifier;
      break;
    case ast::SubqueryKind::kExists:
      kind = Kind::kExists;
      break;
    case ast::SubqueryKind::kArray:
      kind = Kind::kArraySubquery;
      type = array_type(query.columns.front().type);
      if (type == 0) {
        return context_.error(tree.location, "42704",
                              "could not find array type for data type " +
                                  context_.type_text(query.columns.front().type));
      }
      break;
    case ast::SubqueryKind::kAny:
    case ast::SubqueryKind::kAll:
      break;
  }
  ExpressionRef made = make_node(context_, kind, type, std::move(arguments), tree.location);
  made->modifier = modifier;
  return made;
}

Result<ExpressionRef> ExpressionBinder::subquery(const ast::Subquery& tree) {
  if (tree.type == ast::SubqueryKind::kAll ||
      (tree.type == ast::SubqueryKind::kAny && !tree.name.empty() && tree.name.back() != "="))
    return context_.unsupported(tree.location, "this comparison with a subquery");
  if (place_ == Place::kDefault || place_ == Place::kExecute) {
    return context_.error(
        tree.location, sqlstate::kFeatureNotSupported,
        "cannot use subquery in " +
            std::string(place_ == Place::kDefault ? "DEFAULT expression" : "EXECUTE parameter"));
  }
  ExpressionRef value;
  if (tree.type == ast::SubqueryKind::kAny) {
    if (ast::find_as<ast::Row>(tree.value) != nullptr)
      return context_.unsupported(tree.location, "a row as a value");
    value = COPPICE_TRY(bind(*tree.value));
  }
  OuterValues boundary;
  BoundQueryRef query = COPPICE_TRY(bind_select(
      context_, *tree.select,
      {.outer = &level_, .boundary = &boundary, .common_tables = level_.common_tables}));
  if (tree.type != ast::SubqueryKind::kExists && query->width() != 1) {
    const bool many = query->width() > 1;
    return context_.error(tree.location, sqlstate::kSyntaxError,
                          tree.type != ast::SubqueryKind::kAny
                              ? "subquery must return only one column"
                          : many ? "subquery has too many columns"
                                 : "subquery has too few columns");
  }
  Arguments arguments;
  if (value != nullptr) {
    // As `value = output` would take them; both sides of one type.
    ExpressionRef sample = make_column(context_, 0, query->output(0).type, -1, tree.location);
    if (sample->type == type_oid::kUnknown) sample->type = type_oid::kText;
    COPPICE_TRY(call_operator("=", value->clone(), sample->clone(), tree.location));
    Arguments both;
    both.push_back(std::move(value));
    both.push_back(std::move(sample));
    const TypeOid type = COPPICE_TRY(common_type(context_, both, "IN"));
    value = COPPICE_TRY(coerce_to_common(context_, std::move(both[0]), type, "IN"));
    COPPICE_TRY(query->coerce(0, [&](ExpressionRef output) {
      return coerce_to_common(context_, std::move(output), type, "IN");
    }));
    arguments.push_back(std::move(value));
  }
  PlannedQuery planned = COPPICE_TRY(query->plan());
  ExpressionRef made = COPPICE_TRY(subquery_node(tree, planned, std::move(arguments)));
  made->subplan = std::move(planned.node);
  made->outer = std::move(boundary.values);
  made->first_parameter = boundary.first_slot;
  return made;
}

}  // namespace coppice::planner
