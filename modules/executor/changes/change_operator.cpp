// change_operator.cpp — the first call works, the others hand out.
#include "modules/executor/changes/change_operator.h"

namespace coppice::executor {

ChangeOperator::ChangeOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                               Evaluators returning, std::vector<PhysicalType> returned_types)
    : Operator(node, execution),
      input_(std::move(input)),
      returning_(std::move(returning)),
      returned_(std::move(returned_types), execution.budget()) {}

Status ChangeOperator::start() {
  done_ = false;
  next_chunk_ = 0;
  returned_.clear();
  return {};
}

Result<bool> ChangeOperator::produce(RowBatch& batch) {
  if (!done_) {
    COPPICE_TRY(apply());
    done_ = true;
  }
  if (next_chunk_ == returned_.chunks()) return false;
  returned_.batch_of(next_chunk_++, batch);
  return true;
}

Status ChangeOperator::give_back(const RowImage& image, std::span<const Egid> ids) {
  if (!node_.has_returning) return {};
  RowBatch rows;
  rows.rows = image.size;
  rows.selection = image.rows;
  for (const std::int16_t attribute : node_.columns)
    rows.columns.push_back(*image.column(attribute));
  VectorBuffer egids(PhysicalType::kInt64);
  auto* const to = egids.append_values<std::int64_t>(image.size);
  for (std::size_t i = 0; i < ids.size(); ++i) to[i] = static_cast<std::int64_t>(ids[i]);
  rows.columns.push_back(egids.view());
  std::vector<Vector> values;
  for (const EvaluatorRef& evaluator : returning_) {
    COPPICE_TRY(evaluator->run(rows, rows.selection));
    values.push_back(evaluator->result());
  }
  return returned_.append(values, rows.selection);
}

Result<Returning> make_returning(const PlanNode& node, Execution& execution) {
  Returning made;
  if (node.table == nullptr || node.table->computed != nullptr)
    return bad_plan("a change without a stored table");
  for (const std::int16_t attribute : node.columns) {
    if (node.table->find_column(attribute) == nullptr)
      return bad_plan("a change of a column that is not there");
  }
  if (!node.has_returning) return made;
  made.evaluators = COPPICE_TRY(make_evaluators(node.returning, execution));
  for (const ExpressionRef& expression : node.returning) made.types.push_back(expression->physical);
  return made;
}

}  // namespace coppice::executor
