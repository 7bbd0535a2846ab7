// aggregate.cpp — GROUP BY and aggregate functions, by hashing.
#include <algorithm>
#include <cstring>

#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/key_table.h"
#include "modules/executor/values/masks.h"
#include "modules/executor/values/row_keys.h"
#include "modules/executor/values/row_numbers.h"
#include "modules/executor/values/row_store.h"

namespace coppice::executor {

namespace {

using GroupNumbers = std::array<std::uint32_t, kVectorRows>;

Status check_arguments(const AggregateCall& call, const Execution& execution) {
  const std::vector<TypeOid>& wanted = call.aggregate->arguments;
  if (wanted.size() != call.arguments.size())
    return bad_plan("an aggregate with a wrong number of arguments");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const SqlType* const type = execution.registry().find_type(wanted[i]);
    const bool pseudo = type == nullptr || type->info().category == 'P';
    if (!pseudo && type->info().physical != call.arguments[i]->physical)
      return bad_plan("an aggregate with an argument of another type");
  }
  return {};
}

// One aggregate of the list, and its states.
class CallState {
 public:
  [[gnu::noinline]] static Result<CallState> make(const AggregateCall& call, Execution& execution) {
    if (call.aggregate == nullptr || call.aggregate->make == nullptr)
      return bad_plan("an aggregate without a function");
    COPPICE_TRY(check_arguments(call, execution));
    CallState made(call, execution);
    made.arguments_ = COPPICE_TRY(make_evaluators(call.arguments, execution));
    if (call.filter != nullptr) made.filter_ = COPPICE_TRY(make_evaluator(*call.filter, execution));
    if (call.distinct) {
      std::vector<TypeOid> types;
      for (const ExpressionRef& argument : call.arguments) types.push_back(argument->type);
      made.distinct_keys_ = COPPICE_TRY(RowKeys::make(types, execution));
    }
    return made;
  }

  void start() {
    state_ = call_->aggregate->make(execution_->calls());
    seen_.clear();
  }
  [[gnu::noinline]] Status update(const RowBatch& batch, std::uint32_t groups,
                                  const GroupNumbers& numbers) {
    state_->resize(groups);
    rows_ = batch.selection;
    if (filter_ != nullptr) COPPICE_TRY(filter_->select(batch, batch.selection, rows_));
    if (rows_.count() == 0) return {};
    values_.clear();
    for (const EvaluatorRef& argument : arguments_) {
      COPPICE_TRY(argument->run(batch, rows_));
      values_.push_back(argument->result());
    }
    if (call_->distinct) COPPICE_TRY(keep_new(numbers, batch.rows));
    return state_->update(values_, rows_, numbers);
  }
  AggregateState& state() { return *state_; }
  TypeOid result() const { return call_->aggregate->result; }

 private:
  CallState(const AggregateCall& call, Execution& execution)
      : call_(&call), execution_(&execution), seen_(execution.budget()) {}

  // Leaves the rows whose arguments their group has not seen yet.
  Status keep_new(const GroupNumbers& numbers, std::uint32_t size);

