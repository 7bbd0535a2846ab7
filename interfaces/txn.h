// txn.h — transactions: snapshots, private writes, locks, conflicts.
//
// Role:     what a statement needs to read consistently and to write safely. Pessimistic: rows and
// unique
//           keys are locked before they are changed, so commit has nothing left to validate.
// Threads:  a Transaction is used by one fiber at a time; the manager by all.
// Parks:    locks wait in FIFO order, without a timeout unless one is given; commit parks.
// Errors:   40P01 for the requester that would close a cycle; 40001 as DESIGN's isolation rules
// say;
//           55P03 for NOWAIT and lock_timeout; 57014 when the statement was cancelled while
//           waiting.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interfaces/meter.h"
#include "interfaces/storage_engine.h"
#include "kernel/base/time.h"

namespace coppice {

enum class Isolation : std::uint8_t { kReadCommitted, kRepeatableRead, kSerializable };

// PostgreSQL's eight, weakest first; the conflict table is the one of its manual, 13.3.1.
enum class RelationLock : std::uint8_t {
  kAccessShare,
  kRowShare,
  kRowExclusive,
  kShareUpdateExclusive,
  kShare,
  kShareRowExclusive,
  kExclusive,
  kAccessExclusive,
};

enum class RowLock : std::uint8_t { kKeyShare, kShare, kNoKeyUpdate, kUpdate };

enum class LockWait : std::uint8_t { kWait, kNoWait, kSkip };

// Whether what was locked is still what the statement saw.
enum class LockOutcome : std::uint8_t {
  kFresh,  // nothing changed since the statement's snapshot: go on
  kStale,  // changed: call restart_statement() and evaluate again; the locks are kept
};

class Transaction {
 public:
  virtual ~Transaction() = default;  // rolls back what was not committed

  // Each statement in turn. READ COMMITTED takes a fresh snapshot here, the others at the first
  // one.
  virtual Status begin_statement() = 0;
  // After kStale: undoes the statement's writes and moves the snapshot on, or 40001 where the
  // isolation level forbids it. After kRestartsMax it has locked `table` SHARE ROW EXCLUSIVE before
  // returning.
  virtual Status restart_statement(TableRef table) = 0;
  // Statement atomicity: keeps or undoes the writes since begin_statement().
  virtual void end_statement(bool keep) = 0;

  virtual ReadView view() const = 0;   // the statement's snapshot and this transaction's writes
  virtual ReadView newest_view() = 0;  // the newest committed state, for uniqueness; and own writes
  virtual WriteSet& writes() = 0;

  virtual Status lock_relation(TableRef table, RelationLock mode, LockWait wait) = 0;
  // In ascending order, whatever order is given. `locked`, if given, gets the rows locked (kSkip).
  virtual Result<LockOutcome> lock_rows(TableRef table, std::span<const Egid> rows, RowLock mode,
                                        LockWait wait, std::vector<Egid>* locked) = 0;
  // Keys of a unique index; who holds one may insert or remove it.
  virtual Status lock_keys(TableRef index, std::span<const ByteView> keys) = 0;

  virtual void savepoint(std::string_view name) = 0;
  virtual Status release_savepoint(std::string_view name) = 0;      // 3B001
  virtual Status rollback_to_savepoint(std::string_view name) = 0;  // 3B001; locks are kept

  // Ends the transaction either way. After an error it is rolled back, except where the error says
  // that the outcome is unknown (08007).
  virtual Result<Hlc> commit() = 0;
  virtual void rollback() = 0;

  virtual Isolation isolation() const = 0;
  virtual bool read_only() const = 0;
};
inline constexpr unsigned kStatementRestartsMax = 16;

struct TransactionOptions {
  Isolation isolation = Isolation::kReadCommitted;
  bool read_only = false;
  bool relaxed_durability = false;           // synchronous_commit = off
  Duration lock_timeout = Duration::zero();  // zero: wait for ever
};

class TxnManager {
 public:
  virtual ~TxnManager() = default;
  // `budget` pays for the write set and the locks; it outlives the transaction.
  virtual std::unique_ptr<Transaction> begin(const TransactionOptions& options, Budget& budget) = 0;
};

}  // namespace coppice
