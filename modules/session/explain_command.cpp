// explain_command.cpp — EXPLAIN, EXPLAIN ANALYZE, METER.
#include "interfaces/types/sql_error.h"
#include "modules/session/result_columns.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

// "0.123 ms"
std::string milliseconds(Duration duration) {
  const std::int64_t us = duration.count() / 1000;
  std::string thousandths = std::to_string(us % 1000);
  thousandths.insert(0, 3 - thousandths.size(), '0');
  return std::to_string(us / 1000) + "." + thousandths + " ms";
}

void add_meter_lines(StatementScope& scope, std::vector<std::string>& lines) {
  lines.emplace_back("Meter:");
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const auto resource = static_cast<Resource>(i);
    lines.push_back("  " + std::string(resource_name(resource)) + ": " +
                    std::to_string(scope.meter().used(resource)));
  }
  lines.push_back("  memory_peak_bytes: " + std::to_string(scope.budget().peak()));
}

}  // namespace

// Of a query itself, or of what EXECUTE would run.
Result<std::shared_ptr<const QueryPlan>> StatementRunner::plan_to_explain(
    const Statement& statement) {
  if (const auto* query = std::get_if<std::shared_ptr<const QueryPlan>>(&statement.body))
    return *query;
  if (const auto* execute = std::get_if<ExecuteStatement>(&statement.body)) {
    const auto found = state_.prepared.find(execute->name);
    if (found == state_.prepared.end()) {
      return std::unexpected(
          sql_error("26000", "prepared statement \"" + execute->name + "\" does not exist"));
    }
    const PreparedRef prepared = found->second;
    const auto* query =
        prepared->empty ? nullptr
                        : std::get_if<std::shared_ptr<const QueryPlan>>(&prepared->statement->body);
    if (query != nullptr) {
      parameters_ = COPPICE_TRY(argument_values(*execute, *prepared));
      view_ = COPPICE_TRY(state_.refresh(*prepared));
      return std::get<std::shared_ptr<const QueryPlan>>(prepared->statement->body);
    }
  }
  return std::unexpected(
      sql_error(sqlstate::kFeatureNotSupported, "EXPLAIN of this statement is not supported"));
}

Result<std::string> StatementRunner::operator()(const ExplainStatement& statement) {
  if (statement.statement == nullptr) return "EXPLAIN";
  const std::shared_ptr<const QueryPlan> plan = COPPICE_TRY(plan_to_explain(*statement.statement));
  const Planner& planner = state_.services.planner;
  std::vector<std::string> lines;
  if (!statement.analyze) {
    lines = planner.explain(*plan, statement, {});
  } else {
    COPPICE_TRY(state_.lock_tables(*plan));
    const Instant begun = state_.services.clock.now();
    const std::unique_ptr<QueryRun> run =
        COPPICE_TRY(state_.open(plan, std::move(parameters_), view_));
    COPPICE_TRY(run->fetch(0, nullptr));
    state_.usage->add(run->scope());
    const Duration took = state_.services.clock.now() - begun;
    const std::vector<OperatorStats> stats = run->stats();
    lines = planner.explain(*plan, statement, stats);
    if (statement.meter) add_meter_lines(run->scope(), lines);
    lines.push_back("Planning Time: " + milliseconds(state_.planning_took));
    lines.push_back("Execution Time: " + milliseconds(took));
  }
  COPPICE_TRY(answer_.columns(text_columns({"QUERY PLAN"}, state_.services.catalog.registry())));
  TextRows rows(1, answer_.sink);
  for (const std::string& line : lines) COPPICE_TRY(rows.add({line}));
  COPPICE_TRY(rows.flush());
  return "EXPLAIN";
}

}  // namespace coppice::session
