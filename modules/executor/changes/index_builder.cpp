// index_builder.cpp — define, fill step by step, make readable; or drop.
#include "modules/executor/changes/index_builder.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/changes/index_keys.h"
#include "modules/executor/changes/violations.h"

namespace coppice::executor {

namespace {

// The first row, in order, whose key another row has: in the batch, or in the
// index.
Result<std::optional<std::uint32_t>> find_duplicate(Execution& execution, const IndexInfo& index,
                                                    const KeyBatch& keys,
                                                    std::span<const Egid> ids) {
  std::vector<const KeyBatch::Key*> wanted;
  std::vector<ByteView> views;
  for (const KeyBatch::Key& key : keys.keys) {
    if (!may_repeat(index, key)) wanted.push_back(&key);
  }
  if (wanted.empty()) return std::nullopt;
  std::sort(wanted.begin(), wanted.end(), [&](const KeyBatch::Key* a, const KeyBatch::Key* b) {
    const int order = compare_keys(keys.view(*a), keys.view(*b));
    return order != 0 ? order < 0 : a->row < b->row;
  });
  for (const KeyBatch::Key* const key : wanted) views.push_back(keys.view(*key));
  COPPICE_TRY(execution.txn().lock_keys(index.storage, views));
  const auto holders = COPPICE_TRY(
      execution.engine().find_unique(execution.txn().newest_view(), index.storage, views));
  std::optional<std::uint32_t> first;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint32_t row = wanted[i]->row;
    const bool again = i != 0 && compare_keys(views[i - 1], views[i]) == 0;
    const bool held = holders[i] && *holders[i] != ids[row];  // a writer may have added this row
    if (again || held) first = std::min(row, first.value_or(row));
  }
  return first;
}

}  // namespace

std::unique_ptr<Transaction> IndexBuilder::begin() {
  return txns_.begin({}, *context_.budget);
}

Result<TableInfoRef> IndexBuilder::find_table(Transaction& txn) {
  const CatalogViewRef view = COPPICE_TRY(catalog_.view(txn, ns_));
  TableInfoRef table = view->find_table(table_);
  if (table == nullptr || table->computed != nullptr)
    return std::unexpected(
        sql_error(sqlstate::kUndefinedTable,
                  "relation with OID " + std::to_string(table_) + " does not exist"));
  return table;
}

Result<IndexBuilder::Target> IndexBuilder::find_target(Transaction& txn) {
  Target target;
  target.table = COPPICE_TRY(find_table(txn));
  for (const auto& index : target.table->indexes) {
    if (index->oid == index_) target.index = index;
  }
  if (target.index == nullptr)
    return std::unexpected(sql_error(sqlstate::kSerializationFailure,
                                     "the index was dropped while it was being built"));
  return target;
}

// Waits until nobody writes who does not know the index, and lets nobody begin
// meanwhile.
Status IndexBuilder::define(const NewIndex& definition) {
  const auto txn = begin();
  COPPICE_TRY(txn->begin_statement());
  const TableInfoRef table = COPPICE_TRY(find_table(*txn));
  COPPICE_TRY(
      txn->lock_relation(table->storage, RelationLock::kShareRowExclusive, LockWait::kWait));
  COPPICE_TRY(txn->begin_statement());
  const auto index =
      COPPICE_TRY(catalog_.create_index(*txn, ns_, table_, definition, IndexState::kWriteOnly));
  last_commit_ = COPPICE_TRY(txn->commit());
  index_ = index->oid;
  return {};
}

template <class Visit>
Status IndexBuilder::scan(const ReadView& view, const Target& target, Egid low, Egid high,
                          std::size_t limit, Visit visit) {
  ScanOptions options{.low = low, .high = high, .with_egids = true};
  for (const IndexColumn& column : target.index->columns) {
    const ColumnInfo* const info = target.table->find_column(column.attribute);
    if (info == nullptr) return bad_plan("an index on a column that is not there");
    options.columns.push_back(info->storage);
  }
  const auto cursor = COPPICE_TRY(engine_.scan(view, target.table->storage, options));
  std::vector<Egid> ids;
  RowBatch batch;
  for (std::size_t read = 0; read < limit;) {
    COPPICE_TRY(fiber::maybe_yield());
    const bool more = COPPICE_TRY(cursor->next(batch));
    if (!more) return {};
    ids.assign(batch.rows, 0);
    batch.selection.for_each(
        [&](std::uint32_t row) { ids[row] = static_cast<Egid>(batch.egids.int_at(row)); });
    COPPICE_TRY(visit(batch, std::span<const Egid>(ids)));
    read += batch.selection.count();
  }
  return {};
}

