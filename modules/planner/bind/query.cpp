// query.cpp — SELECT, INSERT, UPDATE, DELETE to query plans.
#include <utility>

#include "modules/planner/bind/bind.h"

namespace coppice::planner {

Result<std::shared_ptr<const QueryPlan>> bind_query(BindContext& context, const ast::Statement&) {
  return context.unsupported(ast::kNoLocation, "this kind of query");
}

Result<ExpressionRef> bind_constant_expression(BindContext& context, const ast::Expr& tree, TypeOid,
                                               std::int32_t) {
  return context.unsupported(tree.location, "this kind of expression");
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
