// nested_loop.cpp — any condition: every row of one side against all of the other.
//
// Role:     the right side is kept. The shorter of a left batch and the right side is gone
//           through row by
//           row, each held against the whole of the other as constants.
#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/join.h"
#include "modules/executor/operators/operators.h"

namespace coppice::executor {

namespace {

class NestedLoopOperator final : public JoinOperator {
 public:
  NestedLoopOperator(const PlanNode& node, Execution& execution, Operators inputs,
                     EvaluatorRef filter, std::vector<PhysicalType> left_types,
                     std::vector<PhysicalType> right_types)
      : JoinOperator(node, execution, std::move(inputs[0]), std::move(filter),
                     std::move(left_types), right_types),
        right_(std::move(inputs[1])),
        rows_(std::move(right_types), execution.budget()) {}

 private:
  Status reset() override {
    rows_.clear();
    return {};
  }
  Status read_right() override;
  Status begin_batch() override {
    by_right_ = rows_.rows() < positions().size();
    left_at_ = chunk_ = 0;
    right_row_ = 0;
    return {};
  }
  Result<bool> next_pairs(RowBatch& batch) override;
  RowStore* right_rows() override { return &rows_; }
  void hold_left_row(RowBatch& batch);
  void hold_right_row(RowBatch& batch);
  void mark(const RowBatch& batch);

  OperatorRef right_;
  RowBatch batch_;  // of the right side
  RowStore rows_;
  std::size_t left_at_ = 0, chunk_ = 0;  // left row by row: this one against this chunk
  std::uint32_t right_row_ = 0;          // right row by row
  bool by_right_ = false;
};

Status NestedLoopOperator::read_right() {
  COPPICE_TRY(right_->open());
  for (;;) {
    const bool more = COPPICE_TRY(right_->next(batch_));
    if (!more) return {};
    COPPICE_TRY(rows_.append(batch_.columns, batch_.selection));
  }
}

// One left row against a chunk of the right side.
void NestedLoopOperator::hold_left_row(RowBatch& batch) {
  rows_.batch_of(chunk_, batch);
  std::vector<Vector> columns;
  for (std::size_t i = 0; i < left_columns(); ++i)
    columns.push_back(
        Vector::constant(left_rows().columns[i].datum_at(positions()[left_at_]), batch.rows));
  batch.columns.insert(batch.columns.begin(), columns.begin(), columns.end());
}

// The left batch against one right row.
void NestedLoopOperator::hold_right_row(RowBatch& batch) {
  batch.rows = left_rows().rows;
  batch.selection = left_rows().selection;
  batch.egids = Vector();
  batch.columns.assign(left_rows().columns.begin(),
                       left_rows().columns.begin() + static_cast<std::ptrdiff_t>(left_columns()));
  for (std::size_t i = 0; i < rows_.types().size(); ++i)
    batch.columns.push_back(Vector::constant(
        rows_.column(right_row_ / kVectorRows, i).datum_at(right_row_ % kVectorRows), batch.rows));
}

void NestedLoopOperator::mark(const RowBatch& batch) {
  const bool marks_right = keeps_right(node_.join);
  batch.selection.for_each([&](std::uint32_t row) {
    mark_left(by_right_ ? row : positions()[left_at_]);
    if (marks_right)
      mark_right(by_right_ ? right_row_ : static_cast<std::uint32_t>(chunk_ * kVectorRows + row));
  });
}

Result<bool> NestedLoopOperator::next_pairs(RowBatch& batch) {
  for (;;) {
    COPPICE_TRY(fiber::maybe_yield());
    const bool ended = by_right_ ? right_row_ == rows_.rows() : left_at_ == positions().size();
    if (ended || rows_.rows() == 0) return false;
    if (by_right_)
      hold_right_row(batch);
    else
      hold_left_row(batch);
    COPPICE_TRY(filter_pairs(batch));
    mark(batch);
    if (by_right_) {
      ++right_row_;
    } else if (++chunk_ == rows_.chunks()) {
      chunk_ = 0;
      ++left_at_;
    }
    if (batch.selection.count() != 0) return true;
  }
}

}  // namespace

Result<OperatorRef> make_nested_loop(const PlanNode& node, Execution& execution, Operators inputs) {
  EvaluatorRef filter;
  if (node.filter != nullptr) filter = COPPICE_TRY(make_evaluator(*node.filter, execution));
  auto left_types = COPPICE_TRY(execution.physicals(inputs[0]->node().types));
  auto right_types = COPPICE_TRY(execution.physicals(inputs[1]->node().types));
  return std::make_unique<NestedLoopOperator>(node, execution, std::move(inputs), std::move(filter),
                                              std::move(left_types), std::move(right_types));
}

}  // namespace coppice::executor
