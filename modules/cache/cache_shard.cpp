// cache_shard.cpp — pins, S3-FIFO's evictions, and walks in short pieces.
#include "modules/cache/cache_shard.h"

#include <algorithm>
#include <mutex>

namespace coppice::cache {
namespace {

constexpr std::uint64_t kSmallDivisor = 10;  // the small queue's share of the room
constexpr std::size_t kWalkSlots = 512;      // looked at under one hold of the lock

}  // namespace

CacheShard::~CacheShard() {
  set_capacity(0);
  COPPICE_ASSERT(table_.count() == 0);
  COPPICE_ASSERT(detached_bytes_.load() == 0);
}

CacheEntry* CacheShard::find_pinned(const BlockKey& key, std::uint64_t hash) {
  const std::lock_guard guard(lock_);
  CacheEntry* entry = table_.find(key, hash);
  if (entry == nullptr) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  entry->pins.fetch_add(1, std::memory_order_relaxed);
  if (entry->frequency < CacheEntry::kFrequencyMax) ++entry->frequency;
  return entry;
}

CacheEntry* CacheShard::insert_pinned(std::unique_ptr<CacheEntry> entry) {
  Removed removed;
  CacheEntry* pinned = entry.get();
  {
    const std::lock_guard guard(lock_);
    if (CacheEntry* first = table_.find(entry->key, entry->hash)) {
      first->pins.fetch_add(1, std::memory_order_relaxed);
      pinned = first;
    } else {
      static_cast<void>(entry.release());
      ++inserts_;
      if (pinned->charge > capacity_) {  // lives as long as its pin
        pinned->pins.fetch_or(CacheEntry::kDetached, std::memory_order_relaxed);
        detached_bytes_.fetch_add(pinned->charge, std::memory_order_relaxed);
      } else {
        table_.insert(*pinned);
        tenants_[pinned->tenant] += pinned->charge;
        const bool known = ghost_.take(pinned->hash);
        enter(*pinned, known ? CacheEntry::Queue::kMain : CacheEntry::Queue::kSmall);
        evict(removed);
      }
    }
  }
  destroy(removed);
  return pinned;
}

void CacheShard::unpin(CacheEntry& entry) noexcept {
  CacheShard& shard = *entry.shard;  // read while the pin still keeps the entry
  const std::uint64_t charge = entry.charge;
  const std::uint32_t before = entry.pins.fetch_sub(1, std::memory_order_acq_rel);
  COPPICE_DEBUG_ASSERT((before & ~CacheEntry::kDetached) != 0);
  if (before == (CacheEntry::kDetached | 1)) {
    std::unique_ptr<CacheEntry>(&entry).reset();
    shard.detached_bytes_.fetch_sub(charge, std::memory_order_release);
  } else if (before == 1 && shard.over_capacity_.load(std::memory_order_relaxed)) {
    shard.evict_after_unpin();
  }
}

void CacheShard::evict_after_unpin() noexcept {
  Removed removed;
  {
    const std::lock_guard guard(lock_);
    evict(removed);
  }
  destroy(removed);
}

void CacheShard::erase_file(std::uint64_t file) {
  for (std::size_t from = 0;; from += kWalkSlots) {
    Removed removed;
    bool done = false;
    {
      const std::lock_guard guard(lock_);
      const std::size_t to = std::min(from + kWalkSlots, table_.slot_count());
      for (std::size_t i = from; i < std::min(to, table_.slot_count());) {
        CacheEntry* entry = table_.at_slot(i);
        if (entry == nullptr || entry->key.file != file) {
          ++i;
          continue;
        }
        // Another entry may move into this slot; a table that shrinks starts the walk anew.
        const std::size_t slots = table_.slot_count();
        leave_queue(*entry);
        detach(*entry, removed);
        if (table_.slot_count() != slots) i = from = 0;
      }
      done = from + kWalkSlots >= table_.slot_count();
    }
    destroy(removed);
    if (done) return;
  }
}

void CacheShard::set_capacity(std::uint64_t bytes) {
  Removed removed;
  {
    const std::lock_guard guard(lock_);
    capacity_ = bytes;
    ghost_.resize(bytes - bytes / kSmallDivisor);
    evict(removed);
  }
  destroy(removed);
}

void CacheShard::evict(Removed& removed) {
  // An entry is passed over at most as often as it was used, or once if it is pinned.
  std::size_t steps = (small_.count() + main_.count()) * (CacheEntry::kFrequencyMax + 2);
  while (bytes() > capacity_ && steps-- > 0) {
    const bool from_small = main_.count() == 0 || small_.bytes() > capacity_ / kSmallDivisor;
    if (from_small && small_.count() != 0) {
      evict_from_small(removed);
    } else {
      evict_from_main(removed);
    }
  }
  over_capacity_.store(bytes() > capacity_, std::memory_order_relaxed);
}

void CacheShard::evict_from_small(Removed& removed) {
  CacheEntry& oldest = *small_.tail();
  leave_queue(oldest);
  if (oldest.frequency > 1 || oldest.pinned()) {
    oldest.frequency = 0;
    enter(oldest, CacheEntry::Queue::kMain);
    return;
  }
  ghost_.add(oldest.hash, oldest.charge);
  ++evictions_;
  detach(oldest, removed);
}

void CacheShard::evict_from_main(Removed& removed) {
  CacheEntry& oldest = *main_.tail();
  leave_queue(oldest);
  if (oldest.frequency > 0 || oldest.pinned()) {
    if (oldest.frequency > 0) --oldest.frequency;
    enter(oldest, CacheEntry::Queue::kMain);
    return;
  }
  ++evictions_;
  detach(oldest, removed);
}

void CacheShard::enter(CacheEntry& entry, CacheEntry::Queue queue) {
  entry.queue = queue;
  (queue == CacheEntry::Queue::kSmall ? small_ : main_).push_head(entry);
}

void CacheShard::leave_queue(CacheEntry& entry) {
  COPPICE_DEBUG_ASSERT(entry.queue != CacheEntry::Queue::kNone);
  (entry.queue == CacheEntry::Queue::kSmall ? small_ : main_).remove(entry);
  entry.queue = CacheEntry::Queue::kNone;
}

void CacheShard::detach(CacheEntry& entry, Removed& removed) {
  table_.erase(entry);
  const auto tenant = tenants_.find(entry.tenant);
  tenant->second -= entry.charge;
  if (tenant->second == 0) tenants_.erase(tenant);
  // Counted before the pin that may be dropped meanwhile can count it down.
  detached_bytes_.fetch_add(entry.charge, std::memory_order_relaxed);
  const std::uint32_t before =
      entry.pins.fetch_or(CacheEntry::kDetached, std::memory_order_acq_rel);
  if (before != 0) return;
  entry.next = removed.first;
  removed.first = &entry;
}

void CacheShard::destroy(const Removed& removed) {
  for (CacheEntry* entry = removed.first; entry != nullptr;) {
    CacheShard& shard = *entry->shard;
    const std::uint64_t charge = entry->charge;
    CacheEntry* const next = entry->next;
    std::unique_ptr<CacheEntry>(entry).reset();
    shard.detached_bytes_.fetch_sub(charge, std::memory_order_release);
    entry = next;
  }
}

void CacheShard::add_stats(BlockCacheStats& to) const {
  std::size_t from = 0;
  std::uint64_t pinned = 0;
  for (bool done = false; !done; from += kWalkSlots) {
    const std::lock_guard guard(lock_);
    const std::size_t end = std::min(from + kWalkSlots, table_.slot_count());
    for (std::size_t i = from; i < end; ++i) {
      const CacheEntry* entry = table_.at_slot(i);
      if (entry != nullptr && entry->pinned()) pinned += entry->charge;
    }
    done = end == table_.slot_count();
  }
  const std::lock_guard guard(lock_);
  const std::uint64_t detached = detached_bytes_.load(std::memory_order_relaxed);
  to.hits += hits_;
  to.misses += misses_;
  to.inserts += inserts_;
  to.evictions += evictions_;
  to.bytes += bytes() + detached;
  to.pinned_bytes += pinned + detached;
  to.capacity_bytes += capacity_;
  to.blocks += table_.count();
}

std::uint64_t CacheShard::total_bytes() const {
  const std::lock_guard guard(lock_);
  return bytes() + detached_bytes_.load(std::memory_order_relaxed);
}

std::uint64_t CacheShard::tenant_bytes(TenantId tenant) const {
  const std::lock_guard guard(lock_);
  const auto found = tenants_.find(tenant);
  return found == tenants_.end() ? 0 : found->second;
}

}  // namespace coppice::cache
