// database_uses.cpp — counting.
#include "modules/catalog/database_uses.h"

#include <mutex>

namespace coppice::catalog {

void DatabaseUses::Counts::forget_if_unused(Oid database) {
  const auto at = uses.find(database);
  if (at != uses.end() && at->second.holders == 0 && !at->second.dropping) uses.erase(at);
}

std::shared_ptr<const void> DatabaseUses::hold(Oid database) {
  {
    const std::lock_guard guard(counts_->lock);
    Counts::Use& use = counts_->uses[database];
    if (use.dropping) return nullptr;
    ++use.holders;
  }
  return {counts_.get(), [counts = counts_, database](const void*) {
            const std::lock_guard guard(counts->lock);
            --counts->uses[database].holders;
            counts->forget_if_unused(database);
          }};
}

bool DatabaseUses::begin_drop(Oid database, std::size_t& users) {
  const std::lock_guard guard(counts_->lock);
  Counts::Use& use = counts_->uses[database];
  users = use.holders;
  if (users > 0 || use.dropping) return false;
  use.dropping = true;
  return true;
}

void DatabaseUses::end_drop(Oid database) {
  const std::lock_guard guard(counts_->lock);
  counts_->uses[database].dropping = false;
  counts_->forget_if_unused(database);
}

}  // namespace coppice::catalog
