// operator.h — one node of a plan at work: gives batches.
//
// Role:     open() starts it, again for every row of an outer query that a subplan depends on;
//           next()
//           gives batches until it says false.
// Owns:     its inputs; the plan node and the Execution outlive it.
// Threads:  one fiber.
// Parks:    open(), next().
// Errors:   those of the expressions; kCancelled and kDeadlineExceeded between batches.
// Holds:    a batch is valid until the next call of the operator that gave it. Batches are never
//           without selected rows.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "interfaces/types/row_batch.h"
#include "modules/executor/execution.h"

namespace coppice::executor {

class Operator {
 public:
  Operator(const PlanNode& node, Execution& execution);
  virtual ~Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  Status open();
  Result<bool> next(RowBatch& batch);
  const PlanNode& node() const { return node_; }

 protected:
  virtual Status start() = 0;
  virtual Result<bool> produce(RowBatch& batch) = 0;

  const PlanNode& node_;
  Execution& execution_;

 private:
  std::size_t stats_;
};
using OperatorRef = std::unique_ptr<Operator>;
using Operators = std::vector<OperatorRef>;

// The operators of a tree. 54001 where it is too deep.
Result<OperatorRef> make_operator(const PlanNode& node, Execution& execution);

}  // namespace coppice::executor
