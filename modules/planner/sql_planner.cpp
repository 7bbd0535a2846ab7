// sql_planner.cpp — text to trees, trees to statements.
#include "modules/planner/sql_planner.h"

#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/runtime.h"
#include "modules/planner/bind/bind.h"
#include "modules/planner/explain/explain.h"
#include "modules/planner/parsed_script.h"

namespace coppice::planner {

bool SyntaxScript::ends_transaction(std::size_t statement) const {
  const auto* const node = ast::find_as<ast::Transaction>(&tree(statement));
  if (node == nullptr) return false;
  switch (node->type) {
    case ast::TransactionKind::kCommit:
    case ast::TransactionKind::kRollback:
    case ast::TransactionKind::kRollbackTo:
    case ast::TransactionKind::kPrepare:
      return true;
    default:
      return false;
  }
}

Result<std::unique_ptr<ParsedScript>> SqlPlanner::parse(std::string_view text, Budget& budget) {
  const auto options =
      ParseOptions{.memory_budget_bytes = std::max<std::size_t>(estimate_parse_bytes(text), 1_MiB)};
  Reservation while_parsing(budget);
  COPPICE_TRY(while_parsing.grow(options.memory_budget_bytes));
  const bool inline_parse = text.size() <= kInlineTextMax || fiber::current() == nullptr;
  auto parsed = inline_parse ? planner::parse(text, options)
                             : fiber::run_blocking([&] { return planner::parse(text, options); });
  if (!parsed) return std::unexpected(std::move(parsed).error());
  Reservation kept(budget);
  COPPICE_TRY(kept.grow(parsed->memory_bytes()));
  return std::make_unique<SyntaxScript>(text, *std::move(parsed), std::move(kept));
}

Result<Statement> SqlPlanner::plan(const ParsedScript& script, std::size_t statement,
                                   const PlanContext& context) {
  COPPICE_ASSERT(statement < script.size());
  const auto& syntax = static_cast<const SyntaxScript&>(script);  // parse() makes no others
  BindContext bind(context, registry_, syntax.whole_text());
  return bind_statement(bind, syntax.tree(statement), syntax.text(statement));
}

std::vector<std::string> SqlPlanner::explain(const QueryPlan& plan, const ExplainStatement& options,
                                             std::span<const OperatorStats> stats) const {
  return explain_plan(plan, options, stats, registry_);
}

Result<ExpressionRef> SqlPlanner::bind_default(std::string_view sql, TypeOid type,
                                               std::int32_t modifier, const PlanContext& context) {
  return bind_default_text(sql, type, modifier, context, registry_);
}

}  // namespace coppice::planner
