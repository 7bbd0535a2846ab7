// lock_table.h — who holds and who waits for which lock, and whether a wait would never end.
//
// Role:     relation, row and unique-key locks of all transactions. Waiters are served first come,
//           first served, except that who holds a lock already may strengthen it past the queue. A
//           request that would close a cycle of waits is refused at once; nobody else is disturbed.
// Owns:     the lock entries; they exist only while held or waited for.
// Threads:  any fiber. One mutex guards everything: a critical section is a hash look-up.
// Parks:    acquire(), when it has to wait.
// Errors:   40P01 (kDeadlock), 55P03 (NOWAIT and lock_timeout), the fiber's cancel error.
// Holds:    holders of one lock never conflict; no waiter at the head of a queue could be granted.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "interfaces/txn.h"
#include "kernel/base/checksum.h"
#include "kernel/fiber/sync.h"
#include "modules/txn/lock_mode.h"

namespace coppice::txn {

using TxnId = StrongId<struct TxnTag>;

// What is locked. Unique keys are named by their 128-bit hash: two that share one wait for each
// other without need, and nothing worse.
struct LockId {
  enum class Kind : std::uint8_t { kRelation, kRow, kKey };

  Kind kind = Kind::kRelation;
  TableRef table;
  Hash128 what = {};  // a row: low is its egid

  friend bool operator==(const LockId&, const LockId&) = default;

  static LockId relation(TableRef table) { return {Kind::kRelation, table, {}}; }
  static LockId row(TableRef table, Egid row) { return {Kind::kRow, table, {row, 0}}; }
  static LockId key(TableRef index, ByteView key) { return {Kind::kKey, index, xxh3_128(key)}; }
};

enum class AcquireOutcome : std::uint8_t {
  kAtOnce,
  kAfterWaiting,
  kSkipped,  // LockWait::kSkip and not free
};

class LockTable {
 public:
  LockTable() = default;
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;
  ~LockTable();  // asserts that nothing is held

  // Asking again for what is held already succeeds. `deadline` bounds the wait (lock_timeout).
  Result<AcquireOutcome> acquire(TxnId txn, const LockId& id, LockMode mode, LockWait wait,
                                 Deadline deadline);
  void release(TxnId txn, std::span<const LockId> ids);

  struct Counts {
    std::size_t locks = 0, waiters = 0;
    std::uint64_t deadlocks_total = 0;
  };
  Counts counts() const;

 private:
  struct Waiter {  // on the waiting fiber's stack
    TxnId txn;
    LockMode mode = 0;
    bool granted = false;
    fiber::Event wake;
  };
  struct Holder {
    TxnId txn;
    LockModeSet modes = 0;
  };
  struct Lock {
    std::vector<Holder> holders;
    std::deque<Waiter*> queue;
  };
  struct IdHash {
    std::size_t operator()(const LockId& id) const noexcept;
  };
  struct Waiting {
    LockId id;
    const Waiter* waiter;
  };

  static const LockFamily& family_of(const LockId& id) {
    return id.kind == LockId::Kind::kRelation ? kRelationFamily : kRowFamily;
  }
  static Holder* find_holder(Lock& lock, TxnId txn);
  // All below with mutex_ held.
  static bool is_free(const Lock& lock, TxnId txn, LockModeSet conflicts, bool past_queue);
  bool would_deadlock(TxnId requester) const;
  void grant_waiters(const LockId& id, Lock& lock);
  void withdraw(const LockId& id, Waiter& waiter);
  void forget_if_unused(const LockId& id);
  Result<AcquireOutcome> wait_for(const LockId& id, Waiter& waiter, Deadline deadline);

  mutable fiber::Mutex mutex_;
  std::unordered_map<LockId, Lock, IdHash> locks_;
  std::unordered_map<TxnId, Waiting> waiting_;  // a transaction waits for one lock at a time
  std::uint64_t deadlocks_ = 0;
};

// The wait-for graph has at most this many transactions that a search visits; beyond, the requester
// is refused as if it had closed a cycle.
inline constexpr std::size_t kDeadlockSearchMax = 100'000;

}  // namespace coppice::txn
