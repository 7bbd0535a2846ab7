// oid_allocator.cpp — reserving blocks.
#include "modules/catalog/oid_allocator.h"

#include <limits>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/row_io.h"

namespace coppice::catalog {

Result<Oid> OidAllocator::next() {
  const fiber::MutexGuard guard = COPPICE_TRY(fiber::MutexGuard::lock(mutex_));
  if (next_ == end_) COPPICE_TRY(reserve_block());
  return next_++;
}

Status OidAllocator::reserve_block() {
  // Durable with the commit that uses the numbers, which comes later in the log.
  const auto txn = txns_.begin({.relaxed_durability = true}, budget_);
  COPPICE_TRY(txn->begin_statement());
  auto counters = COPPICE_TRY(read_rows<CountersRow>(engine_, txn->view(), kSystemNamespace));
  if (counters.size() != 1) return fail(Code::kCorruption, "catalog: the OID counter is missing");
  CountersRow& row = counters.front();
  if (row.next_oid > std::numeric_limits<Oid>::max() - kOidBlock)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "all object identifiers are used"));
  const Oid first = row.next_oid;
  row.next_oid += kOidBlock;
  COPPICE_TRY(update_row(txn->writes(), kSystemNamespace, row));
  COPPICE_TRY(txn->commit());
  next_ = first;
  end_ = first + kOidBlock;
  return {};
}

}  // namespace coppice::catalog
