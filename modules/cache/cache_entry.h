// cache_entry.h — one cached block with its pins, its place in a queue, and the queue itself.
//
// Role:     shared by the table, the queues and the pins of one shard.
// Holds:    an entry is destroyed by whoever brings its word to "detached, no pins": the shard that
//           takes it out, or the last pin that is dropped afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "interfaces/block_cache.h"
#include "kernel/base/assert.h"

namespace coppice::cache {

class CacheShard;

struct CacheEntry {
  static constexpr std::uint32_t kDetached = 1U << 31;  // in `pins`: in no table any more
  static constexpr std::uint8_t kFrequencyMax = 3;

  enum class Queue : std::uint8_t { kNone, kSmall, kMain };

  BlockKey key;
  std::uint64_t hash = 0;
  std::unique_ptr<CachedBlock> block;
  std::uint64_t charge = 0;  // what the capacity counts: block, entry and table slot
  TenantId tenant;
  CacheShard* shard = nullptr;

  std::atomic<std::uint32_t> pins = 0;  // count of pins, and kDetached

  // Under the shard's lock.
  std::uint8_t frequency = 0;
  Queue queue = Queue::kNone;
  CacheEntry* previous = nullptr;  // towards the head, where entries come in
  CacheEntry* next = nullptr;

  bool pinned() const { return (pins.load(std::memory_order_relaxed) & ~kDetached) != 0; }
};

// What a block costs beside its own charge: the entry, two table slots, the allocator's rounding.
inline constexpr std::uint64_t kEntryOverheadBytes = sizeof(CacheEntry) + 48;

// First in, first out, by links in the entries; any entry can leave.
class EntryQueue {
 public:
  void push_head(CacheEntry& entry) {
    entry.previous = nullptr;
    entry.next = head_;
    (head_ != nullptr ? head_->previous : tail_) = &entry;
    head_ = &entry;
    bytes_ += entry.charge;
    ++count_;
  }
  void remove(CacheEntry& entry) {
    (entry.previous != nullptr ? entry.previous->next : head_) = entry.next;
    (entry.next != nullptr ? entry.next->previous : tail_) = entry.previous;
    COPPICE_DEBUG_ASSERT(bytes_ >= entry.charge && count_ > 0);
    bytes_ -= entry.charge;
    --count_;
  }
  CacheEntry* tail() const { return tail_; }
  std::uint64_t bytes() const { return bytes_; }
  std::size_t count() const { return count_; }

 private:
  CacheEntry* head_ = nullptr;
  CacheEntry* tail_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::size_t count_ = 0;
};

}  // namespace coppice::cache
