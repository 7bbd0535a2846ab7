// query.cpp — SELECT, INSERT, UPDATE, DELETE to query plans.
#include "modules/planner/bind/query.h"

#include <utility>

#include "modules/planner/bind/bind.h"

namespace coppice::planner {

namespace {

Result<std::shared_ptr<QueryPlan>> select_plan(BindContext& context, const ast::Select& tree) {
  PlannedQuery query = COPPICE_TRY(plan_select(context, tree, {}));
  auto plan = std::make_shared<QueryPlan>();
  plan->root = std::move(query.node);
  for (QueryColumn& column : query.columns)
    plan->output.push_back({std::move(column.name), column.table, column.attribute});
  return plan;
}

Result<std::shared_ptr<QueryPlan>> plan_of(BindContext& context, const ast::Statement& tree) {
  switch (tree.kind) {
    case ast::StatementKind::kSelect:
      return select_plan(context, ast::as<ast::Select>(tree));
    case ast::StatementKind::kInsert:
      return bind_insert(context, ast::as<ast::Insert>(tree));
    case ast::StatementKind::kUpdate:
      return bind_update(context, ast::as<ast::Update>(tree));
    case ast::StatementKind::kDelete:
      return bind_delete(context, ast::as<ast::Delete>(tree));
    case ast::StatementKind::kMerge:
      return context.unsupported(ast::kNoLocation, "MERGE");
    default:
      return context.unsupported(ast::kNoLocation, "this statement here");
  }
}

Result<std::shared_ptr<const QueryPlan>> finish_plan(BindContext& context,
                                                     std::shared_ptr<QueryPlan> plan) {
  for (std::size_t i = 0; i < context.parameter_types().size(); ++i) {
    if (context.parameter_types()[i] != 0) continue;
    return context.error(ast::kNoLocation, "42P18",
                         "could not determine data type of parameter $" + std::to_string(i + 1));
  }
  plan->parameter_types = context.parameter_types();
  plan->parameter_slots = context.parameter_slots();
  plan->catalog_version = context.catalog().version();
  plan->tables = context.tables();
  plan->locks = context.locks();
  return plan;
}

}  // namespace

Result<std::shared_ptr<const QueryPlan>> bind_query(BindContext& context,
                                                    const ast::Statement& tree) {
  std::shared_ptr<QueryPlan> plan = COPPICE_TRY(plan_of(context, tree));
  return finish_plan(context, std::move(plan));
}

Result<std::shared_ptr<const QueryPlan>> bind_bulk_insert(BindContext& context,
                                                          const ast::Insert& tree,
                                                          const BulkTuples& more) {
  std::shared_ptr<QueryPlan> plan = COPPICE_TRY(bind_insert(context, tree, &more));
  return finish_plan(context, std::move(plan));
}

Result<ExpressionRef> bind_constant_expression(BindContext& context, const ast::Expr& tree,
                                               TypeOid type, std::int32_t modifier) {
  Level level;
  ExpressionRef value = COPPICE_TRY(ExpressionBinder(context, level, Place::kExecute).bind(tree));
  if (type == 0) return resolve_unknown(context, std::move(value));
  const TypeOid source = value->type;
  const ast::Location at = value->location;
  ExpressionRef made = COPPICE_TRY(
      try_coerce(context, std::move(value), type, modifier, CastContext::kAssignment, at));
  if (made != nullptr) return made;
  return context.error(at, "42804",
                       "expression of type " + context.type_text(source) +
                           " cannot be coerced to the expected type " + context.type_text(type),
                       "You will need to rewrite or cast the expression.");
}

Status check_column_default(BindContext& context, const ast::Expr& tree, std::string_view column,
                            TypeOid type, std::int32_t modifier) {
  Level level;
  ExpressionRef value = COPPICE_TRY(ExpressionBinder(context, level, Place::kDefault).bind(tree));
  const TypeOid source = value->type;
  const ast::Location at = value->location;
  const ExpressionRef made = COPPICE_TRY(
      try_coerce(context, std::move(value), type, modifier, CastContext::kAssignment, at));
  if (made != nullptr) return {};
  return context.error(ast::kNoLocation, "42804",
                       "column " + quoted(column) + " is of type " + context.type_text(type) +
                           " but default expression is of type " + context.type_text(source),
                       "You will need to rewrite or cast the expression.");
}

Result<Statement> bind_statement(BindContext& context, const ast::Statement& tree,
                                 std::string_view own_text) {
  switch (tree.kind) {
    case ast::StatementKind::kSelect:
    case ast::StatementKind::kInsert:
    case ast::StatementKind::kUpdate:
    case ast::StatementKind::kDelete:
    case ast::StatementKind::kMerge: {
      auto plan = COPPICE_TRY(bind_query(context, tree));
      return Statement{std::move(plan)};
    }
    default:
      return bind_utility(context, tree, own_text);
  }
}

}  // namespace coppice::planner
