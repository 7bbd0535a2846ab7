// lookup_join.cpp — for each batch of the left side, its partners by an index of the other table.
//
// Role:     equal keys of a batch are looked up once; a key of a unique index by find_unique(),
//           all
//           keys of the batch at once. The rows are then fetched in batches.
#include <algorithm>
#include <map>

#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/fetch.h"
#include "modules/executor/operators/index_ranges.h"
#include "modules/executor/operators/join.h"
#include "modules/executor/operators/operators.h"

namespace coppice::executor {

namespace {

class LookupJoinOperator final : public JoinOperator {
 public:
  LookupJoinOperator(const PlanNode& node, Execution& execution, OperatorRef left,
                     TableReader reader, LeafRanges leaf, EvaluatorRef filter,
                     std::vector<PhysicalType> left_types, std::vector<PhysicalType> right_types)
      : JoinOperator(node, execution, std::move(left), std::move(filter), std::move(left_types),
                     right_types),
        reader_(std::move(reader)),
        leaf_(std::move(leaf)),
        rows_(std::move(right_types), execution.budget()),
        memory_(execution.budget()) {}

 private:
  static constexpr std::uint64_t kKnownRowsMax = 4 * kVectorRows;
  struct Pair {
    std::uint16_t left = 0;
    Egid right = 0;
  };

  Status reset() override { return {}; }
  Status read_right() override { return {}; }
  Status begin_batch() override;
  Result<bool> next_pairs(RowBatch& batch) override;

  Status find_points();
  // Adds the partners of left rows until there is a batch of them.
  Status find_ranges();
  Status add_partners(std::uint16_t left, std::span<const Egid> rows);
  Status fetch(std::span<const Pair> pairs);

  TableReader reader_;
  LeafRanges leaf_;
  RowStore rows_;  // of the slice at hand
  MemoryUse memory_;
  std::vector<Pair> pairs_;
  std::size_t pair_at_ = 0;
  std::size_t left_at_ = 0;             // among the selected left rows: the next to be looked up
  std::map<ByteBuffer, RowIds> known_;  // by the range's low end: of this left batch
  std::vector<KeyRange> ranges_;
  std::vector<Egid> ids_;
  Positions pair_left_{};
  std::array<std::uint32_t, kVectorRows> pair_right_{};
  std::size_t pair_count_ = 0;
};

Status LookupJoinOperator::begin_batch() {
  pairs_.clear();
  known_.clear();
  pair_at_ = left_at_ = 0;
  COPPICE_TRY(leaf_.prepare(left_rows(), left_rows().selection));
  if (leaf_.index().unique && leaf_.is_point()) return find_points();
  return {};
}

Status LookupJoinOperator::find_points() {
  std::vector<ByteBuffer> keys;
  std::vector<std::uint16_t> lefts;
  for (const std::uint16_t left : positions()) {
    COPPICE_TRY(leaf_.ranges(left, ranges_));
    if (ranges_.empty()) continue;
    keys.push_back(std::move(ranges_.front().low));
    lefts.push_back(left);
  }
  left_at_ = positions().size();
  if (keys.empty()) return {};
  const std::vector<ByteView> views(keys.begin(), keys.end());
  const auto found = COPPICE_TRY(
      execution_.engine().find_unique(execution_.txn().view(), leaf_.index().storage, views));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) pairs_.push_back({lefts[i], *found[i]});
  }
  return {};
}

Status LookupJoinOperator::add_partners(std::uint16_t left, std::span<const Egid> rows) {
  COPPICE_TRY(memory_.grow_to((pairs_.size() + rows.size()) * sizeof(Pair)));
  for (const Egid row : rows) pairs_.push_back({left, row});
  return {};
}

