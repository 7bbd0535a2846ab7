// oid_allocator.h — numbers for everything that is defined, each given out once.
//
// Role:     takes blocks of kOidBlock from the counter in the system namespace, each by a
//           transaction of its own, so that DDL of one transaction never waits for another's.
// Threads:  any. Parks: when a block is used up.
// Holds:    a number is reserved in the log before anything that uses it.
#pragma once

#include "interfaces/txn.h"
#include "kernel/fiber/sync.h"
#include "modules/catalog/reserved_tables.h"

namespace coppice::catalog {

inline constexpr Oid kOidBlock = 64;

class OidAllocator {
 public:
  OidAllocator(Engine& engine, TxnManager& txns, Budget& budget)
      : engine_(engine), txns_(txns), budget_(budget) {}

  // 54000 when all are used.
  Result<Oid> next();

 private:
  Status reserve_block();

  Engine& engine_;
  TxnManager& txns_;
  Budget& budget_;
  fiber::Mutex mutex_;  // guards all below, and is held across reserve_block()
  Oid next_ = 0, end_ = 0;
};

}  // namespace coppice::catalog
