// sort.cpp — ORDER BY; with a limit only the rows that can still be among the first are kept.
//
// Holds:    rows are compared by their order-preserving keys; equal keys come in order of input.
#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/masks.h"
#include "modules/executor/values/row_store.h"

namespace coppice::executor {

namespace {

// Keys of kept rows, with their first bytes at hand.
class SortKeys {
 public:
  struct Entry {
    std::uint64_t high = 0, low = 0;  // the key's first 16 bytes, zeros behind a shorter one
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
    std::uint32_t row = 0;
  };

  void add(ByteView key, std::uint32_t row) {
    std::array<std::byte, 16> first{};
    std::memcpy(first.data(), key.data(), std::min<std::size_t>(16, key.size()));
    entries_.push_back({load_be<std::uint64_t>(first.data()), load_be<std::uint64_t>(&first[8]),
                        bytes_.size(), static_cast<std::uint32_t>(key.size()), row});
    append(bytes_, key);
  }
  // Below zero: a before b. Equal keys by row.
  bool before(const Entry& a, const Entry& b) const {
    if (a.high != b.high) return a.high < b.high;
    if (a.low != b.low) return a.low < b.low;
    if (a.size > 16 || b.size > 16) {
      const int order = compare_keys(view(a), view(b));
      if (order != 0) return order < 0;
    }
    return a.row < b.row;
  }
  ByteView view(const Entry& entry) const {
    return ByteView(bytes_).subspan(entry.offset, entry.size);
  }
  std::vector<Entry>& entries() { return entries_; }
  std::uint64_t bytes_with(std::size_t rows, std::size_t key_bytes) const {
    return (entries_.size() + rows) * sizeof(Entry) * 2 + (bytes_.size() + key_bytes) * 2;
  }
  void clear() {
    entries_.clear();
    bytes_.clear();
  }

 private:
  std::vector<Entry> entries_;
  ByteBuffer bytes_;
};

class SortOperator final : public Operator {
 public:
  SortOperator(const PlanNode& node, Execution& execution, OperatorRef input, Evaluators keys,
               std::vector<const SqlType*> key_types, std::vector<PhysicalType> types)
      : Operator(node, execution),
        input_(std::move(input)),
        key_values_(std::move(keys)),
        key_types_(std::move(key_types)),
        memory_(execution.budget()),
        rows_(types, execution.budget()),
        pruned_(std::move(types), execution.budget()) {
    for (const PhysicalType type : rows_.types()) out_.emplace_back(type);
  }

  Status start() override {
    rows_.clear();
    keys_.clear();
    memory_ = MemoryUse(execution_.budget());
    at_ = 0;
    sorted_ = false;
    limit_ = UINT64_MAX;
    threshold_.clear();
    COPPICE_TRY(read_limit());
    return input_->open();
  }

  Result<bool> produce(RowBatch& batch) override {
    if (!sorted_) {
      if (limit_ != 0) COPPICE_TRY(read());
      sort();
      sorted_ = true;
    }
    const std::vector<SortKeys::Entry>& entries = keys_.entries();
    const std::size_t end = std::min<std::uint64_t>(entries.size(), limit_);
    if (at_ >= end) return false;
    give(end, batch);
    return true;
  }

 private:
  // Out of line, so that nested queries take little stack.
  [[gnu::noinline]] void give(std::size_t end, RowBatch& batch) {
    const std::vector<SortKeys::Entry>& entries = keys_.entries();
    const std::size_t count = std::min<std::size_t>(kVectorRows, end - at_);
    std::array<std::uint32_t, kVectorRows> rows;
    for (std::size_t i = 0; i < count; ++i) rows[i] = entries[at_ + i].row;
    at_ += count;
    batch.rows = static_cast<std::uint32_t>(count);
    batch.selection = Selection::all(batch.rows);
    batch.egids = Vector();
    batch.columns.clear();
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].clear();
      rows_.gather(i, std::span(rows).first(count), out_[i]);
      batch.columns.push_back(out_[i].view());
    }
  }

  static constexpr std::uint64_t kPruneRows = 4096;  // kept beyond the limit before they are pruned

  Status read_limit();
  Status read();
  [[gnu::noinline]] Status keep(const RowBatch& batch);
  [[gnu::noinline]] Status prune();
  [[gnu::noinline]] void sort() {
    std::sort(
        keys_.entries().begin(), keys_.entries().end(),
        [&](const SortKeys::Entry& a, const SortKeys::Entry& b) { return keys_.before(a, b); });
  }

  OperatorRef input_;
  Evaluators key_values_;
  std::vector<const SqlType*> key_types_;
  RowBatch batch_;  // of the input
  MemoryUse memory_;
  RowStore rows_, pruned_;
  SortKeys keys_;
  ByteBuffer threshold_;  // top-N: keys above it are of no use; empty: none yet
  std::uint64_t limit_ = UINT64_MAX;
  std::vector<VectorBuffer> out_;
  ByteBuffer key_;
  std::size_t at_ = 0;
  bool sorted_ = false;
};

