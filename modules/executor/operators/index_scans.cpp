// index_scans.cpp — rows by index conditions, in index order, by their ids; and counts.
#include <algorithm>

#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/fetch.h"
#include "modules/executor/operators/index_ranges.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/memory_use.h"

namespace coppice::executor {

namespace {

// All ids first, then their rows in batches.
class BitmapScanOperator final : public Operator {
 public:
  BitmapScanOperator(const PlanNode& node, Execution& execution, TableReader reader,
                     ConditionRanges ranges)
      : Operator(node, execution),
        fetch_(std::move(reader), execution),
        ranges_(std::move(ranges)),
        memory_(execution.budget()) {}

  Status start() override {
    const BitmapNode condition = COPPICE_TRY(ranges_.node());
    rows_ = COPPICE_TRY(execution_.engine().rows_of(execution_.txn().view(), condition));
    at_ = 0;
    return memory_.grow_to(rows_.size() * sizeof(Egid));
  }

  Result<bool> produce(RowBatch& batch) override {
    while (at_ < rows_.size()) {
      const std::size_t count = std::min<std::size_t>(kVectorRows, rows_.size() - at_);
      const auto ids = std::span<const Egid>(rows_).subspan(at_, count);
      at_ += count;
      const bool any = COPPICE_TRY(fetch_.ascending(ids, batch));
      if (any) return true;
      COPPICE_TRY(fiber::maybe_yield());
    }
    return false;
  }

 private:
  RowFetch fetch_;
  ConditionRanges ranges_;
  MemoryUse memory_;
  RowIds rows_;
  std::size_t at_ = 0;
};

// Few rows at first, since a LIMIT may want no more.
class IndexOrderOperator final : public Operator {
 public:
  IndexOrderOperator(const PlanNode& node, Execution& execution, TableReader reader,
                     LeafRanges leaf)
      : Operator(node, execution), fetch_(std::move(reader), execution), leaf_(std::move(leaf)) {}

  Status start() override {
    RowBatch single;
    single.rows = 1;
    single.selection = Selection::all(1);
    COPPICE_TRY(leaf_.prepare(single, single.selection));
    COPPICE_TRY(leaf_.ranges(0, ranges_));
    range_ = 0;
    cursor_.reset();
    entries_.rows.clear();
    at_ = 0;
    step_ = kFirstRows;
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    for (;;) {
      if (at_ == entries_.rows.size()) {
        const bool more = COPPICE_TRY(read_entries());
        if (!more) return false;
      }
      const std::size_t count = std::min(step_, entries_.rows.size() - at_);
      const auto ids = std::span<const Egid>(entries_.rows).subspan(at_, count);
      at_ += count;
      step_ = std::min<std::size_t>(step_ * 4, kVectorRows);
      const bool any = COPPICE_TRY(fetch_.ordered(ids, batch));
      if (any) return true;
      COPPICE_TRY(fiber::maybe_yield());
    }
  }

 private:
  static constexpr std::size_t kFirstRows = 16;

  Result<bool> read_entries() {
    at_ = 0;
    entries_.rows.clear();
    for (;;) {
      if (cursor_ == nullptr) {
        if (range_ == ranges_.size()) return false;
        const bool forward = node_.direction == Direction::kForward;
        const std::size_t at = forward ? range_ : ranges_.size() - 1 - range_;
        ++range_;
        cursor_ = COPPICE_TRY(execution_.engine().index_scan(
            execution_.txn().view(), leaf_.index().storage, ranges_[at], node_.direction));
      }
      const bool more = COPPICE_TRY(cursor_->next(entries_));
      if (more && !entries_.rows.empty()) return true;
      if (!more) {
        cursor_.reset();
        entries_.rows.clear();
      }
    }
  }

