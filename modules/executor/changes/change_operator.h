// change_operator.h — what INSERT, UPDATE and DELETE share: all work in the first call, then
// RETURNING.
#pragma once

#include "modules/executor/changes/row_image.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operator.h"
#include "modules/executor/values/row_store.h"

namespace coppice::executor {

class ChangeOperator : public Operator {
 public:
  ChangeOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                 Evaluators returning, std::vector<PhysicalType> returned_types);

  Status start() override;
  Result<bool> produce(RowBatch& batch) override;

 protected:
  virtual Status apply() = 0;

  const TableInfo& table() const { return *node_.table; }
  Operator& input() { return *input_; }
  // Evaluates RETURNING over the node's columns and rows' egids; ids[i] is that of position i.
  Status give_back(const RowImage& image, std::span<const Egid> ids);
  void drop_returned() { returned_.clear(); }

 private:
  OperatorRef input_;
  Evaluators returning_;
  RowStore returned_;
  bool done_ = false;
  std::size_t next_chunk_ = 0;
};

// RETURNING's evaluators and the types of what they give.
struct Returning {
  Evaluators evaluators;
  std::vector<PhysicalType> types;
};
Result<Returning> make_returning(const PlanNode& node, Execution& execution);

}  // namespace coppice::executor