Status SortOperator::read_limit() {
  if (node_.limit == nullptr) return {};
  const Value limit = COPPICE_TRY(evaluate_once(*node_.limit, execution_));
  if (limit.null) return {};
  if (limit.datum().as_int() < 0)
    return std::unexpected(sql_error("2201W", "LIMIT must not be negative"));
  limit_ = static_cast<std::uint64_t>(limit.datum().as_int());
  if (node_.offset == nullptr) return {};
  const Value offset = COPPICE_TRY(evaluate_once(*node_.offset, execution_));
  if (offset.null) return {};
  if (offset.datum().as_int() < 0)
    return std::unexpected(sql_error("2201X", "OFFSET must not be negative"));
  if (__builtin_add_overflow(limit_, static_cast<std::uint64_t>(offset.datum().as_int()), &limit_))
    limit_ = UINT64_MAX;
  return {};
}

Status SortOperator::read() {
  for (;;) {
    const bool more = COPPICE_TRY(input_->next(batch_));
    if (!more) return {};
    COPPICE_TRY(keep(batch_));
    const bool prunes = limit_ < RowStore::kNoRow && rows_.rows() >= limit_ * 2 + kPruneRows;
    if (prunes) COPPICE_TRY(prune());
  }
}

Status SortOperator::keep(const RowBatch& batch) {
  for (const EvaluatorRef& value : key_values_) COPPICE_TRY(value->run(batch, batch.selection));
  Mask kept{};
  std::uint32_t row_number = static_cast<std::uint32_t>(rows_.rows());
  Status status;
  batch.selection.for_each([&](std::uint32_t row) {
    if (!status) return;
    key_.clear();
    KeyWriter writer(key_);
    for (std::size_t i = 0; i < key_values_.size(); ++i)
      key_types_[i]->write_key(key_values_[i]->result(), row, node_.sort_keys[i].order, writer);
    if (!threshold_.empty() && compare_keys(key_, threshold_) >= 0) return;
    status = memory_.grow_to(keys_.bytes_with(1, key_.size()));
    if (!status) return;
    keys_.add(key_, row_number++);
    kept[row / 64] |= std::uint64_t{1} << (row % 64);
  });
  COPPICE_TRY(std::move(status));
  return rows_.append(batch.columns, Selection::from_mask(kept, batch.rows));
}

// Leaves the first `limit_` rows, in order.
Status SortOperator::prune() {
  sort();
  std::vector<SortKeys::Entry> entries = keys_.entries();
  entries.resize(limit_);
  SortKeys kept;
  pruned_.clear();
  std::array<std::uint32_t, kVectorRows> rows;
  std::vector<Vector> columns(out_.size());
  for (std::size_t at = 0; at < entries.size(); at += kVectorRows) {
    const std::size_t count = std::min<std::size_t>(kVectorRows, entries.size() - at);
    for (std::size_t i = 0; i < count; ++i) {
      rows[i] = entries[at + i].row;
      kept.add(keys_.view(entries[at + i]), static_cast<std::uint32_t>(at + i));
    }
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].clear();
      rows_.gather(i, std::span(rows).first(count), out_[i]);
      columns[i] = out_[i].view();
    }
    COPPICE_TRY(pruned_.append(columns, Selection::all(static_cast<std::uint32_t>(count))));
  }
  const ByteView last = keys_.view(entries.back());
  threshold_.assign(last.begin(), last.end());
  std::swap(rows_, pruned_);
  std::swap(keys_, kept);
  pruned_.clear();
  return {};
}

}  // namespace

Result<OperatorRef> make_sort(const PlanNode& node, Execution& execution, OperatorRef input) {
  Evaluators keys;
  std::vector<const SqlType*> key_types;
  for (const SortKey& key : node.sort_keys) {
    if (key.value == nullptr) return bad_plan("a sort key without its expression");
    const SqlType* const type = COPPICE_TRY(execution.type(key.value->type));
    if (!type->info().ordered)
      return std::unexpected(sql_error(sqlstate::kUndefinedFunction,
                                       "could not identify an ordering operator for "
                                       "type " +
                                           type->info().display_name));
    EvaluatorRef made = COPPICE_TRY(make_evaluator(*key.value, execution));
    keys.push_back(std::move(made));
    key_types.push_back(type);
  }
  auto types = COPPICE_TRY(execution.physicals(input->node().types));
  return std::make_unique<SortOperator>(node, execution, std::move(input), std::move(keys),
                                        std::move(key_types), std::move(types));
}

}  // namespace coppice::executor
