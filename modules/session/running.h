// running.h — a message being handled: what cancel() and statement_timeout reach.
//
// Threads:  lives on the fiber that handles the message.
// Parks:    never.
#pragma once

#include <optional>
#include <string_view>

#include "kernel/fiber/account.h"
#include "modules/session/sql_session.h"

namespace coppice::session {

class SqlSession::Running {
 public:
  explicit Running(SqlSession& session);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void begin_statement(std::string_view text);  // its time and what it uses count from here
  bool timed_out() const;
  bool cancelled() const { return token_.cancelled(); }
  fiber::CancelToken* outer() const { return outer_; }  // what the connection obeys

 private:
  void restart_timeout();

  SqlSession& session_;
  fiber::CancelToken* const outer_;
  fiber::CancelToken token_;
  const fiber::CancelScope scope_;
  std::optional<fiber::AccountScope> account_;
};

}  // namespace coppice::session
