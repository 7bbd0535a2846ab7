// query_run.h — one run of a query plan: opened, asked for rows, suspended, ended.
//
// Role:     what a portal holds. Owns everything that the executor's Query refers to.
// Owns:     the statement's scope (meter, budget), its parameters, the Query; after detach() the
//           rows that were still to come.
// Threads:  one at a time.
// Parks:    fetch(), detach().
// Errors:   as the executor and the sink.
// Holds:    a run reads the snapshot of its statement. Before another statement begins, the session
//           detaches what is suspended; so a suspended run never outlives what it reads.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "interfaces/session.h"
#include "modules/session/services.h"
#include "modules/session/session_calls.h"

namespace coppice::session {

class QueryRun {
 public:
  QueryRun(const SessionServices& services, std::shared_ptr<const QueryPlan> plan,
           std::unique_ptr<StatementScope> scope, std::unique_ptr<SessionCalls> calls,
           std::vector<Value> parameters, CatalogViewRef view);
  ~QueryRun();

  // In the statement of `txn` that has begun.
  Status open(Transaction& txn);
  // Up to `limit` rows (0: all) into `sink`; null: counted and dropped. True: that was the end.
  Result<bool> fetch(std::uint64_t limit, ResultSink* sink);
  // Reads what is left into memory.
  Status detach();

  bool done() const { return done_; }
  bool detached() const { return detached_; }
  const QueryPlan& plan() const { return *plan_; }
  std::uint64_t rows_sent() const { return rows_sent_; }  // by the last fetch()
  std::uint64_t rows_total() const { return rows_total_; }
  std::uint64_t rows_affected() const { return affected_; }
  std::vector<OperatorStats> stats() const;
  StatementScope& scope() { return *scope_; }
  SessionCalls& calls() { return *calls_; }
  // "SELECT 3", "INSERT 0 1": of what the last fetch() gave, or of all changes.
  std::string tag() const;

 private:
  struct KeptBatch {
    std::vector<VectorBuffer> columns;
    std::uint32_t rows = 0;
  };

  Result<bool> next();  // a batch with rows into batch_; false at the end
  Result<bool> next_kept();
  void end();

  const SessionServices& services_;
  const std::shared_ptr<const QueryPlan> plan_;
  const std::unique_ptr<StatementScope> scope_;
  const std::unique_ptr<SessionCalls> calls_;
  const std::vector<Value> parameters_;
  ExecuteContext context_;
  Reservation kept_bytes_;
  std::deque<KeptBatch> kept_;
  std::unique_ptr<Query> query_;
  RowBatch batch_;
  std::uint32_t batch_used_ = 0;   // selected rows of batch_ that were sent
  std::uint32_t batch_count_ = 0;  // selected rows of batch_
  bool done_ = false;
  bool detached_ = false;
  std::uint64_t rows_sent_ = 0, rows_total_ = 0, affected_ = 0;
};

}  // namespace coppice::session