  RowFetch fetch_;
  LeafRanges leaf_;
  std::vector<KeyRange> ranges_;
  std::size_t range_ = 0;  // how many were opened
  std::unique_ptr<IndexCursor> cursor_;
  IndexCursor::Entries entries_;
  std::size_t at_ = 0;
  std::size_t step_ = kFirstRows;
};

class EgidLookupOperator final : public Operator {
 public:
  EgidLookupOperator(const PlanNode& node, Execution& execution, TableReader reader, Evaluators ids)
      : Operator(node, execution), fetch_(std::move(reader), execution), values_(std::move(ids)) {}

  Status start() override {
    ids_.clear();
    at_ = 0;
    RowBatch single;
    single.rows = 1;
    single.selection = Selection::all(1);
    for (const EvaluatorRef& value : values_) {
      COPPICE_TRY(value->run(single, single.selection));
      if (!value->result().is_null(0)) ids_.push_back(static_cast<Egid>(value->result().int_at(0)));
    }
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    while (at_ < ids_.size()) {
      const std::size_t count = std::min<std::size_t>(kVectorRows, ids_.size() - at_);
      const auto ids = std::span<const Egid>(ids_).subspan(at_, count);
      at_ += count;
      const bool any = COPPICE_TRY(fetch_.ascending(ids, batch));
      if (any) return true;
    }
    return false;
  }

 private:
  RowFetch fetch_;
  Evaluators values_;
  std::vector<Egid> ids_;
  std::size_t at_ = 0;
};

class CountOnlyOperator final : public Operator {
 public:
  CountOnlyOperator(const PlanNode& node, Execution& execution, ConditionRanges ranges)
      : Operator(node, execution), ranges_(std::move(ranges)) {}

  Status start() override {
    given_ = false;
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    if (given_) return false;
    given_ = true;
    const BitmapNode condition = COPPICE_TRY(ranges_.node());
    const std::uint64_t count =
        COPPICE_TRY(execution_.engine().count_of(execution_.txn().view(), condition));
    batch.rows = 1;
    batch.selection = Selection::all(1);
    batch.egids = Vector();
    batch.columns = {Vector::constant(Datum::of(static_cast<std::int64_t>(count)), 1)};
    return true;
  }

 private:
  ConditionRanges ranges_;
  bool given_ = false;
};

}  // namespace

Result<OperatorRef> make_bitmap_scan(const PlanNode& node, Execution& execution) {
  TableReader reader = COPPICE_TRY(TableReader::make(node, execution));
  ConditionRanges ranges =
      COPPICE_TRY(ConditionRanges::make(node.condition, *node.table, execution));
  return std::make_unique<BitmapScanOperator>(node, execution, std::move(reader),
                                              std::move(ranges));
}

Result<OperatorRef> make_index_order(const PlanNode& node, Execution& execution) {
  TableReader reader = COPPICE_TRY(TableReader::make(node, execution));
  LeafRanges leaf = COPPICE_TRY(LeafRanges::make(node.condition, *node.table, execution));
  return std::make_unique<IndexOrderOperator>(node, execution, std::move(reader), std::move(leaf));
}

Result<OperatorRef> make_egid_lookup(const PlanNode& node, Execution& execution) {
  TableReader reader = COPPICE_TRY(TableReader::make(node, execution));
  if (node.rows.size() != 1) return bad_plan("a look-up without its row of ids");
  for (const ExpressionRef& id : node.rows[0]) {
    if (id == nullptr || id->physical != PhysicalType::kInt64)
      return bad_plan("an egid of another type");
  }
  Evaluators ids = COPPICE_TRY(make_evaluators(node.rows[0], execution));
  return std::make_unique<EgidLookupOperator>(node, execution, std::move(reader), std::move(ids));
}

Result<OperatorRef> make_count_only(const PlanNode& node, Execution& execution) {
  if (node.table == nullptr) return bad_plan("a count without a table");
  ConditionRanges ranges =
      COPPICE_TRY(ConditionRanges::make(node.condition, *node.table, execution));
  return std::make_unique<CountOnlyOperator>(node, execution, std::move(ranges));
}

}  // namespace coppice::executor
