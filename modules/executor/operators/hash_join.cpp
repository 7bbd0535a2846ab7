// hash_join.cpp — the right side in a hash table, the left side looked up in it batch by batch.
//
// Holds:    a row with a NULL key has no partner.
#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/join.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/row_numbers.h"

namespace coppice::executor {

namespace {

// Rows of the right side, by key, in the order in which they came.
class BuildSide {
 public:
  static constexpr std::uint32_t kEnd = UINT32_MAX;

  BuildSide(std::vector<PhysicalType> types, RowNumbers keys, Execution& execution)
      : rows_(std::move(types), execution.budget()),
        keys_(std::move(keys)),
        memory_(execution.budget()),
        budget_(execution.budget()) {}

  void clear() {
    rows_.clear();
    keys_.clear();
    first_ = {};
    last_ = {};
    next_ = {};
    memory_ = MemoryUse(budget_);
  }
  [[gnu::noinline]] Status add(const RowBatch& batch, std::span<const Vector> key_values);
  // The first partner of each selected left row, in order; kEnd for none.
  void look_up(std::span<const Vector> key_values, const Selection& rows,
               std::vector<std::uint32_t>& to) {
    keys_.find(key_values, rows, to);
    for (std::uint32_t& key : to) key = key == RowNumbers::kNone ? kEnd : first_[key];
  }

  RowStore& rows() { return rows_; }
  std::uint32_t next(std::uint32_t row) const { return next_[row]; }

 private:
  RowStore rows_;
  RowNumbers keys_;
  MemoryUse memory_;
  Budget* budget_;
  std::vector<std::uint32_t> first_, last_;  // by key
  std::vector<std::uint32_t> next_;          // by row
  std::vector<std::uint32_t> found_;
};

Status BuildSide::add(const RowBatch& batch, std::span<const Vector> key_values) {
  COPPICE_TRY(keys_.insert(key_values, batch.selection, found_));
  auto row = static_cast<std::uint32_t>(rows_.rows());
  COPPICE_TRY(memory_.grow_to((next_.size() + found_.size()) * 4 * sizeof(std::uint32_t)));
  COPPICE_TRY(rows_.append(batch.columns, batch.selection));
  next_.resize(next_.size() + found_.size(), kEnd);
  for (const std::uint32_t key : found_) {
    if (key == first_.size()) {
      first_.push_back(row);
      last_.push_back(row);
    } else if (key != RowNumbers::kNone) {
      next_[last_[key]] = row;
      last_[key] = row;
    }
    ++row;
  }
  return {};
}

[[gnu::noinline]] Status run_keys(const Evaluators& keys, const RowBatch& batch,
                                  std::vector<Vector>& to) {
  to.clear();
  for (const EvaluatorRef& key : keys) {
    COPPICE_TRY(key->run(batch, batch.selection));
    to.push_back(key->result());
  }
  return {};
}

struct JoinKeys {
  Evaluators left, right;
};

class HashJoinOperator final : public JoinOperator {
 public:
  HashJoinOperator(const PlanNode& node, Execution& execution, Operators inputs, JoinKeys keys,
                   BuildSide build, EvaluatorRef filter, std::vector<PhysicalType> left_types,
                   std::vector<PhysicalType> right_types)
      : JoinOperator(node, execution, std::move(inputs[0]), std::move(filter),
                     std::move(left_types), std::move(right_types)),
        right_(std::move(inputs[1])),
        keys_(std::move(keys)),
        build_(std::move(build)) {}

 private:
  Status reset() override {
    build_.clear();
    return {};
  }
  Status read_right() override;
  Status begin_batch() override {
    COPPICE_TRY(run_keys(keys_.left, left_rows(), key_values_));
    build_.look_up(key_values_, left_rows().selection, partners_);
    at_ = 0;
    return {};
  }
  Result<bool> next_pairs(RowBatch& batch) override;
  RowStore* right_rows() override { return &build_.rows(); }

