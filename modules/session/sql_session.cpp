// sql_session.cpp — the simple protocol, cancelling, and what both protocols share.
#include "modules/session/sql_session.h"

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "modules/session/running.h"
#include "modules/session/shielded_sink.h"

namespace coppice::session {

SqlSession::Running::Running(SqlSession& session)
    : session_(session), outer_(fiber::current_cancel()), scope_(&token_) {
  account_.emplace(&session_.state_->upkeep->account());
  restart_timeout();
  const std::lock_guard guard(session_.running_lock_);
  session_.running_ = &token_;
}

SqlSession::Running::~Running() {
  {
    const std::lock_guard guard(session_.running_lock_);
    session_.running_ = nullptr;
  }
  account_.reset();
  SessionState& state = *session_.state_;
  state.usage->add(*state.upkeep);
  state.upkeep->meter().roll_up();
  state.usage->end(state.services.clock.wall_now());
}

void SqlSession::Running::begin_statement(std::string_view text) {
  restart_timeout();
  session_.state_->usage->begin(text, session_.state_->services.clock.wall_now());
}

void SqlSession::Running::restart_timeout() {
  const Duration timeout = session_.state_->settings.hot().statement_timeout;
  token_.set_deadline(timeout == Duration::zero()
                          ? Deadline::never()
                          : session_.state_->services.clock.now() + timeout);
}

bool SqlSession::Running::timed_out() const {
  return !token_.cancelled() && token_.deadline() != Deadline::never() &&
         session_.state_->services.clock.now() >= token_.deadline();
}

SqlSession::~SqlSession() {
  state_->usage->answer_for(nullptr);
  state_->rollback();
}

void SqlSession::cancel() {
  const std::lock_guard guard(running_lock_);
  if (running_ != nullptr)
    running_->cancel(Code::kCancelled, "canceling statement due to user request");
}

Error SqlSession::failed(Error error, const Running& running) {
  state_->fail();
  const bool stopped = error.code() == Code::kCancelled || error.code() == Code::kDeadlineExceeded;
  if (stopped && running.timed_out())
    return sql_error(sqlstate::kQueryCanceled, "canceling statement due to statement timeout");
  // CopyFail says its own.
  const bool named = error.find_note(sql_field::kSqlstate) != nullptr;
  if (error.code() == Code::kCancelled && (running.cancelled() || !named))
    return sql_error(sqlstate::kQueryCanceled, "canceling statement due to user request");
  return error;
}

Status SqlSession::report_changes(ResultSink& sink) {
  for (const auto& [name, value] : state_->settings.take_changes())
    COPPICE_TRY(sink.parameter_changed(name, value));
  return {};
}

Status SqlSession::run(std::string_view text, ResultSink& client) {
  Running running(*this);
  ShieldedSink sink(client, running.outer());
  close_statement("");
  close_portal("");
  Status done = run_script(text, running, sink);
  if (!done) done = std::unexpected(failed(std::move(done).error(), running));
  state_->several = false;
  const Status reported = report_changes(sink);
  if (done && !reported) return std::unexpected(reported.error().clone());
  return done;
}

Status SqlSession::run_script(std::string_view text, Running& running, ResultSink& sink) {
  const std::unique_ptr<ParsedScript> script =
      COPPICE_TRY(state_->services.planner.parse(text, *state_->budget));
  if (script->size() == 0) return sink.empty_query();
  state_->several = script->size() > 1;
  for (std::size_t i = 0; i < script->size(); ++i) {
    running.begin_statement(script->text(i));
    COPPICE_TRY(run_statement(*script, i, sink));
  }
  return {};
}

Status SqlSession::run_statement(const ParsedScript& script, std::size_t index, ResultSink& sink) {
  TransactionBlock& block = state_->block;
  if (block.failed() && !script.ends_transaction(index)) {
    return std::unexpected(sql_error(sqlstate::kInFailedTransaction,
                                     "current transaction is aborted, commands ignored until end "
                                     "of transaction block"));
  }
  PlannedStatement planned;
  for (unsigned attempt = 0;; ++attempt) {
    planned = COPPICE_TRY(state_->plan(script, index, {}));
    const auto* query = std::get_if<std::shared_ptr<const QueryPlan>>(&planned.statement->body);
    if (query == nullptr) break;
    if (!(*query)->parameter_types.empty())
      return std::unexpected(sql_error("42P02", "there is no parameter $1"));
    const bool waited = COPPICE_TRY(state_->lock_tables(**query));
    if (!waited || attempt == kReplansMax) break;
  }
  const Answer answer{sink, true};
  StatementRunner runner(*state_, answer);
  const std::string tag = COPPICE_TRY(runner.run(*planned.statement, planned.view));
  block.end_statement(true);
  block.drop_unused();
  // The client is told of the end of the last one after the commit.
  const bool last = index + 1 == script.size();
  if (last && block.implicit()) COPPICE_TRY(state_->commit());
  if (tag.empty()) return {};
  return sink.command_complete(tag);
}

}  // namespace coppice::session
