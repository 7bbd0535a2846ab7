// sql_planner.cpp — text to trees, trees to statements.
#include "modules/planner/sql_planner.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/runtime.h"
#include "modules/planner/bind/bind.h"
#include "modules/planner/explain/explain.h"
#include "modules/planner/parse/utf8.h"
#include "modules/planner/parse/values_reader.h"
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

namespace {

// Long texts on a helper thread.
Result<ParsedText> parse_anywhere(std::string_view text) {
  const auto options =
      ParseOptions{.memory_budget_bytes = std::max<std::size_t>(estimate_parse_bytes(text), 1_MiB)};
  if (text.size() <= kInlineTextMax || fiber::current() == nullptr)
    return planner::parse(text, options);
  return fiber::run_blocking([&] { return planner::parse(text, options); });
}

// Null: no INSERT of many tuples that are literals.
Result<std::unique_ptr<SyntaxScript>> parse_bulk(std::string_view text, Budget& budget) {
  std::unique_ptr<SyntaxScript> none;
  if (text.size() < kBulkTextMin || !check_utf8(text)) return none;
  std::unique_ptr<BulkTuples> tuples = COPPICE_TRY(read_bulk_insert(text, budget));
  if (tuples == nullptr) return none;
  auto parsed = parse_anywhere(tuples->skeleton);
  if (!parsed || parsed->statements.size() != 1) return none;
  const auto* const insert = ast::find_as<ast::Insert>(parsed->statements.front().tree);
  if (insert == nullptr || !accepts_tuples(*insert)) return none;
  Reservation kept(budget);
  COPPICE_TRY(kept.grow(parsed->memory_bytes()));
  return std::make_unique<SyntaxScript>(text, *std::move(parsed), std::move(kept),
                                        std::move(tuples));
}

}  // namespace

Result<std::unique_ptr<ParsedScript>> SqlPlanner::parse(std::string_view text, Budget& budget) {
  std::unique_ptr<SyntaxScript> bulk = COPPICE_TRY(parse_bulk(text, budget));
  if (bulk != nullptr) return bulk;
  Reservation while_parsing(budget);
  COPPICE_TRY(while_parsing.grow(std::max<std::size_t>(estimate_parse_bytes(text), 1_MiB)));
  auto parsed = parse_anywhere(text);
  if (!parsed) return std::unexpected(std::move(parsed).error());
  Reservation kept(budget);
  COPPICE_TRY(kept.grow(parsed->memory_bytes()));
  return std::make_unique<SyntaxScript>(text, *std::move(parsed), std::move(kept));
}

Result<Statement> SqlPlanner::plan(const ParsedScript& script, std::size_t statement,
                                   const PlanContext& context) {
  COPPICE_ASSERT(statement < script.size());
  const auto& syntax = static_cast<const SyntaxScript&>(script);  // parse() makes no others
  if (syntax.tuples() == nullptr) {
    BindContext bind(context, registry_, syntax.whole_text());
    return bind_statement(bind, syntax.tree(statement), syntax.text(statement));
  }
  BindContext bulk(context, registry_, syntax.tuples()->skeleton);
  auto plan =
      bind_bulk_insert(bulk, ast::as<ast::Insert>(syntax.tree(statement)), *syntax.tuples());
  if (plan) return Statement{*std::move(plan)};
  // Something unusual: the parser takes it all, so that errors have their places.
  const ParsedText parsed = COPPICE_TRY(parse_anywhere(syntax.whole_text()));
  BindContext bind(context, registry_, syntax.whole_text());
  return bind_statement(bind, *parsed.statements.front().tree, syntax.whole_text());
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
