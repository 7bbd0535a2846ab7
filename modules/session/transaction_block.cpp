// transaction_block.cpp — the states and what moves between them.
#include "modules/session/transaction_block.h"

#include "interfaces/types/sql_error.h"

namespace coppice::session {

TransactionStatus TransactionBlock::status() const {
  if (kind_ != Kind::kBlock) return TransactionStatus::kIdle;
  return failed_ ? TransactionStatus::kFailed : TransactionStatus::kInBlock;
}

void TransactionBlock::open(Kind kind) {
  kind_ = kind;
  failed_ = used_ = statement_open_ = false;
  started_at_ = clock_.wall_now();
  options_ = {};
  if (settings_.hot().repeatable_read) options_.isolation = Isolation::kRepeatableRead;
  options_.read_only = settings_.hot().read_only;
  show();
}

void TransactionBlock::show() {
  settings_.show_transaction(
      options_.isolation == Isolation::kRepeatableRead ? "repeatable read" : "read committed",
      options_.read_only ? "on" : "off");
}

void TransactionBlock::open_implicit() {
  if (none()) open(Kind::kImplicit);
}

void TransactionBlock::ensure() {
  open_implicit();
  if (txn_ != nullptr) return;
  options_.relaxed_durability = settings_.hot().relaxed;
  options_.lock_timeout = settings_.hot().lock_timeout;
  txn_ = txns_.begin(options_, budget_);
}

Result<Transaction*> TransactionBlock::begin_statement() {
  ensure();
  COPPICE_TRY(txn_->begin_statement());
  statement_open_ = true;
  return txn_.get();
}

void TransactionBlock::end_statement(bool keep) {
  if (txn_ != nullptr && statement_open_) txn_->end_statement(keep);
  statement_open_ = false;
}

void TransactionBlock::drop_unused() {
  if (!used_) txn_.reset();
}

void TransactionBlock::begin(const std::optional<Isolation>& isolation,
                             const std::optional<bool>& read_only) {
  if (none()) open(Kind::kBlock);
  kind_ = Kind::kBlock;  // an implicit one with all it did so far becomes the block
  if (used_) return;
  if (isolation) options_.isolation = *isolation;
  if (read_only) options_.read_only = *read_only;
  show();
}

Status TransactionBlock::set_isolation(Isolation isolation) {
  if (isolation == options_.isolation) return {};
  if (used_) {
    return std::unexpected(
        sql_error("25001", "SET TRANSACTION ISOLATION LEVEL must be called before any query"));
  }
  options_.isolation = isolation;
  show();
  return {};
}

Status TransactionBlock::set_read_only(bool read_only) {
  if (options_.read_only && !read_only && used_) {
    return std::unexpected(
        sql_error("25001", "transaction read-write mode must be set before any query"));
  }
  options_.read_only = read_only;
  show();
  return {};
}

void TransactionBlock::close(bool committed) {
  txn_.reset();
  savepoints_.clear();
  kind_ = Kind::kNone;
  failed_ = used_ = statement_open_ = false;
  settings_.end_transaction(committed);
  settings_.show_transaction({}, {});
}

Status TransactionBlock::commit() {
  if (failed_) {
    rollback();
    return {};
  }
  if (txn_ != nullptr) {
    if (Result<Hlc> at = txn_->commit(); !at) {
      close(false);
      return std::unexpected(std::move(at).error());
    }
  }
  close(true);
  return {};
}

void TransactionBlock::rollback() {
  if (txn_ != nullptr) txn_->rollback();
  close(false);
}

void TransactionBlock::fail() {
  if (kind_ != Kind::kBlock) return rollback();
  failed_ = true;
  if (txn_ == nullptr) return;
  end_statement(false);
  // Without a savepoint nothing can come back: others need not wait for the locks.
  if (!savepoints_.empty()) return;
  txn_->rollback();
  txn_.reset();
}

Status TransactionBlock::savepoint(std::string_view name) {
  if (savepoints_.size() >= kSavepointsMax)
    return std::unexpected(sql_error("54000", "too many savepoints"));
  ensure();
  use();
  txn_->savepoint(name);
  savepoints_.push_back({std::string(name), settings_.mark(), options_.read_only});
  return {};
}

Result<std::size_t> TransactionBlock::find(std::string_view name) const {
  for (std::size_t at = savepoints_.size(); at-- > 0;) {
    if (savepoints_[at].name == name) return at;
  }
  return std::unexpected(
      sql_error("3B001", "savepoint \"" + std::string(name) + "\" does not exist"));
}

Status TransactionBlock::release(std::string_view name) {
  const std::size_t at = COPPICE_TRY(find(name));
  COPPICE_TRY(txn_->release_savepoint(name));
  savepoints_.resize(at);
  return {};
}

Status TransactionBlock::rollback_to(std::string_view name) {
  const std::size_t at = COPPICE_TRY(find(name));
  COPPICE_TRY(txn_->rollback_to_savepoint(name));
  settings_.undo_to(savepoints_[at].settings_mark);
  options_.read_only = savepoints_[at].read_only;
  savepoints_.resize(at + 1);
  failed_ = statement_open_ = false;
  show();
  return {};
}

}  // namespace coppice::session
