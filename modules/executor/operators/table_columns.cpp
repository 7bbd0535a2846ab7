// table_columns.cpp — from the engine's batches to the plan's.
#include "modules/executor/operators/table_columns.h"

namespace coppice::executor {

Result<TableReader> TableReader::make_without_filter(const PlanNode& node, Execution& execution) {
  if (node.table == nullptr || node.table->computed != nullptr)
    return bad_plan("a scan without a stored table");
  TableReader reader;
  reader.node_ = &node;
  reader.execution_ = &execution;
  for (const std::int16_t attribute : node.columns) {
    const ColumnInfo* const column = node.table->find_column(attribute);
    if (column == nullptr) return bad_plan("a scan of a column that is not there");
    reader.columns_.push_back(column->storage);
  }
  return reader;
}

Result<TableReader> TableReader::make(const PlanNode& node, Execution& execution) {
  TableReader reader = COPPICE_TRY(make_without_filter(node, execution));
  if (node.filter != nullptr) reader.filter_ = COPPICE_TRY(make_evaluator(*node.filter, execution));
  return reader;
}

Result<bool> TableReader::finish(RowBatch& batch) {
  execution_->charge(Resource::kRowsRead, batch.selection.count());
  if (node_->with_egid) batch.columns.push_back(batch.egids);
  if (filter_ != nullptr) {
    const Selection rows = batch.selection;
    COPPICE_TRY(filter_->select(batch, rows, batch.selection));
  }
  return batch.selection.count() != 0;
}

}  // namespace coppice::executor
