// transaction_block.h — the transaction of a session: none, implicit, a block, or a failed block.
//
// Role:     PostgreSQL's rules of BEGIN, COMMIT, ROLLBACK and SAVEPOINT over interfaces/txn.h. A
//           statement outside a block begins an implicit transaction, which ends with its message
//           (simple protocol) or at Sync; BEGIN makes it a block.
// Owns:     the Transaction. It is made when a statement first needs one, so that SET TRANSACTION
//           can still say what kind.
// Threads:  one at a time.   Parks: in commit, and where locks are waited for.
// Errors:   25001, 25P01, 3B001, what commit gives.
// Holds:    settings are undone with the transaction that changed them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/session.h"
#include "interfaces/txn.h"
#include "modules/session/session_settings.h"

namespace coppice::session {

class TransactionBlock {
 public:
  // All outlive it; `budget` pays for writes and locks.
  TransactionBlock(TxnManager& txns, Budget& budget, SessionSettings& settings, const Clock& clock)
      : txns_(txns), budget_(budget), settings_(settings), clock_(clock) {}

  TransactionStatus status() const;
  bool none() const { return kind_ == Kind::kNone; }
  bool implicit() const { return kind_ == Kind::kImplicit; }
  bool in_block() const { return kind_ == Kind::kBlock; }
  bool failed() const { return failed_; }

  // The transaction with its next statement begun; an implicit one if there was none.
  Result<Transaction*> begin_statement();
  void end_statement(bool keep);
  Transaction* transaction() { return txn_.get(); }
  // What was begun for planning alone goes, unless it was used: the next statement may still choose
  // another kind of transaction.
  void use() { used_ = true; }
  void drop_unused();

  void open_implicit();
  void begin(const std::optional<Isolation>& isolation, const std::optional<bool>& read_only);
  Status set_isolation(Isolation isolation);  // 25001 once it was used
  Status set_read_only(bool read_only);
  Status commit();  // of any kind; none is fine
  void rollback();
  // A statement failed: an implicit transaction is undone, a block waits for its end.
  void fail();

  Status savepoint(std::string_view name);
  Status release(std::string_view name);
  Status rollback_to(std::string_view name);

  Isolation isolation() const { return options_.isolation; }
  bool read_only() const { return options_.read_only; }
  WallTime started_at() const { return started_at_; }

 private:
  enum class Kind : std::uint8_t { kNone, kImplicit, kBlock };
  struct Savepoint {
    std::string name;
    std::size_t settings_mark = 0;
    bool read_only = false;
  };

  void open(Kind kind);
  void show();  // to the settings that say what kind of transaction this is
  void ensure();
  void close(bool committed);
  Result<std::size_t> find(std::string_view name) const;

  TxnManager& txns_;
  Budget& budget_;
  SessionSettings& settings_;
  const Clock& clock_;

  Kind kind_ = Kind::kNone;
  bool failed_ = false;
  bool used_ = false;
  bool statement_open_ = false;
  TransactionOptions options_;
  WallTime started_at_;
  std::unique_ptr<Transaction> txn_;
  std::vector<Savepoint> savepoints_;
};

inline constexpr std::size_t kSavepointsMax = 65'536;

}  // namespace coppice::session
