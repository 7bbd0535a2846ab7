// block_cache.h — blocks of immutable files, kept in memory ready to use.
//
// Role:     the reader of a file puts a decoded block in under (file, offset) and finds it again.
// Owns:     the blocks; a BlockPin keeps one from being evicted and destroyed.
// Threads:  all methods from any worker.   Parks: never.
// Holds:    the charges of all blocks, and what the cache adds to each, stay within capacity,
// except
//           for what is pinned.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "kernel/base/ids.h"

namespace coppice {

struct BlockKey {
  std::uint64_t file = 0;  // unique over the life of the process, never reused
  std::uint64_t offset = 0;
  friend bool operator==(const BlockKey&, const BlockKey&) = default;
};

// What is cached: the bytes and whatever decoder state was built over them.
class CachedBlock {
 public:
  virtual ~CachedBlock() = default;
  virtual std::size_t charge() const = 0;  // bytes of memory, constant, this object included
};

class BlockCache;

// Keeps a block alive; move-only. Empty after a miss. Must not outlive the cache.
class BlockPin {
 public:
  BlockPin() = default;
  BlockPin(BlockCache* cache, void* entry, const CachedBlock* block)
      : cache_(cache), entry_(entry), block_(block) {}
  BlockPin(BlockPin&& other) noexcept { swap(other); }
  BlockPin& operator=(BlockPin&& other) noexcept {
    BlockPin(std::move(other)).swap(*this);
    return *this;
  }
  inline ~BlockPin();

  explicit operator bool() const { return block_ != nullptr; }
  const CachedBlock& operator*() const { return *block_; }
  const CachedBlock* get() const { return block_; }

 private:
  void swap(BlockPin& other) noexcept {
    std::swap(cache_, other.cache_);
    std::swap(entry_, other.entry_);
    std::swap(block_, other.block_);
  }
  BlockCache* cache_ = nullptr;
  void* entry_ = nullptr;
  const CachedBlock* block_ = nullptr;
};

struct BlockCacheStats {
  std::uint64_t hits = 0, misses = 0, inserts = 0, evictions = 0;
  std::uint64_t bytes = 0, pinned_bytes = 0, capacity_bytes = 0, blocks = 0;
};

class BlockCache {
 public:
  virtual ~BlockCache() = default;

  virtual BlockPin find(BlockKey key) = 0;
  // If the key is there already (two fibers read the same block), gives the one that was first and
  // destroys `block`. Never fails: a block that does not fit lives only as long as its pin.
  virtual BlockPin insert(BlockKey key, std::unique_ptr<CachedBlock> block, TenantId tenant) = 0;
  // Pinned blocks go when their pin does; what is inserted meanwhile may stay until it ages out.
  virtual void erase_file(std::uint64_t file) = 0;
  virtual void resize(std::uint64_t capacity_bytes) = 0;
  virtual BlockCacheStats stats() const = 0;  // walks all blocks: not for hot paths
  virtual std::uint64_t bytes() const = 0;    // of all blocks, cheaply
  virtual std::uint64_t tenant_bytes(TenantId tenant) const = 0;

 private:
  friend class BlockPin;
  virtual void unpin(void* entry) noexcept = 0;
};

inline BlockPin::~BlockPin() {
  if (cache_ != nullptr) cache_->unpin(entry_);
}

}  // namespace coppice
