// running.h — a message being handled: what cancel() and statement_timeout reach.
//
// Threads:  lives on the fiber that handles the message.
// Parks:    never.
#pragma once

#include "modules/session/sql_session.h"

namespace coppice::session {

class SqlSession::Running {
 public:
  explicit Running(SqlSession& session);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void restart_timeout();  // for the next statement
  bool timed_out() const;
  bool cancelled() const { return token_.cancelled(); }
  fiber::CancelToken* outer() const { return outer_; }  // what the connection obeys

 private:
  SqlSession& session_;
  fiber::CancelToken* const outer_;
  fiber::CancelToken token_;
  const fiber::CancelScope scope_;
};

}  // namespace coppice::session
