// row_operators.cpp — filter, project and limit: batches in, batches out, nothing kept.
#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

class FilterOperator final : public Operator {
 public:
  FilterOperator(const PlanNode& node, Execution& execution, OperatorRef input, EvaluatorRef filter)
      : Operator(node, execution), input_(std::move(input)), filter_(std::move(filter)) {}

  Status start() override { return input_->open(); }

  Result<bool> produce(RowBatch& batch) override {
    for (;;) {
      const bool more = COPPICE_TRY(input_->next(batch));
      if (!more) return false;
      rows_ = batch.selection;
      COPPICE_TRY(filter_->select(batch, rows_, batch.selection));
      if (batch.selection.count() != 0) return true;
    }
  }

 private:
  OperatorRef input_;
  EvaluatorRef filter_;
  Selection rows_ = Selection::all(0);
};

class ProjectOperator final : public Operator {
 public:
  ProjectOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                  Evaluators projections)
      : Operator(node, execution), input_(std::move(input)), projections_(std::move(projections)) {}

  Status start() override { return input_->open(); }

  Result<bool> produce(RowBatch& batch) override {
    const bool more = COPPICE_TRY(input_->next(rows_));
    if (!more) return false;
    batch.rows = rows_.rows;
    batch.selection = rows_.selection;
    batch.egids = Vector();
    batch.columns.clear();
    for (const EvaluatorRef& projection : projections_) {
      COPPICE_TRY(projection->run(rows_, rows_.selection));
      batch.columns.push_back(projection->result());
    }
    return true;
  }

 private:
  OperatorRef input_;
  Evaluators projections_;
  RowBatch rows_;
};

class LimitOperator final : public Operator {
 public:
  LimitOperator(const PlanNode& node, Execution& execution, OperatorRef input)
      : Operator(node, execution), input_(std::move(input)) {}

  Status start() override {
    skip_ = 0;
    left_ = UINT64_MAX;
    if (node_.offset != nullptr) {
      const Value offset = COPPICE_TRY(evaluate_once(*node_.offset, execution_));
      if (!offset.null && offset.datum().as_int() < 0)
        return std::unexpected(sql_error("2201X", "OFFSET must not be negative"));
      if (!offset.null) skip_ = static_cast<std::uint64_t>(offset.datum().as_int());
    }
    if (node_.limit != nullptr) {
      const Value limit = COPPICE_TRY(evaluate_once(*node_.limit, execution_));
      if (!limit.null && limit.datum().as_int() < 0)
        return std::unexpected(sql_error("2201W", "LIMIT must not be negative"));
      if (!limit.null) left_ = static_cast<std::uint64_t>(limit.datum().as_int());
    }
    return input_->open();
  }

  Result<bool> produce(RowBatch& batch) override {
    while (left_ != 0) {
      const bool more = COPPICE_TRY(input_->next(batch));
      if (!more) return false;
      cut(batch);
      if (batch.selection.count() != 0) return true;
    }
    return false;
  }

 private:
  // Out of line, so that nested queries take little stack.
  [[gnu::noinline]] void cut(RowBatch& batch) {
    const std::uint64_t count = batch.selection.count();
    if (skip_ == 0 && left_ >= count) {
      left_ -= left_ == UINT64_MAX ? 0 : count;
      return;
    }
    Mask kept{};
    batch.selection.for_each([&](std::uint32_t row) {
      if (skip_ != 0) {
        --skip_;
      } else if (left_ != 0) {
        if (left_ != UINT64_MAX) --left_;
        kept[row / 64] |= std::uint64_t{1} << (row % 64);
      }
    });
    batch.selection = Selection::from_mask(kept, batch.rows);
  }

  OperatorRef input_;
  std::uint64_t skip_ = 0, left_ = 0;
};

}  // namespace

Result<OperatorRef> make_filter(const PlanNode& node, Execution& execution, OperatorRef input) {
  if (node.filter == nullptr) return bad_plan("a filter without a condition");
  EvaluatorRef filter = COPPICE_TRY(make_evaluator(*node.filter, execution));
  return std::make_unique<FilterOperator>(node, execution, std::move(input), std::move(filter));
}

Result<OperatorRef> make_project(const PlanNode& node, Execution& execution, OperatorRef input) {
  Evaluators projections = COPPICE_TRY(make_evaluators(node.projections, execution));
  return std::make_unique<ProjectOperator>(node, execution, std::move(input),
                                           std::move(projections));
}

Result<OperatorRef> make_limit(const PlanNode& node, Execution& execution, OperatorRef input) {
  return std::make_unique<LimitOperator>(node, execution, std::move(input));
}

}  // namespace coppice::executor
