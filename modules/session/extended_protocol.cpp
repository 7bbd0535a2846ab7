// extended_protocol.cpp — Parse, Bind, Describe, Execute, Close, Sync.
#include "interfaces/types/sql_error.h"
#include "modules/session/result_columns.h"
#include "modules/session/running.h"
#include "modules/session/shielded_sink.h"
#include "modules/session/sql_session.h"

namespace coppice::session {

namespace {

Error no_statement(std::string_view name) {
  return sql_error(
      "26000", name.empty() ? "unnamed prepared statement does not exist"
                            : "prepared statement \"" + std::string(name) + "\" does not exist");
}
Error no_portal(std::string_view name) {
  return sql_error("34000", "portal \"" + std::string(name) + "\" does not exist");
}
Error in_failed_block() {
  return sql_error(sqlstate::kInFailedTransaction,
                   "current transaction is aborted, commands ignored until end of transaction "
                   "block");
}

}  // namespace

Status SqlSession::parse(std::string_view statement, std::string_view text,
                         std::span<const std::uint32_t> parameter_oids) {
  Running running(*this);
  Status done = do_parse(statement, text, parameter_oids);
  if (!done) return std::unexpected(failed(std::move(done).error(), running));
  return {};
}

Status SqlSession::do_parse(std::string_view statement, std::string_view text,
                            std::span<const std::uint32_t> parameter_oids) {
  if (statement.empty()) {
    close_statement("");
  } else if (state_->prepared.contains(statement)) {
    return std::unexpected(
        sql_error("42P05", "prepared statement \"" + std::string(statement) + "\" already exists"));
  }
  if (state_->prepared.size() >= kPreparedMax)
    return std::unexpected(sql_error("54000", "too many prepared statements"));
  state_->block.open_implicit();
  PreparedRef made = COPPICE_TRY(state_->prepare(statement, text, parameter_oids));
  state_->block.end_statement(true);
  state_->block.drop_unused();
  state_->prepared.insert_or_assign(std::string(statement), std::move(made));
  return {};
}

Result<StatementDescription> SqlSession::describe_statement(std::string_view statement) {
  const auto found = state_->prepared.find(statement);
  if (found == state_->prepared.end()) return std::unexpected(no_statement(statement));
  const Prepared& prepared = *found->second;
  if (state_->block.failed() && prepared.has_rows) return std::unexpected(in_failed_block());
  return StatementDescription{.parameter_oids = prepared.parameter_types,
                              .has_rows = prepared.has_rows,
                              .columns = prepared.columns};
}

Status SqlSession::bind(std::string_view portal, std::string_view statement,
                        std::span<const BoundParameter> parameters) {
  Running running(*this);
  Status done = do_bind(portal, statement, parameters);
  if (!done) return std::unexpected(failed(std::move(done).error(), running));
  return {};
}

Result<Value> SqlSession::parameter_value(const BoundParameter& parameter, TypeOid type,
                                          std::size_t index, std::string_view portal) const {
  const SqlType* sql_type = state_->services.catalog.registry().find_type(
      type == 0 || type == type_oid::kUnknown ? type_oid::kText : type);
  if (sql_type == nullptr) {
    return std::unexpected(sql_error(sqlstate::kInternalError,
                                     "cache lookup failed for type " + std::to_string(type)));
  }
  if (!parameter.value) return Value(Datum::null_of(sql_type->info().physical));
  VectorBuffer buffer(sql_type->info().physical);
  const bool text = parameter.format == Format::kText;
  Status parsed = sql_type->parse(text ? WireForm::kText : WireForm::kBinary, *parameter.value, -1,
                                  state_->settings.sql(), buffer);
  if (!parsed) {
    std::string where =
        portal.empty() ? "unnamed portal" : "portal \"" + std::string(portal) + "\"";
    where += " parameter $" + std::to_string(index + 1);
    if (text) where += " = '" + std::string(as_text(*parameter.value).substr(0, 64)) + "'";
    return std::unexpected(std::move(parsed).error().note(sql_field::kWhere, where));
  }
  return Value(buffer.view().datum_at(0));
}

Status SqlSession::do_bind(std::string_view portal, std::string_view statement,
                           std::span<const BoundParameter> parameters) {
  const auto found = state_->prepared.find(statement);
  if (found == state_->prepared.end()) return std::unexpected(no_statement(statement));
  const PreparedRef prepared = found->second;
  if (parameters.size() != prepared->parameter_types.size()) {
    return std::unexpected(sql_error(sqlstate::kProtocolViolation,
                                     "bind message supplies " + std::to_string(parameters.size()) +
                                         " parameters, but prepared statement \"" +
                                         std::string(statement) + "\" requires " +
                                         std::to_string(prepared->parameter_types.size())));
  }
  if (state_->block.failed() && !prepared->ends_transaction && !prepared->empty)
    return std::unexpected(in_failed_block());
  if (portal.empty()) {
    close_portal("");
  } else if (state_->portals.contains(portal)) {
    return std::unexpected(
        sql_error("42P03", "cursor \"" + std::string(portal) + "\" already exists"));
  }
  if (state_->portals.size() >= kPortalsMax)
    return std::unexpected(sql_error("54000", "too many portals"));
  Portal made;
  made.prepared = prepared;
  std::uint64_t bytes = sizeof(Portal) + parameters.size() * sizeof(Value);
  for (const BoundParameter& parameter : parameters)
    bytes += parameter.value ? parameter.value->size() : 0;
  made.bytes = Reservation(*state_->budget);
  COPPICE_TRY(made.bytes.grow(bytes));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value value =
        COPPICE_TRY(parameter_value(parameters[i], prepared->parameter_types[i], i, portal));
    made.parameters.push_back(std::move(value));
  }
  made.columns = prepared->columns;
  made.has_rows = prepared->has_rows;
  state_->block.open_implicit();
  state_->portals.insert_or_assign(std::string(portal), std::move(made));
  return {};
}

