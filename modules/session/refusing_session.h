// refusing_session.h — a session that knows the protocol and no SQL: every statement is 0A000.
//
// Role:     stands where the statement loop will be, so that clients can connect and be told.
// Threads:  as interfaces/session.h.   Parks: never, except in the sink.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/session.h"
#include "interfaces/sql_pack.h"

namespace coppice::session {

class RefusingSession final : public Session {
 public:
  explicit RefusingSession(const SessionRequest& request) : request_(request) {}

  Status run(std::string_view text, ResultSink& sink) override;
  Status parse(std::string_view statement, std::string_view text,
               std::span<const std::uint32_t> parameter_oids) override;
  Result<StatementDescription> describe_statement(std::string_view statement) override;
  Status bind(std::string_view portal, std::string_view statement,
              std::span<const BoundParameter> parameters) override;
  Result<StatementDescription> describe_portal(std::string_view portal) override;
  Result<ExecuteOutcome> execute(std::string_view portal, std::uint64_t row_limit,
                                 ResultSink& sink) override;
  void close_statement(std::string_view) override {}
  void close_portal(std::string_view) override {}
  Status sync(ResultSink&) override { return {}; }
  void fail_transaction() override {}
  TransactionStatus transaction_status() const override { return TransactionStatus::kIdle; }
  const SqlSettings& sql_settings() const override { return settings_; }
  std::vector<std::pair<std::string, std::string>> reported_parameters() const override;
  void cancel() override {}

 private:
  SessionRequest request_;
  SqlSettings settings_;
};

class RefusingSessionFactory final : public SessionFactory {
 public:
  Result<std::unique_ptr<Session>> open(const SessionRequest& request) override {
    return std::make_unique<RefusingSession>(request);
  }
};

}  // namespace coppice::session
