// values.cpp — rows of expressions.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operators.h"

namespace coppice::executor {

namespace {

class ValuesOperator final : public Operator {
 public:
  ValuesOperator(const PlanNode& node, Execution& execution, std::vector<PhysicalType> types)
      : Operator(node, execution) {
    for (const PhysicalType type : types) columns_.emplace_back(type);
    single_.rows = 1;
    single_.selection = Selection::all(1);
  }

  Status start() override {
    at_ = 0;
    batch_at_ = 0;
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    if (at_ == node_.rows.size()) {
      if (batch_at_ == node_.batches.size()) return false;
      batch = node_.batches[batch_at_++];
      if (batch.columns.size() != columns_.size())
        return bad_plan("a batch of VALUES with another number of columns");
      return true;
    }
    for (VectorBuffer& column : columns_) column.clear();
    std::uint32_t count = 0;
    for (; at_ < node_.rows.size() && count < kVectorRows; ++at_, ++count)
      COPPICE_TRY(append_row(node_.rows[at_]));
    batch.rows = count;
    batch.selection = Selection::all(count);
    batch.egids = Vector();
    batch.columns.clear();
    for (const VectorBuffer& column : columns_) batch.columns.push_back(column.view());
    return true;
  }

 private:
  Status append_row(const std::vector<ExpressionRef>& row) {
    if (row.size() != columns_.size()) return bad_plan("a row of VALUES with another length");
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == nullptr) return bad_plan("a row of VALUES without its value");
      if (row[i]->kind == Expression::Kind::kConstant) {
        COPPICE_TRY(append_value(i, row[i]->value.datum()));
      } else {
        const EvaluatorRef evaluator = COPPICE_TRY(make_evaluator(*row[i], execution_));
        COPPICE_TRY(evaluator->run(single_, single_.selection));
        COPPICE_TRY(append_value(i, evaluator->result().datum_at(0)));
      }
    }
    return {};
  }
  Status append_value(std::size_t column, const Datum& value) {
    if (!value.null && value.type != columns_[column].type())
      return bad_plan("a value of VALUES of another type");
    columns_[column].append(value);
    return {};
  }

  std::vector<VectorBuffer> columns_;
  RowBatch single_;
  std::size_t at_ = 0;
  std::size_t batch_at_ = 0;
};

}  // namespace

Result<OperatorRef> make_values(const PlanNode& node, Execution& execution) {
  auto types = COPPICE_TRY(execution.physicals(node.types));
  return std::make_unique<ValuesOperator>(node, execution, std::move(types));
}

}  // namespace coppice::executor
