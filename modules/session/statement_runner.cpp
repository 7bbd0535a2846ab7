// statement_runner.cpp — queries, and what several kinds of statement share.
#include "modules/session/statement_runner.h"

#include "interfaces/types/sql_error.h"
#include "modules/session/result_columns.h"

namespace coppice::session {

Result<std::string> StatementRunner::run(const Statement& statement, const CatalogViewRef& view) {
  view_ = view;
  return std::visit(*this, statement.body);
}

Result<std::string> StatementRunner::operator()(const std::shared_ptr<const QueryPlan>& plan) {
  const std::unique_ptr<QueryRun> run =
      COPPICE_TRY(state_.open(plan, std::move(parameters_), view_));
  const bool gives_rows = plan->command == QueryPlan::Command::kSelect || !plan->output.empty();
  if (gives_rows) {
    const std::vector<ResultColumn> columns =
        COPPICE_TRY(columns_of(*plan, state_.services.catalog.registry()));
    COPPICE_TRY(answer_.columns(columns));
  }
  COPPICE_TRY(run->fetch(0, gives_rows ? &answer_.sink : nullptr));
  state_.usage->add(run->scope());
  return run->tag();
}

Status StatementRunner::forbid_block(std::string_view command) {
  if (state_.block.in_block() || state_.several) {
    return std::unexpected(
        sql_error("25001", std::string(command) + " cannot run inside a transaction block"));
  }
  return {};
}

Status StatementRunner::demand_block(std::string_view command) const {
  if (state_.block.in_block()) return {};
  return std::unexpected(
      sql_error("25P01", std::string(command) + " can only be used in transaction blocks"));
}

Status StatementRunner::warn(std::string_view state, std::string message) {
  return state_.notify(answer_.sink, "WARNING", state, std::move(message));
}

Status StatementRunner::notice(std::string_view state, std::string message) {
  return state_.notify(answer_.sink, "NOTICE", state, std::move(message));
}

}  // namespace coppice::session
