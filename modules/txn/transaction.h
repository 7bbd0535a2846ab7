// transaction.h — one transaction: its snapshot, its writes, its locks, its savepoints.
//
// Role:     implements interfaces/txn.h over an Engine, the LockTable and the Oracle.
// Threads:  one fiber at a time.
// Parks:    where it waits for a lock, reads newest timestamps, or commits.
// Holds:    locks are released only after the commit was noted in the oracle, or the writes
//           dropped.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "interfaces/txn.h"
#include "modules/txn/lock_table.h"
#include "modules/txn/oracle.h"

namespace coppice::txn {

// What all transactions share; owned by the manager.
struct Shared {
  Engine& engine;
  LockTable locks;
  Oracle oracle;
};

class LockingTransaction final : public Transaction {
 public:
  // Above this many row and key locks on one table, the table is locked instead.
  static constexpr std::size_t kLocksPerTableMax = 65'536;

  LockingTransaction(Shared& shared, TxnId id, const TransactionOptions& options, Budget& budget);
  ~LockingTransaction() override;

  Status begin_statement() override;
  Status restart_statement(TableRef table) override;
  void end_statement(bool keep) override;

  ReadView view() const override;
  ReadView newest_view() override;
  WriteSet& writes() override { return *writes_; }

  Status lock_relation(TableRef table, RelationLock mode, LockWait wait) override;
  Result<LockOutcome> lock_rows(TableRef table, std::span<const Egid> rows, RowLock mode,
                                LockWait wait, std::vector<Egid>* locked) override;
  Status lock_keys(TableRef index, std::span<const ByteView> keys) override;

  void savepoint(std::string_view name) override;
  Status release_savepoint(std::string_view name) override;
  Status rollback_to_savepoint(std::string_view name) override;

  Result<Hlc> commit() override;
  void rollback() override;

  Isolation isolation() const override { return options_.isolation; }
  bool read_only() const override { return options_.read_only; }

 private:
  struct Savepoint {
    std::string name;
    std::size_t mark = 0;
  };
  struct TableLocks {
    std::size_t count = 0;
    bool escalated = false;
  };

  Deadline lock_deadline() const;
  Result<AcquireOutcome> acquire(const LockId& id, LockMode mode, LockWait wait);
  // True once the table as a whole is locked, so that single locks are not needed.
  Result<bool> count_or_escalate(TableRef table, std::size_t more);
  Result<bool> any_changed(TableRef table, std::span<const Egid> rows);
  void note_commit(Hlc at);
  void end();  // drops the writes that were not committed, releases the locks
  Result<std::vector<Savepoint>::iterator> find_savepoint(std::string_view name);

  Shared& shared_;
  const TxnId id_;
  const TransactionOptions options_;
  std::unique_ptr<WriteSet> writes_;
  SnapshotRef snapshot_;         // the statement's
  SnapshotRef newest_;           // keeps what newest_view() gave
  bool first_statement_ = true;  // no earlier statement used a snapshot
  std::size_t statement_mark_ = 0;
  unsigned restarts_ = 0;
  bool ended_ = false;

  std::vector<LockId> held_;
  std::map<TableRef, TableLocks> per_table_;
  std::vector<std::pair<TableRef, Egid>> rows_locked_;  // in modes that allow a change
  std::vector<Savepoint> savepoints_;
};

}  // namespace coppice::txn
