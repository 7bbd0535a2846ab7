// sql_session.h — interfaces/session.h over the SQL layers: the two query protocols.
//
// Role:     parses a message's text, takes its statements one by one, keeps the rules of implicit
//           transactions and of failed blocks.
// Threads:  one call at a time; cancel() from any fiber.
// Parks:    everything but cancel() and the getters.
// Holds:    after an error the implicit transaction is undone, a block has failed.
#pragma once

#include <memory>
#include <mutex>

#include "kernel/base/spin_lock.h"
#include "kernel/fiber/cancel.h"
#include "modules/session/session_state.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

class SqlSession final : public Session {
 public:
  explicit SqlSession(std::unique_ptr<SessionState> state) : state_(std::move(state)) {
    state_->usage->answer_for(this);
  }
  ~SqlSession() override;

  Status run(std::string_view text, ResultSink& sink) override;
  Status parse(std::string_view statement, std::string_view text,
               std::span<const std::uint32_t> parameter_oids) override;
  Result<StatementDescription> describe_statement(std::string_view statement) override;
  Status bind(std::string_view portal, std::string_view statement,
              std::span<const BoundParameter> parameters) override;
  Result<StatementDescription> describe_portal(std::string_view portal) override;
  Result<ExecuteOutcome> execute(std::string_view portal, std::uint64_t row_limit,
                                 ResultSink& sink) override;
  void close_statement(std::string_view statement) override;
  void close_portal(std::string_view portal) override;
  Status sync(ResultSink& sink) override;
  void fail_transaction() override { state_->fail(); }

  TransactionStatus transaction_status() const override { return state_->block.status(); }
  const SqlSettings& sql_settings() const override { return state_->settings.sql(); }
  std::vector<std::pair<std::string, std::string>> reported_parameters() const override {
    return state_->settings.reported();
  }
  void cancel() override;

 private:
  class Running;

  Status run_script(std::string_view text, Running& running, ResultSink& sink);
  Status run_statement(const ParsedScript& script, std::size_t index, ResultSink& sink);
  Status do_parse(std::string_view statement, std::string_view text,
                  std::span<const std::uint32_t> parameter_oids);
  Status do_bind(std::string_view portal, std::string_view statement,
                 std::span<const BoundParameter> parameters);
  Result<ExecuteOutcome> do_execute(Portal& portal, std::uint64_t row_limit, ResultSink& sink);
  Result<ExecuteOutcome> execute_query(Portal& portal, std::uint64_t row_limit, ResultSink& sink);
  Status open_portal(Portal& portal);
  Result<Value> parameter_value(const BoundParameter& parameter, TypeOid type, std::size_t index,
                                std::string_view portal) const;
  Status report_changes(ResultSink& sink);
  // What the client is told: SQLSTATE and text of a cancelled statement; the transaction fails.
  Error failed(Error error, const Running& running);

  const std::unique_ptr<SessionState> state_;
  SpinLock running_lock_;
  fiber::CancelToken* running_ = nullptr;  // under running_lock_
};

}  // namespace coppice::session
