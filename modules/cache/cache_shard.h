// cache_shard.h — one part of the cache: a table, two queues and a ghost behind a spin lock.
//
// Role:     S3-FIFO. New blocks enter a small queue (a tenth of the room); what was asked for again
//           before it falls out of it moves to the main queue, the rest leaves a ghost; a ghost
//           that is asked for enters the main queue at once. The main queue gives what was used
//           another round, less one use, until it was not used for a round. So a scan passes
//           through the small queue and disturbs nothing, and a hit moves nothing.
// Owns:     its entries, and blocks through them.
// Threads:  any; the lock is held for a probe (hit) or a few steps of eviction (insert). Blocks are
//           destroyed after it is released.
// Parks:    never.
// Holds:    bytes() <= capacity, unless what is left is pinned; then the next unpin evicts.
// Source:   Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023, algorithm 1.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "interfaces/block_cache.h"
#include "kernel/base/spin_lock.h"
#include "modules/cache/cache_entry.h"
#include "modules/cache/entry_table.h"
#include "modules/cache/ghost_table.h"

namespace coppice::cache {

class alignas(64) CacheShard {
 public:
  CacheShard() = default;
  ~CacheShard();  // asserts that nothing is pinned
  CacheShard(const CacheShard&) = delete;
  CacheShard& operator=(const CacheShard&) = delete;

  CacheEntry* find_pinned(const BlockKey& key, std::uint64_t hash);
  // Takes over `entry`, which has one pin for the caller; gives the pinned entry of that key.
  CacheEntry* insert_pinned(std::unique_ptr<CacheEntry> entry);
  // Static: the entry knows its shard, but may have left it.
  static void unpin(CacheEntry& entry) noexcept;

  void erase_file(std::uint64_t file);
  void set_capacity(std::uint64_t bytes);

  void add_stats(BlockCacheStats& to) const;
  std::uint64_t total_bytes() const;  // what only pins keep alive included
  std::uint64_t tenant_bytes(TenantId tenant) const;

 private:
  // Entries that left the table, chained by `next`; to be destroyed once the lock is released.
  struct Removed {
    CacheEntry* first = nullptr;
  };

  // All of these hold the lock.
  void evict(Removed& removed);
  void evict_from_small(Removed& removed);
  void evict_from_main(Removed& removed);
  void enter(CacheEntry& entry, CacheEntry::Queue queue);
  void leave_queue(CacheEntry& entry);
  void detach(CacheEntry& entry, Removed& removed);
  std::uint64_t bytes() const { return small_.bytes() + main_.bytes(); }

  static void destroy(const Removed& removed);
  void evict_after_unpin() noexcept;

  mutable SpinLock lock_;
  std::atomic<bool> over_capacity_ = false;  // pins kept an eviction from doing its work
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
  EntryTable table_;
  EntryQueue small_;
  EntryQueue main_;
  GhostTable ghost_;
  std::uint64_t capacity_ = 0;
  std::uint64_t inserts_ = 0;
  std::uint64_t evictions_ = 0;
  std::atomic<std::uint64_t> detached_bytes_ = 0;  // of entries that only pins keep alive
  std::unordered_map<TenantId, std::uint64_t> tenants_;
};

}  // namespace coppice::cache
