// executor.h — runs query plans.
//
// Role:     turns a plan into a stream of batches, under a statement's budget, meter and
//           transaction.
// Owns:     a Query owns its operators; the plan and everything in ExecuteContext outlive it.
// Threads:  one fiber drives a Query.
// Parks:    next(), build_index().
// Errors:   as SQL has them; kCancelled, kDeadlineExceeded from the fiber's token; 53200.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interfaces/meter.h"
#include "interfaces/planner.h"

namespace coppice {

struct ExecuteContext {
  Transaction* txn = nullptr;
  CatalogViewRef catalog;
  CallContext* calls = nullptr;
  Meter* meter = nullptr;
  Budget* budget = nullptr;
  std::span<const Value> parameters;
};

class Query {
 public:
  virtual ~Query() = default;
  // False at the end. Statements that change rows do all their work in the first call; kStale row
  // locks make it restart inside. The batch is valid until the next call.
  virtual Result<bool> next(RowBatch& batch) = 0;
  virtual std::uint64_t rows_affected() const = 0;
  virtual std::vector<OperatorStats> stats() const = 0;
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual Result<std::unique_ptr<Query>> open(std::shared_ptr<const QueryPlan> plan,
                                              const ExecuteContext& context) = 0;
  // Rows from outside (COPY): columns in attribute order, defaults filled in; checks constraints,
  // writes rows and index entries. Takes the locks an INSERT takes.
  virtual Result<std::uint64_t> insert_rows(const TableInfoRef& table, const RowBatch& batch,
                                            const ExecuteContext& context) = 0;
  // CREATE INDEX: the whole protocol from write-only to readable, each step its own transaction
  // begun by the executor; the caller holds no lock on the table. With context.txn: inside of that
  // one, under a SHARE lock. 23505 leaves no index behind.
  virtual Status build_index(NamespaceId ns, Oid table, const NewIndex& definition,
                             const ExecuteContext& context) = 0;
  // One row's value: for DEFAULT, LIMIT, EXECUTE arguments.
  virtual Result<Value> evaluate(const Expression& expression, const ExecuteContext& context) = 0;
};

}  // namespace coppice