Status LookupJoinOperator::find_ranges() {
  pairs_.clear();
  pair_at_ = 0;
  std::uint64_t kept = 0;  // ids in known_
  for (; left_at_ < positions().size() && pairs_.size() < kVectorRows; ++left_at_) {
    const std::uint16_t left = positions()[left_at_];
    COPPICE_TRY(leaf_.ranges(left, ranges_));
    if (ranges_.empty()) continue;
    const auto known = known_.find(ranges_.front().low);
    if (known != known_.end()) {
      COPPICE_TRY(add_partners(left, known->second));
      continue;
    }
    COPPICE_TRY(fiber::maybe_yield());
    BitmapNode condition;
    condition.index = leaf_.index().storage;
    condition.ranges = ranges_;
    RowIds rows = COPPICE_TRY(execution_.engine().rows_of(execution_.txn().view(), condition));
    COPPICE_TRY(add_partners(left, rows));
    kept += rows.size();
    if (leaf_.is_equality() && kept <= kKnownRowsMax)
      known_.emplace(std::move(ranges_.front().low), std::move(rows));
  }
  return {};
}

// The rows of these pairs; what is not there any more has no pair.
Status LookupJoinOperator::fetch(std::span<const Pair> pairs) {
  ids_.clear();
  for (const Pair& pair : pairs) ids_.push_back(pair.right);
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  RowBatch found = COPPICE_TRY(execution_.engine().fetch(
      execution_.txn().view(), reader_.table().storage, ids_, reader_.columns()));
  execution_.charge(Resource::kRowsRead, found.rows);
  if (node_.with_egid) found.columns.push_back(found.egids);
  rows_.clear();
  COPPICE_TRY(rows_.append(found.columns, found.selection));
  ids_.clear();
  for (std::uint32_t row = 0; row < found.rows; ++row)
    ids_.push_back(static_cast<Egid>(found.egids.int_at(row)));
  pair_count_ = 0;
  for (const Pair& pair : pairs) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), pair.right);
    if (at == ids_.end() || *at != pair.right) continue;
    pair_left_[pair_count_] = pair.left;
    pair_right_[pair_count_++] = static_cast<std::uint32_t>(at - ids_.begin());
  }
  return {};
}

Result<bool> LookupJoinOperator::next_pairs(RowBatch& batch) {
  for (;;) {
    if (pair_at_ == pairs_.size()) {
      COPPICE_TRY(find_ranges());
      if (pairs_.empty()) return false;
    }
    const std::size_t count = std::min<std::size_t>(kVectorRows, pairs_.size() - pair_at_);
    COPPICE_TRY(fetch(std::span<const Pair>(pairs_).subspan(pair_at_, count)));
    pair_at_ += count;
    const auto left = std::span<const std::uint16_t>(pair_left_).first(pair_count_);
    const auto right = std::span<const std::uint32_t>(pair_right_).first(pair_count_);
    if (left.empty()) continue;
    output().pairs(left_rows(), left, rows_, right, batch);
    const bool any = COPPICE_TRY(match(batch, left, right));
    if (any) return true;
  }
}

}  // namespace

Result<OperatorRef> make_lookup_join(const PlanNode& node, Execution& execution, OperatorRef left) {
  TableReader reader = COPPICE_TRY(TableReader::make_without_filter(node, execution));
  if (keeps_right(node.join)) return bad_plan("a look-up join that keeps its right rows");
  LeafRanges leaf = COPPICE_TRY(LeafRanges::make(node.condition, *node.table, execution));
  EvaluatorRef filter;
  if (node.filter != nullptr) filter = COPPICE_TRY(make_evaluator(*node.filter, execution));
  auto left_types = COPPICE_TRY(execution.physicals(left->node().types));
  std::vector<PhysicalType> right_types;
  for (const std::int16_t attribute : node.columns) {
    const PhysicalType type =
        COPPICE_TRY(execution.physical(node.table->find_column(attribute)->type));
    right_types.push_back(type);
  }
  if (node.with_egid) right_types.push_back(PhysicalType::kInt64);
  return std::make_unique<LookupJoinOperator>(node, execution, std::move(left), std::move(reader),
                                              std::move(leaf), std::move(filter),
                                              std::move(left_types), std::move(right_types));
}

}  // namespace coppice::executor
