// old_rows.cpp — read, lock, look again.
#include "modules/executor/changes/old_rows.h"

#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

constexpr std::uint64_t kIdBytes = sizeof(Egid), kSeenBytes = 40;  // of one row

}  // namespace

OldRows::OldRows(std::vector<PhysicalType> types, std::size_t columns, bool may_repeat,
                 Execution& execution)
    : columns_(columns),
      may_repeat_(may_repeat),
      execution_(execution),
      rows_(std::move(types), execution.budget()),
      memory_(execution.budget()) {}

Status OldRows::collect(Operator& input, const TableInfo& table, RowLock mode) {
  for (;;) {
    COPPICE_TRY(read(input));
    if (ids_.empty()) return {};
    const LockOutcome outcome = COPPICE_TRY(
        execution_.txn().lock_rows(table.storage, ids_, mode, LockWait::kWait, nullptr));
    if (outcome == LockOutcome::kFresh) return {};
    COPPICE_TRY(execution_.txn().restart_statement(table.storage));
    execution_.start_over();
  }
}

Status OldRows::read(Operator& input) {
  rows_.clear();
  ids_.clear();
  seen_.clear();
  COPPICE_TRY(input.open());
  RowBatch batch;
  for (;;) {
    const bool more = COPPICE_TRY(input.next(batch));
    if (!more) return {};
    COPPICE_TRY(keep(batch));
  }
}

Status OldRows::keep(const RowBatch& batch) {
  if (batch.columns.size() < rows_.types().size() || columns_ >= batch.columns.size() ||
      batch.columns[columns_].type() != PhysicalType::kInt64)
    return bad_plan("a change whose input has no egid");
  const Vector& egids = batch.columns[columns_];
  COPPICE_TRY(memory_.grow_to((ids_.size() + batch.selection.count()) *
                              (kIdBytes * 2 + (may_repeat_ ? kSeenBytes : 0))));
  Mask kept{};
  batch.selection.for_each([&](std::uint32_t row) {
    const auto id = static_cast<Egid>(egids.int_at(row));
    if (egids.is_null(row) || (may_repeat_ && !seen_.insert(id).second)) return;
    kept[row / 64] |= std::uint64_t{1} << (row % 64);
    ids_.push_back(id);
  });
  return rows_.append(batch.columns, Selection::from_mask(kept, batch.rows));
}

}  // namespace coppice::executor
