// join.cpp — one step after the other.
#include "modules/executor/operators/join.h"

namespace coppice::executor {

JoinOperator::JoinOperator(const PlanNode& node, Execution& execution, OperatorRef left,
                           EvaluatorRef filter, std::vector<PhysicalType> left_types,
                           std::vector<PhysicalType> right_types)
    : Operator(node, execution),
      left_(std::move(left)),
      filter_(std::move(filter)),
      left_columns_(left_types.size()),
      output_(std::move(left_types), std::move(right_types)) {}

Status JoinOperator::start() {
  stage_ = Stage::kRight;
  ended_ = false;
  right_at_ = 0;
  COPPICE_TRY(reset());
  return left_->open();
}

Result<bool> JoinOperator::produce(RowBatch& batch) {
  while (!ended_) {
    const bool given = COPPICE_TRY(step(batch));
    if (given) return true;
  }
  return false;
}

Result<bool> JoinOperator::step(RowBatch& batch) {
  switch (stage_) {
    case Stage::kRight:
      COPPICE_TRY(read_right());
      if (RowStore* const rows = right_rows()) right_matched_.reset(rows->rows());
      stage_ = Stage::kNextBatch;
      return false;
    case Stage::kNextBatch: {
      const bool more = COPPICE_TRY(next_left());
      stage_ = more ? Stage::kPairs : Stage::kRightOnly;
      return false;
    }
    case Stage::kPairs: {
      const bool any = COPPICE_TRY(next_pairs(batch));
      if (!any) stage_ = Stage::kLeftOnly;
      return any && !gives_left_only(node_.join);
    }
    case Stage::kLeftOnly:
      stage_ = Stage::kNextBatch;
      return give_left(batch);
    case Stage::kRightOnly:
      if (give_right(batch)) return true;
      ended_ = true;
      return false;
  }
  unreachable();
}

Result<bool> JoinOperator::next_left() {
  const bool more = COPPICE_TRY(left_->next(left_rows_));
  if (!more) return false;
  positions_ = positions_of(left_rows_.selection, positions_storage_);
  matched_.fill(0);
  COPPICE_TRY(begin_batch());
  return true;
}

Status JoinOperator::filter_pairs(RowBatch& batch) {
  if (filter_ == nullptr) return {};
  rows_ = batch.selection;
  return filter_->select(batch, rows_, batch.selection);
}

Result<bool> JoinOperator::match(RowBatch& batch, std::span<const std::uint16_t> left,
                                 std::span<const std::uint32_t> right) {
  COPPICE_TRY(filter_pairs(batch));
  const bool marks_right = keeps_right(node_.join);
  batch.selection.for_each([&](std::uint32_t pair) {
    mark_left(left[pair]);
    if (marks_right) mark_right(right[pair]);
  });
  return batch.selection.count() != 0;
}

bool JoinOperator::give_left(RowBatch& batch) {
  const bool left_only = gives_left_only(node_.join);
  if (!left_only && !keeps_left(node_.join)) return false;
  const bool wanted = node_.join == JoinKind::kSemi;
  Mask mask;
  to_mask(left_rows_.selection, mask);
  for (std::size_t word = 0; word < mask.size(); ++word)
    mask[word] &= wanted ? matched_[word] : ~matched_[word];
  to_selection(mask, left_rows_.rows, rows_);
  if (rows_.count() == 0) return false;
  output_.left_only(left_rows_, rows_, batch);
  if (left_only) batch.columns.resize(left_columns_);
  return true;
}

bool JoinOperator::give_right(RowBatch& batch) {
  RowStore* const rows = right_rows();
  if (rows == nullptr || !keeps_right(node_.join)) return false;
  const std::size_t count = right_matched_.take_unset(rows->rows(), right_at_, unmatched_);
  if (count == 0) return false;
  output_.right_only(*rows, std::span(unmatched_).first(count), batch);
  return true;
}

}  // namespace coppice::executor
