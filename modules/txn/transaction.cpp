// transaction.cpp — statements, locks and the end.
#include "modules/txn/transaction.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"

namespace coppice::txn {

namespace {

Error serialization_error() {
  return sql_error(sqlstate::kSerializationFailure,
                   "could not serialize access due to concurrent update");
}

}  // namespace

LockingTransaction::LockingTransaction(Shared& shared, TxnId id, const TransactionOptions& options,
                                       Budget& budget)
    : shared_(shared), id_(id), options_(options), writes_(shared.engine.write_set(budget)) {}

LockingTransaction::~LockingTransaction() {
  if (!ended_) rollback();
}

Status LockingTransaction::begin_statement() {
  COPPICE_ASSERT(!ended_);
  const bool fresh = options_.isolation == Isolation::kReadCommitted;
  first_statement_ = snapshot_ == nullptr;
  if (fresh || first_statement_) snapshot_ = shared_.engine.snapshot();
  statement_mark_ = writes_->mark();
  restarts_ = 0;
  return {};
}

Status LockingTransaction::restart_statement(TableRef table) {
  writes_->undo_to(statement_mark_);
  if (options_.isolation != Isolation::kReadCommitted && !first_statement_) {
    return std::unexpected(serialization_error());
  }
  if (++restarts_ == kStatementRestartsMax) {  // the others had their chance: keep them out
    COPPICE_TRY(lock_relation(table, RelationLock::kShareRowExclusive, LockWait::kWait));
  }
  snapshot_ = shared_.engine.snapshot();
  return {};
}

void LockingTransaction::end_statement(bool keep) {
  if (!keep) writes_->undo_to(statement_mark_);
}

ReadView LockingTransaction::view() const {
  COPPICE_ASSERT(snapshot_ != nullptr);
  return {snapshot_.get(), writes_.get(), IoClass::kQuery};
}

ReadView LockingTransaction::newest_view() {
  newest_ = shared_.engine.snapshot();
  return {newest_.get(), writes_.get(), IoClass::kQuery};
}

Deadline LockingTransaction::lock_deadline() const {
  if (options_.lock_timeout == Duration::zero()) return Deadline::never();
  return fiber::clock().now() + options_.lock_timeout;
}

Result<AcquireOutcome> LockingTransaction::acquire(const LockId& id, LockMode mode, LockWait wait) {
  const AcquireOutcome outcome =
      COPPICE_TRY(shared_.locks.acquire(id_, id, mode, wait, lock_deadline()));
  if (outcome != AcquireOutcome::kSkipped) held_.push_back(id);
  return outcome;
}

Status LockingTransaction::lock_relation(TableRef table, RelationLock mode, LockWait wait) {
  COPPICE_TRY(acquire(LockId::relation(table), mode_of(mode), wait));
  return {};
}

Result<bool> LockingTransaction::count_or_escalate(TableRef table, std::size_t more) {
  TableLocks& locks = per_table_[table];
  if (locks.escalated) return true;
  locks.count += more;
  if (locks.count <= kLocksPerTableMax) return false;
  COPPICE_TRY(lock_relation(table, RelationLock::kExclusive, LockWait::kWait));
  locks.escalated = true;
  return true;
}

Result<LockOutcome> LockingTransaction::lock_rows(TableRef table, std::span<const Egid> rows,
                                                  RowLock mode, LockWait wait,
                                                  std::vector<Egid>* locked) {
  std::vector<Egid> ordered;  // one's own new rows need no lock
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(ordered),
               [](Egid row) { return !is_provisional(row); });
  std::sort(ordered.begin(), ordered.end());
  bool whole_table = false;
  if (wait != LockWait::kSkip) whole_table = COPPICE_TRY(count_or_escalate(table, ordered.size()));
  if (!whole_table) {
    std::vector<Egid> taken;
    for (const Egid row : ordered) {
      const auto outcome = COPPICE_TRY(acquire(LockId::row(table, row), mode_of(mode), wait));
      if (outcome != AcquireOutcome::kSkipped) taken.push_back(row);
    }
    ordered = std::move(taken);
    if (mode >= RowLock::kNoKeyUpdate) {
      for (const Egid row : ordered) rows_locked_.emplace_back(table, row);
    }
  }
  const bool changed = COPPICE_TRY(any_changed(table, ordered));
  if (locked != nullptr) *locked = std::move(ordered);
  return changed ? LockOutcome::kStale : LockOutcome::kFresh;
}

