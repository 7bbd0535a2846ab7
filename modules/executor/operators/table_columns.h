// table_columns.h — what the scans share: which columns of a table a node gives, and its filter.
#pragma once

#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operator.h"

namespace coppice::executor {

class TableReader {
 public:
  // XX000 where the node names no stored table, or a column that is not there.
  static Result<TableReader> make(const PlanNode& node, Execution& execution);
  // For joins, whose filter is not about the table alone.
  static Result<TableReader> make_without_filter(const PlanNode& node, Execution& execution);

  const TableInfo& table() const { return *node_->table; }
  const std::vector<ColumnId>& columns() const { return columns_; }
  // Makes the node's columns of what the engine gave, and applies the filter. False: no rows left.
  Result<bool> finish(RowBatch& batch);

 private:
  const PlanNode* node_ = nullptr;
  Execution* execution_ = nullptr;
  std::vector<ColumnId> columns_;
  EvaluatorRef filter_;  // may be null
};

}  // namespace coppice::executor
