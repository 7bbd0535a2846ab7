// lock_table.cpp — granting, waiting, and the search for cycles.
#include "modules/txn/lock_table.h"

#include <algorithm>
#include <unordered_set>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"

namespace coppice::txn {

namespace {

Error deadlock_error() {
  return sql_error(sqlstate::kDeadlockDetected, "deadlock detected");
}

Error not_available(std::string message) {
  return sql_error("55P03", std::move(message));
}

std::string describe(const LockId& id) {
  switch (id.kind) {
    case LockId::Kind::kRelation:
      return "relation";
    case LockId::Kind::kRow:
      return "row in relation";
    case LockId::Kind::kKey:
      return "key of unique index";
  }
  unreachable();
}

}  // namespace

std::size_t LockTable::IdHash::operator()(const LockId& id) const noexcept {
  std::uint64_t hash = id.what.low * 0x9e3779b97f4a7c15 + id.what.high;
  hash ^= (std::uint64_t{id.table.ns.value} << 32 | id.table.table.value) * 0xbf58476d1ce4e5b9;
  hash += static_cast<std::uint64_t>(id.kind) << 62;
  hash ^= hash >> 31;
  return hash * 0x94d049bb133111eb;
}

LockTable::~LockTable() {
  COPPICE_ASSERT(locks_.empty() && waiting_.empty());
}

LockTable::Holder* LockTable::find_holder(Lock& lock, TxnId txn) {
  const auto found = std::find_if(lock.holders.begin(), lock.holders.end(),
                                  [txn](const Holder& holder) { return holder.txn == txn; });
  return found == lock.holders.end() ? nullptr : &*found;
}

bool LockTable::is_free(const Lock& lock, TxnId txn, LockModeSet conflicts, bool past_queue) {
  for (const Holder& holder : lock.holders) {
    if (holder.txn != txn && (holder.modes & conflicts) != 0) return false;
  }
  if (past_queue) return true;
  return std::none_of(lock.queue.begin(), lock.queue.end(), [conflicts](const Waiter* waiter) {
    return (bit_of(waiter->mode) & conflicts) != 0;
  });
}

Result<AcquireOutcome> LockTable::acquire(TxnId txn, const LockId& id, LockMode mode, LockWait wait,
                                          Deadline deadline) {
  const LockModeSet conflicts = family_of(id).conflicts[mode];
  Waiter waiter{.txn = txn, .mode = mode, .granted = false, .wake = {}};
  {
    const fiber::MutexGuard guard(mutex_);
    Lock& lock = locks_[id];
    Holder* const held = find_holder(lock, txn);
    if (held != nullptr && (held->modes & bit_of(mode)) != 0) return AcquireOutcome::kAtOnce;
    if (is_free(lock, txn, conflicts, held != nullptr)) {
      if (held != nullptr) {
        held->modes |= bit_of(mode);
      } else {
        lock.holders.push_back({txn, bit_of(mode)});
      }
      return AcquireOutcome::kAtOnce;
    }
    if (wait == LockWait::kSkip) return AcquireOutcome::kSkipped;
    if (wait == LockWait::kNoWait)
      return std::unexpected(not_available("could not obtain lock on " + describe(id)));
    if (held != nullptr) {  // strengthening goes before everybody: they wait for us anyhow
      lock.queue.push_front(&waiter);
    } else {
      lock.queue.push_back(&waiter);
    }
    waiting_.emplace(txn, Waiting{id, &waiter});
    if (would_deadlock(txn)) {
      ++deadlocks_;
      withdraw(id, waiter);
      return std::unexpected(deadlock_error());
    }
  }
  return wait_for(id, waiter, deadline);
}

Result<AcquireOutcome> LockTable::wait_for(const LockId& id, Waiter& waiter, Deadline deadline) {
  Status woken = waiter.wake.wait(deadline);
  if (woken) return AcquireOutcome::kAfterWaiting;
  const fiber::MutexGuard guard(mutex_);
  if (waiter.granted) return AcquireOutcome::kAfterWaiting;  // it came just in time
  withdraw(id, waiter);
  const bool timed_out = woken.error().code() == Code::kDeadlineExceeded &&
                         deadline != Deadline::never() && fiber::clock().now() >= deadline;
  if (timed_out) return std::unexpected(not_available("canceling statement due to lock timeout"));
  return std::unexpected(std::move(woken).error());
}

// Follows who waits for whom from `requester`; true if that comes back to it. Edges are read off
// the locks as they are now: a waiter waits for conflicting holders and for conflicting waiters
// before it.
bool LockTable::would_deadlock(TxnId requester) const {
  std::vector<TxnId> open = {requester};
  std::unordered_set<TxnId> seen;
  while (!open.empty()) {
    const TxnId txn = open.back();
    open.pop_back();
    const auto waiting = waiting_.find(txn);
    if (waiting == waiting_.end()) continue;
    const Waiter& waiter = *waiting->second.waiter;
    const LockModeSet conflicts = family_of(waiting->second.id).conflicts[waiter.mode];
    const auto visit = [&](TxnId next, LockModeSet modes) {
      if (next == txn || (modes & conflicts) == 0) return false;
      if (next == requester) return true;
      if (seen.insert(next).second) open.push_back(next);
      return false;
    };
    const Lock& lock = locks_.at(waiting->second.id);
    for (const Holder& holder : lock.holders) {
      if (visit(holder.txn, holder.modes)) return true;
    }
    for (const Waiter* ahead : lock.queue) {
      if (ahead == &waiter) break;
      if (visit(ahead->txn, bit_of(ahead->mode))) return true;
    }
    if (seen.size() > kDeadlockSearchMax) return true;
  }
  return false;
}

void LockTable::grant_waiters(const LockId& id, Lock& lock) {
  LockModeSet wanted_before = 0;  // by those who keep waiting
  for (auto at = lock.queue.begin(); at != lock.queue.end();) {
    Waiter& waiter = **at;
    const LockModeSet conflicts = family_of(id).conflicts[waiter.mode];
    Holder* const held = find_holder(lock, waiter.txn);
    const bool behind = held == nullptr && (wanted_before & conflicts) != 0;
    if (behind || !is_free(lock, waiter.txn, conflicts, true)) {
      wanted_before |= bit_of(waiter.mode);
      ++at;
      continue;
    }
    if (held != nullptr) {
      held->modes |= bit_of(waiter.mode);
    } else {
      lock.holders.push_back({waiter.txn, bit_of(waiter.mode)});
    }
    waiter.granted = true;
    waiting_.erase(waiter.txn);
    at = lock.queue.erase(at);
    waiter.wake.set();  // after this the waiter may be gone
  }
}

void LockTable::withdraw(const LockId& id, Waiter& waiter) {
  Lock& lock = locks_.at(id);
  std::erase(lock.queue, &waiter);
  waiting_.erase(waiter.txn);
  grant_waiters(id, lock);  // it may have stood in somebody's way
  forget_if_unused(id);
}

void LockTable::release(TxnId txn, std::span<const LockId> ids) {
  constexpr std::size_t kAtATime = 1024;  // others get in between
  for (std::size_t from = 0; from < ids.size(); from += kAtATime) {
    const fiber::MutexGuard guard(mutex_);
    for (const LockId& id : ids.subspan(from, std::min(kAtATime, ids.size() - from))) {
      const auto found = locks_.find(id);
      if (found == locks_.end()) continue;
      std::erase_if(found->second.holders,
                    [txn](const Holder& holder) { return holder.txn == txn; });
      grant_waiters(id, found->second);
      forget_if_unused(id);
    }
  }
}

void LockTable::forget_if_unused(const LockId& id) {
  const auto found = locks_.find(id);
  if (found->second.holders.empty() && found->second.queue.empty()) locks_.erase(found);
}

LockTable::Counts LockTable::counts() const {
  const fiber::MutexGuard guard(mutex_);
  return {locks_.size(), waiting_.size(), deadlocks_};
}

}  // namespace coppice::txn