  const AggregateCall* call_;
  Execution* execution_;
  Evaluators arguments_;
  EvaluatorRef filter_;
  RowKeys distinct_keys_;
  KeyTable seen_;
  EncodedKeys encoded_;
  ByteBuffer key_;
  std::unique_ptr<AggregateState> state_;
  Selection rows_ = Selection::all(0);
  std::vector<Vector> values_;
};

Status CallState::keep_new(const GroupNumbers& numbers, std::uint32_t size) {
  distinct_keys_.encode(values_, rows_, encoded_);
  Mask kept{};
  std::size_t i = 0;
  Status status;
  rows_.for_each([&](std::uint32_t row) {
    if (!status) return;
    key_.resize(sizeof(std::uint32_t));
    std::memcpy(key_.data(), &numbers[row], sizeof(std::uint32_t));
    append(key_, encoded_.key(i));
    const std::uint64_t hash =
        encoded_.hashes[i] ^ (numbers[row] * std::uint64_t{0x9E37'79B9'7F4A'7C15});
    ++i;
    const std::uint32_t before = seen_.size();
    Result<std::uint32_t> number = seen_.insert(key_, hash);
    if (!number) {
      status = std::unexpected(std::move(number).error());
    } else if (*number == before) {
      kept[row / 64] |= std::uint64_t{1} << (row % 64);
    }
  });
  rows_ = Selection::from_mask(kept, size);
  return status;
}

class AggregateOperator final : public Operator {
 public:
  AggregateOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                    Evaluators groups, RowNumbers numbers, std::vector<PhysicalType> group_types,
                    std::vector<CallState> calls, std::vector<PhysicalType> call_types)
      : Operator(node, execution),
        input_(std::move(input)),
        groups_(std::move(groups)),
        known_(std::move(numbers)),
        group_rows_(std::move(group_types), execution.budget()),
        calls_(std::move(calls)),
        memory_(execution.budget()) {
    for (const PhysicalType type : call_types) out_.emplace_back(type);
  }

  Status start() override {
    known_.clear();
    group_rows_.clear();
    memory_ = MemoryUse(execution_.budget());
    for (CallState& call : calls_) call.start();
    at_ = 0;
    count_ = groups_.empty() ? 1 : 0;
    done_ = false;
    numbers_.fill(0);
    return input_->open();
  }

  Result<bool> produce(RowBatch& batch) override {
    if (!done_) {
      COPPICE_TRY(read());
      done_ = true;
    }
    if (at_ == count_) return false;
    COPPICE_TRY(give(batch));
    return true;
  }

 private:
  // Out of line, so that nested queries take little stack.
  [[gnu::noinline]] Status give(RowBatch& batch) {
    const std::uint32_t size = std::min(kVectorRows, count_ - at_);
    if (groups_.empty()) {
      batch.rows = size;
      batch.selection = Selection::all(size);
      batch.egids = Vector();
      batch.columns.clear();
    } else {
      group_rows_.batch_of(at_ / kVectorRows, batch);
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      out_[i].clear();
      COPPICE_TRY(calls_[i].state().finish(at_, size, out_[i]));
      batch.columns.push_back(out_[i].view());
    }
    at_ += size;
    return {};
  }
  Status read();
  [[gnu::noinline]] Status find_groups(const RowBatch& batch);

  OperatorRef input_;
  Evaluators groups_;
  RowNumbers known_;
  RowStore group_rows_;  // values of the groups, by number
  std::vector<CallState> calls_;
  MemoryUse memory_;  // of the states
  std::vector<VectorBuffer> out_;
  RowBatch batch_;  // of the input
  std::vector<Vector> group_values_;
  std::vector<std::uint32_t> found_;
  GroupNumbers numbers_{};  // by row of the batch
  std::uint32_t count_ = 0, at_ = 0;
  bool done_ = false;
};

Status AggregateOperator::read() {
  for (CallState& call : calls_) call.state().resize(count_);
  for (;;) {
    const bool more = COPPICE_TRY(input_->next(batch_));
    if (!more) return {};
    if (!groups_.empty()) COPPICE_TRY(find_groups(batch_));
    std::uint64_t bytes = 0;
    for (CallState& call : calls_) {
      COPPICE_TRY(call.update(batch_, count_, numbers_));
      bytes += call.state().memory_bytes();
    }
    COPPICE_TRY(memory_.grow_to(bytes));
  }
}

Status AggregateOperator::find_groups(const RowBatch& batch) {
  group_values_.clear();
  for (const EvaluatorRef& group : groups_) {
    COPPICE_TRY(group->run(batch, batch.selection));
    group_values_.push_back(group->result());
  }
  COPPICE_TRY(known_.insert(group_values_, batch.selection, found_));
  if (known_.size() == count_ && batch.selection.form() == Selection::Form::kAll) {
    std::copy(found_.begin(), found_.end(), numbers_.begin());
    return {};
  }
  Mask added{};
  std::size_t i = 0;
  batch.selection.for_each([&](std::uint32_t row) {
    const std::uint32_t number = found_[i++];
    numbers_[row] = number;
    if (number != count_) return;
    ++count_;
    added[row / 64] |= std::uint64_t{1} << (row % 64);
  });
  if (!any_of(added)) return {};
  return group_rows_.append(group_values_, Selection::from_mask(added, batch.rows));
}

// Rows unlike all before them, as they come.
class DistinctOperator final : public Operator {
 public:
  DistinctOperator(const PlanNode& node, Execution& execution, OperatorRef input, RowNumbers known)
      : Operator(node, execution), input_(std::move(input)), known_(std::move(known)) {}

  Status start() override {
    known_.clear();
    return input_->open();
  }

  Result<bool> produce(RowBatch& batch) override {
    for (;;) {
      const bool more = COPPICE_TRY(input_->next(batch));
      if (!more) return false;
      COPPICE_TRY(keep_new(batch));
      if (batch.selection.count() != 0) return true;
    }
  }

 private:
  [[gnu::noinline]] Status keep_new(RowBatch& batch) {
    std::uint32_t before = known_.size();
    COPPICE_TRY(
        known_.insert(std::span(batch.columns).first(node_.types.size()), batch.selection, found_));
    Mask kept{};
    std::size_t i = 0;
    batch.selection.for_each([&](std::uint32_t row) {
      if (found_[i++] != before) return;
      ++before;
      kept[row / 64] |= std::uint64_t{1} << (row % 64);
    });
    batch.selection = Selection::from_mask(kept, batch.rows);
    return {};
  }

  OperatorRef input_;
  RowNumbers known_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

Result<OperatorRef> make_aggregate(const PlanNode& node, Execution& execution, OperatorRef input) {
  Evaluators groups = COPPICE_TRY(make_evaluators(node.groups, execution));
  std::vector<TypeOid> oids;
  std::vector<PhysicalType> group_types, call_types;
  for (const ExpressionRef& group : node.groups) {
    oids.push_back(group->type);
    group_types.push_back(group->physical);
  }
  RowNumbers numbers = COPPICE_TRY(RowNumbers::make(oids, RowNumbers::Nulls::kEqual, execution));
  std::vector<CallState> calls;
  for (std::size_t i = 0; i < node.calls.size(); ++i) {
    CallState call = COPPICE_TRY(CallState::make(node.calls[i], execution));
    calls.push_back(std::move(call));
    // A polymorphic aggregate's type is the node's.
    const std::size_t column = node.groups.size() + i;
    const TypeOid oid =
        column < node.types.size() ? node.types[column] : node.calls[i].aggregate->result;
    const PhysicalType type = COPPICE_TRY(execution.physical(oid));
    call_types.push_back(type);
  }
  return std::make_unique<AggregateOperator>(node, execution, std::move(input), std::move(groups),
                                             std::move(numbers), std::move(group_types),
                                             std::move(calls), std::move(call_types));
}

Result<OperatorRef> make_distinct_rows(const PlanNode& node, Execution& execution,
                                       OperatorRef input) {
  if (input->node().types.size() != node.types.size())
    return bad_plan("a DISTINCT of other columns");
  RowNumbers known =
      COPPICE_TRY(RowNumbers::make(node.types, RowNumbers::Nulls::kEqual, execution));
  return std::make_unique<DistinctOperator>(node, execution, std::move(input), std::move(known));
}

}  // namespace coppice::executor