  OperatorRef right_;
  RowBatch batch_;  // of the right side
  JoinKeys keys_;
  BuildSide build_;
  std::vector<std::uint32_t> partners_;  // the next partner of each selected left row
  std::size_t at_ = 0;                   // among the selected left rows
  std::vector<Vector> key_values_;
  Positions pair_left_{};
  std::array<std::uint32_t, kVectorRows> pair_right_{};
};

Status HashJoinOperator::read_right() {
  COPPICE_TRY(right_->open());
  for (;;) {
    const bool more = COPPICE_TRY(right_->next(batch_));
    if (!more) return {};
    COPPICE_TRY(run_keys(keys_.right, batch_, key_values_));
    COPPICE_TRY(build_.add(batch_, key_values_));
  }
}

Result<bool> HashJoinOperator::next_pairs(RowBatch& batch) {
  for (;;) {
    std::size_t count = 0;
    for (; at_ < partners_.size(); ++at_) {
      for (; partners_[at_] != BuildSide::kEnd && count < kVectorRows; ++count) {
        pair_left_[count] = positions()[at_];
        pair_right_[count] = partners_[at_];
        partners_[at_] = build_.next(partners_[at_]);
      }
      if (count == kVectorRows) break;
    }
    if (count == 0) return false;
    COPPICE_TRY(fiber::maybe_yield());
    const auto left = std::span<const std::uint16_t>(pair_left_).first(count);
    const auto right = std::span<const std::uint32_t>(pair_right_).first(count);
    output().pairs(left_rows(), left, build_.rows(), right, batch);
    const bool any = COPPICE_TRY(match(batch, left, right));
    if (any) return true;
  }
}

Status check_keys(const PlanNode& node, const Execution& execution) {
  if (node.left_keys.empty() || node.left_keys.size() != node.right_keys.size())
    return bad_plan("a hash join whose keys are not parallel");
  for (std::size_t i = 0; i < node.left_keys.size(); ++i) {
    const TypeOid left_oid = node.left_keys[i]->type, right_oid = node.right_keys[i]->type;
    if (left_oid == right_oid) continue;
    const SqlType* const left = COPPICE_TRY(execution.type(left_oid));
    const SqlType* const right = COPPICE_TRY(execution.type(right_oid));
    const auto integer = [](const SqlType& type) {
      return is_integer(type.info().physical) && type.info().physical != PhysicalType::kInt128;
    };
    const bool alike =
        left->info().physical == right->info().physical || (integer(*left) && integer(*right));
    if (alike && left->info().equality == Equality::kPhysical &&
        right->info().equality == Equality::kPhysical)
      continue;
    return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                     "a hash join of " + left->info().display_name + " and " +
                                         right->info().display_name + " is not supported"));
  }
  return {};
}

std::vector<TypeOid> types_of(const std::vector<ExpressionRef>& expressions) {
  std::vector<TypeOid> types;
  for (const ExpressionRef& expression : expressions) types.push_back(expression->type);
  return types;
}

}  // namespace

Result<OperatorRef> make_hash_join(const PlanNode& node, Execution& execution, Operators inputs) {
  JoinKeys keys;
  keys.left = COPPICE_TRY(make_evaluators(node.left_keys, execution));
  keys.right = COPPICE_TRY(make_evaluators(node.right_keys, execution));
  COPPICE_TRY(check_keys(node, execution));
  RowNumbers numbers =
      COPPICE_TRY(RowNumbers::make(types_of(node.right_keys), types_of(node.left_keys),
                                   RowNumbers::Nulls::kNeverEqual, execution));
  auto left_types = COPPICE_TRY(execution.physicals(inputs[0]->node().types));
  auto right_types = COPPICE_TRY(execution.physicals(inputs[1]->node().types));
  EvaluatorRef filter;
  if (node.filter != nullptr) filter = COPPICE_TRY(make_evaluator(*node.filter, execution));
  BuildSide build(right_types, std::move(numbers), execution);
  return std::make_unique<HashJoinOperator>(node, execution, std::move(inputs), std::move(keys),
                                            std::move(build), std::move(filter),
                                            std::move(left_types), std::move(right_types));
}

}  // namespace coppice::executor
