// join.h — what all joins share: the order of events, and rows without a partner.
//
// Role:     for each batch of the left side first its pairs, then its rows without a partner; at
//           the
//           end the right side's. A join says how pairs are found.
// Holds:    `filter` belongs to the join's condition: what it refuses counts as no partner.
#pragma once

#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/join_output.h"
#include "modules/executor/operators/operator.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

class JoinOperator : public Operator {
 public:
  JoinOperator(const PlanNode& node, Execution& execution, OperatorRef left, EvaluatorRef filter,
               std::vector<PhysicalType> left_types, std::vector<PhysicalType> right_types);

  Status start() final;
  Result<bool> produce(RowBatch& batch) final;

 protected:
  virtual Status reset() = 0;
  // Before the first left batch is read; the right side may be read here.
  virtual Status read_right() = 0;
  // left_rows() and positions() are a new batch.
  virtual Status begin_batch() = 0;
  // Candidates that were not given before, from which match() took those that the filter refuses;
  // false: no more for this batch.
  virtual Result<bool> next_pairs(RowBatch& batch) = 0;
  // Where right rows are kept for rows without a partner; null: such joins are not made.
  virtual RowStore* right_rows() { return nullptr; }

  // Applies the filter to pairs; says of which rows they are. False: none is left.
  Result<bool> match(RowBatch& batch, std::span<const std::uint16_t> left,
                     std::span<const std::uint32_t> right);
  Status filter_pairs(RowBatch& batch);
  void mark_left(std::uint32_t row) { matched_[row / 64] |= std::uint64_t{1} << (row % 64); }
  void mark_right(std::uint32_t row) { right_matched_.set(row); }

  const RowBatch& left_rows() const { return left_rows_; }
  std::span<const std::uint16_t> positions() const { return positions_; }
  JoinOutput& output() { return output_; }
  std::size_t left_columns() const { return left_columns_; }

 private:
  enum class Stage : std::uint8_t { kRight, kNextBatch, kPairs, kLeftOnly, kRightOnly };

  Result<bool> step(RowBatch& batch);  // true: the batch is to be given
  Result<bool> next_left();
  bool give_left(RowBatch& batch);
  bool give_right(RowBatch& batch);

  OperatorRef left_;
  EvaluatorRef filter_;  // may be null
  const std::size_t left_columns_;
  JoinOutput output_;
  Stage stage_ = Stage::kRight;
  bool ended_ = false;
  RowBatch left_rows_;
  Positions positions_storage_{};
  std::span<const std::uint16_t> positions_;  // of the selected left rows
  Mask matched_{};                            // left rows with a partner
  RowMarks right_matched_;
  std::uint64_t right_at_ = 0;
  Selection rows_ = Selection::all(0);
  std::array<std::uint32_t, kVectorRows> unmatched_{};
};

}  // namespace coppice::executor