Result<bool> IndexBuilder::step(Egid& from) {
  const auto txn = begin();
  COPPICE_TRY(txn->begin_statement());
  Target target = COPPICE_TRY(find_target(*txn));
  COPPICE_TRY(txn->lock_relation(target.table->storage, RelationLock::kShareUpdateExclusive,
                                 LockWait::kWait));
  COPPICE_TRY(txn->begin_statement());
  target = COPPICE_TRY(find_target(*txn));
  const TableRef storage = target.table->storage;
  txn->writes().expect_epoch(storage, target.table->epoch);

  // Which rows these are; from then on the step is about [from, end).
  std::vector<Egid> rows;
  Egid end = UINT64_MAX;
  for (;;) {
    rows.clear();
    const std::size_t limit = end == UINT64_MAX ? step_rows_ : SIZE_MAX;
    COPPICE_TRY(scan(txn->view(), target, from, end, limit,
                     [&](const RowBatch& batch, std::span<const Egid> ids) -> Status {
                       batch.selection.for_each(
                           [&](std::uint32_t row) { rows.push_back(ids[row]); });
                       return {};
                     }));
    if (end == UINT64_MAX && rows.size() >= step_rows_) end = rows.back() + 1;
    if (rows.empty()) break;
    const LockOutcome outcome =
        COPPICE_TRY(txn->lock_rows(storage, rows, RowLock::kShare, LockWait::kWait, nullptr));
    if (outcome == LockOutcome::kFresh) break;
    COPPICE_TRY(txn->restart_statement(storage));
  }
  COPPICE_TRY(scan(txn->view(), target, from, end, SIZE_MAX,
                   [&](const RowBatch& batch, std::span<const Egid> ids) {
                     return add_rows(*txn, target, batch, ids);
                   }));
  last_commit_ = COPPICE_TRY(txn->commit());
  from = end;
  return end != UINT64_MAX;
}

Status IndexBuilder::add_rows(Transaction& txn, const Target& target, const RowBatch& batch,
                              std::span<const Egid> ids) {
  ExecuteContext context = context_;
  context.txn = &txn;
  Execution execution(engine_, catalog_.registry(), context, 0, 0);
  RowImage image(*target.table);
  image.size = batch.rows;
  image.rows = batch.selection;
  for (std::size_t i = 0; i < target.index->columns.size(); ++i)
    image.set(target.index->columns[i].attribute, &batch.columns[i]);
  KeyBatch keys;
  COPPICE_TRY(make_keys(execution, *target.table, *target.index, image, keys));
  const auto duplicate = COPPICE_TRY(find_duplicate(execution, *target.index, keys, ids));
  if (duplicate)
    return std::unexpected(not_unique(execution, *target.table, *target.index, image, *duplicate));
  std::vector<IndexOp> ops;
  for (const KeyBatch::Key& key : keys.keys)
    ops.push_back({.key = keys.view(key),
                   .row = ids[key.row],
                   .add = true,
                   .never_collides = target.index->unique && may_repeat(*target.index, key)});
  if (ops.empty()) return {};
  return txn.writes().index(target.index->storage, ops);
}

Status IndexBuilder::fill() {
  Egid from = 1;
  for (;;) {
    const bool more = COPPICE_TRY(step(from));
    if (!more) return {};
  }
}

Status IndexBuilder::make_readable() {
  const auto txn = begin();
  COPPICE_TRY(txn->begin_statement());
  COPPICE_TRY(catalog_.set_index_state(*txn, ns_, index_, IndexState::kReadable, last_commit_));
  COPPICE_TRY(txn->commit());
  return {};
}

// Whatever ended the build, a cancellation too, this is done to its end. What
// cannot be dropped stays write-only: nobody reads it.
void IndexBuilder::drop() {
  const fiber::CancelScope shield(nullptr);
  const auto txn = begin();
  if (!txn->begin_statement()) return;
  if (!catalog_.drop_index(*txn, ns_, index_)) return;
  static_cast<void>(txn->commit());
}

Status IndexBuilder::build(const NewIndex& definition) {
  COPPICE_TRY(define(definition));
  Status built = fill();
  if (built) built = make_readable();
  if (!built) drop();
  return built;
}

Status IndexBuilder::build_within(const NewIndex& definition) {
  Transaction& txn = *context_.txn;
  const auto index =
      COPPICE_TRY(catalog_.create_index(txn, ns_, table_, definition, IndexState::kReadable));
  index_ = index->oid;
  // Under the SHARE lock that was taken there nothing is newer than this; its
  // snapshots see less.
  const SnapshotRef snapshot = engine_.snapshot();
  const ReadView newest{snapshot.get(), &txn.writes(), IoClass::kQuery};
  const Target target = COPPICE_TRY(find_target(txn));
  txn.writes().expect_epoch(target.table->storage, target.table->epoch);
  COPPICE_TRY(scan(newest, target, 1, UINT64_MAX, SIZE_MAX,
                   [&](const RowBatch& batch, std::span<const Egid> ids) {
                     return add_rows(txn, target, batch, ids);
                   }));
  return catalog_.set_index_state(txn, ns_, index_, IndexState::kReadable, snapshot->read_at());
}

}  // namespace coppice::executor
