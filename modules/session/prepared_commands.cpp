// prepared_commands.cpp — PREPARE, EXECUTE, DEALLOCATE.
#include "interfaces/types/sql_error.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

Error no_statement(std::string_view name) {
  return sql_error("26000", "prepared statement \"" + std::string(name) + "\" does not exist");
}

}  // namespace

Result<std::string> StatementRunner::operator()(const PrepareStatement& statement) {
  if (state_.prepared.contains(statement.name)) {
    return std::unexpected(
        sql_error("42P05", "prepared statement \"" + statement.name + "\" already exists"));
  }
  if (state_.prepared.size() >= kPreparedMax)
    return std::unexpected(sql_error("54000", "too many prepared statements"));
  PreparedRef made =
      COPPICE_TRY(state_.prepare(statement.name, statement.text, statement.parameter_types));
  made->from_sql = true;
  state_.prepared[statement.name] = std::move(made);
  return "PREPARE";
}

Result<std::vector<Value>> StatementRunner::argument_values(const ExecuteStatement& statement,
                                                            const Prepared& prepared) {
  if (statement.arguments.size() != prepared.parameter_types.size()) {
    return std::unexpected(
        sql_error(sqlstate::kSyntaxError,
                  "wrong number of parameters for prepared statement \"" + statement.name + "\"")
            .note(sql_field::kDetail,
                  "Expected " + std::to_string(prepared.parameter_types.size()) +
                      " parameters but got " + std::to_string(statement.arguments.size()) + "."));
  }
  const std::unique_ptr<StatementScope> scope = state_.scope();
  const std::unique_ptr<SessionCalls> calls = state_.calls(view_);
  ExecuteContext context;
  context.txn = state_.block.transaction();
  context.catalog = view_;
  context.calls = calls.get();
  context.meter = &scope->meter();
  context.budget = &scope->budget();
  context.parameters = parameters_;
  std::vector<Value> values;
  for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
    const Expression& argument = *statement.arguments[i];
    Value value = COPPICE_TRY(state_.services.executor.evaluate(argument, context));
    value = COPPICE_TRY(convert(std::move(value), argument.type, prepared.parameter_types[i]));
    values.push_back(std::move(value));
  }
  return values;
}

// By way of the text: what an argument is and what the parameter wants may differ.
Result<Value> StatementRunner::convert(Value value, TypeOid from, TypeOid to) const {
  if (from == to || value.null) return value;
  const SqlRegistry& registry = state_.services.catalog.registry();
  const SqlType* source = registry.find_type(from == type_oid::kUnknown ? type_oid::kText : from);
  const SqlType* target = registry.find_type(to);
  if (source == nullptr || target == nullptr) return value;
  FormattedColumn text;
  COPPICE_TRY(source->format(WireForm::kText, Vector::constant(value.datum(), 1), Selection::all(1),
                             state_.settings.sql(), text));
  VectorBuffer parsed(target->info().physical);
  COPPICE_TRY(target->parse(WireForm::kText, text.bytes, -1, state_.settings.sql(), parsed));
  return Value(parsed.view().datum_at(0));
}

Result<std::string> StatementRunner::operator()(const ExecuteStatement& statement) {
  const auto found = state_.prepared.find(statement.name);
  if (found == state_.prepared.end()) return std::unexpected(no_statement(statement.name));
  const PreparedRef prepared = found->second;  // may be deallocated by what it runs
  if (prepared->empty) {
    COPPICE_TRY(answer_.sink.empty_query());
    return "";
  }
  if (std::holds_alternative<ExecuteStatement>(prepared->statement->body)) {
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "EXECUTE of an EXECUTE is not supported"));
  }
  std::vector<Value> values = COPPICE_TRY(argument_values(statement, *prepared));
  CatalogViewRef view;
  for (unsigned attempt = 0;; ++attempt) {
    view = COPPICE_TRY(state_.refresh(*prepared));
    const auto* query = std::get_if<std::shared_ptr<const QueryPlan>>(&prepared->statement->body);
    if (query == nullptr) break;
    const bool waited = COPPICE_TRY(state_.lock_tables(**query));
    if (!waited || attempt == kReplansMax) break;
  }
  const std::shared_ptr<const Statement> body = prepared->statement;
  StatementRunner runner(state_, answer_, std::move(values));
  return runner.run(*body, view);
}

Result<std::string> StatementRunner::operator()(const DeallocateStatement& statement) {
  if (statement.name.empty()) {
    state_.prepared.clear();
    return "DEALLOCATE ALL";
  }
  const auto found = state_.prepared.find(statement.name);
  if (found == state_.prepared.end()) return std::unexpected(no_statement(statement.name));
  state_.prepared.erase(found);
  return "DEALLOCATE";
}

}  // namespace coppice::session