Result<StatementDescription> SqlSession::describe_portal(std::string_view portal) {
  const auto found = state_->portals.find(portal);
  if (found == state_->portals.end()) return std::unexpected(no_portal(portal));
  return StatementDescription{
      .parameter_oids = {}, .has_rows = found->second.has_rows, .columns = found->second.columns};
}

Result<ExecuteOutcome> SqlSession::execute(std::string_view portal, std::uint64_t row_limit,
                                           ResultSink& client) {
  Running running(*this);
  ShieldedSink sink(client, running.outer());
  const auto found = state_->portals.find(portal);
  if (found != state_->portals.end()) running.begin_statement(found->second.prepared->text);
  Result<ExecuteOutcome> outcome = found == state_->portals.end()
                                       ? std::unexpected(no_portal(portal))
                                       : do_execute(found->second, row_limit, sink);
  if (!outcome) return std::unexpected(failed(std::move(outcome).error(), running));
  return outcome;
}

Result<ExecuteOutcome> SqlSession::do_execute(Portal& portal, std::uint64_t row_limit,
                                              ResultSink& sink) {
  const PreparedRef prepared = portal.prepared;  // COMMIT ends the portal
  if (prepared->empty) {
    COPPICE_TRY(sink.empty_query());
    return ExecuteOutcome::kComplete;
  }
  TransactionBlock& block = state_->block;
  if (block.failed() && !prepared->ends_transaction) return std::unexpected(in_failed_block());
  if (std::holds_alternative<std::shared_ptr<const QueryPlan>>(prepared->statement->body))
    return execute_query(portal, row_limit, sink);
  if (portal.finished) return std::unexpected(sql_error("55000", "portal cannot be run"));
  portal.finished = true;
  CatalogViewRef view = state_->last_view;
  if (prepared->light && view != nullptr) {
    block.open_implicit();
  } else if (!block.failed()) {
    view = COPPICE_TRY(state_->refresh(*prepared));
  }
  const std::shared_ptr<const Statement> body = prepared->statement;
  const Answer answer{sink, false};
  StatementRunner runner(*state_, answer, std::move(portal.parameters));
  const std::string tag = COPPICE_TRY(runner.run(*body, view));
  block.end_statement(true);
  block.drop_unused();
  if (!tag.empty()) COPPICE_TRY(sink.command_complete(tag));
  return ExecuteOutcome::kComplete;
}

Status SqlSession::open_portal(Portal& portal) {
  Prepared& prepared = *portal.prepared;
  CatalogViewRef view;
  std::shared_ptr<const QueryPlan> plan;
  for (unsigned attempt = 0;; ++attempt) {
    view = COPPICE_TRY(state_->refresh(prepared));
    plan = std::get<std::shared_ptr<const QueryPlan>>(prepared.statement->body);
    const bool waited = COPPICE_TRY(state_->lock_tables(*plan));
    if (!waited || attempt == kReplansMax) break;
  }
  if (!same_shape(portal.columns, prepared.columns)) {
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "cached plan must not change result type"));
  }
  portal.run = COPPICE_TRY(state_->open(plan, std::move(portal.parameters), view));
  return {};
}

Result<ExecuteOutcome> SqlSession::execute_query(Portal& portal, std::uint64_t row_limit,
                                                 ResultSink& sink) {
  if (portal.run == nullptr) COPPICE_TRY(open_portal(portal));
  const bool done = COPPICE_TRY(portal.run->fetch(row_limit, portal.has_rows ? &sink : nullptr));
  if (!done) return ExecuteOutcome::kSuspended;
  if (!portal.finished) {
    state_->block.end_statement(true);
    state_->usage->add(portal.run->scope());
  }
  portal.finished = true;
  COPPICE_TRY(sink.command_complete(portal.run->tag()));
  return ExecuteOutcome::kComplete;
}

void SqlSession::close_statement(std::string_view statement) {
  const auto found = state_->prepared.find(statement);
  if (found != state_->prepared.end()) state_->prepared.erase(found);
}

void SqlSession::close_portal(std::string_view portal) {
  const auto found = state_->portals.find(portal);
  if (found != state_->portals.end()) state_->portals.erase(found);
}

Status SqlSession::sync(ResultSink& sink) {
  Status done;
  {
    Running running(*this);
    if (state_->block.implicit()) done = state_->commit();
    if (!done) done = std::unexpected(failed(std::move(done).error(), running));
  }
  const Status reported = report_changes(sink);
  if (done && !reported) return std::unexpected(reported.error().clone());
  return done;
}

}  // namespace coppice::session
