// manager.h — begins transactions.
#pragma once

#include <atomic>

#include "modules/txn/transaction.h"

namespace coppice::txn {

class LockingTxnManager final : public TxnManager {
 public:
  explicit LockingTxnManager(Engine& engine)
      : shared_{.engine = engine, .locks = {}, .oracle = {}} {}

  std::unique_ptr<Transaction> begin(const TransactionOptions& options, Budget& budget) override {
    const TxnId id{next_id_.fetch_add(1, std::memory_order_relaxed)};
    return std::make_unique<LockingTransaction>(shared_, id, options, budget);
  }

  LockTable::Counts lock_counts() const { return shared_.locks.counts(); }

 private:
  Shared shared_;
  std::atomic<std::uint64_t> next_id_{1};
};

}  // namespace coppice::txn