Result<bool> LockingTransaction::any_changed(TableRef table, std::span<const Egid> rows) {
  std::vector<Egid> doubtful;
  for (const Egid row : rows) {
    if (shared_.oracle.maybe_changed(table, row, snapshot_->read_at())) doubtful.push_back(row);
  }
  if (doubtful.empty()) return false;
  const std::vector<Hlc> newest = COPPICE_TRY(shared_.engine.newest_commit(table, doubtful));
  return std::any_of(newest.begin(), newest.end(),
                     [this](Hlc at) { return at > snapshot_->read_at(); });
}

Status LockingTransaction::lock_keys(TableRef index, std::span<const ByteView> keys) {
  const bool whole_index = COPPICE_TRY(count_or_escalate(index, keys.size()));
  if (whole_index) return {};
  // Waits in one order: two statements that want the same keys do not meet crosswise. Each also
  // marks the index as written, so that who escalated keeps others out.
  COPPICE_TRY(lock_relation(index, RelationLock::kRowExclusive, LockWait::kWait));
  std::vector<ByteView> ordered(keys.begin(), keys.end());
  std::sort(ordered.begin(), ordered.end(),
            [](ByteView a, ByteView b) { return compare_keys(a, b) < 0; });
  for (const ByteView key : ordered) {
    COPPICE_TRY(acquire(LockId::key(index, key), mode_of(RowLock::kUpdate), LockWait::kWait));
  }
  return {};
}

void LockingTransaction::savepoint(std::string_view name) {
  savepoints_.push_back({std::string(name), writes_->mark()});
}

Result<std::vector<LockingTransaction::Savepoint>::iterator> LockingTransaction::find_savepoint(
    std::string_view name) {
  for (auto at = savepoints_.end(); at != savepoints_.begin();) {
    --at;
    if (at->name == name) return at;
  }
  return std::unexpected(
      sql_error("3B001", "savepoint \"" + std::string(name) + "\" does not exist"));
}

Status LockingTransaction::release_savepoint(std::string_view name) {
  const auto at = COPPICE_TRY(find_savepoint(name));
  savepoints_.erase(at, savepoints_.end());
  return {};
}

Status LockingTransaction::rollback_to_savepoint(std::string_view name) {
  const auto at = COPPICE_TRY(find_savepoint(name));
  writes_->undo_to(at->mark);
  statement_mark_ = at->mark;
  savepoints_.erase(at + 1, savepoints_.end());
  return {};
}

Result<Hlc> LockingTransaction::commit() {
  COPPICE_ASSERT(!ended_);
  if (writes_->empty()) {
    const Hlc at = snapshot_ == nullptr ? Hlc::zero() : snapshot_->read_at();
    end();
    return at;
  }
  // Whoever asked to cancel came too late: the outcome is the log's from here on.
  const fiber::CancelScope shield(nullptr);
  Result<Hlc> at = shared_.engine.commit(*writes_, options_.relaxed_durability);
  if (at) note_commit(*at);
  end();
  return at;
}

void LockingTransaction::note_commit(Hlc at) {
  for (const auto& [table, row] : rows_locked_) shared_.oracle.note(table, row, at);
  const bool escalated = std::any_of(per_table_.begin(), per_table_.end(),
                                     [](const auto& entry) { return entry.second.escalated; });
  if (escalated) shared_.oracle.note_many(at);
}

void LockingTransaction::rollback() {
  if (!ended_) end();
}

void LockingTransaction::end() {
  ended_ = true;
  writes_->undo_to(0);
  savepoints_.clear();
  snapshot_.reset();
  newest_.reset();
  shared_.locks.release(id_, held_);
  held_.clear();
}

}  // namespace coppice::txn
