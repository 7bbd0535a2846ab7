// sharded_cache.h — the block cache: shards by hash of the key.
//
// Owns:     the shards; the number of them is fixed by the largest capacity foreseen.
// Threads:  any.   Parks: never.
#pragma once

#include <cstdint>
#include <memory>

#include "interfaces/block_cache.h"
#include "modules/cache/cache_shard.h"

namespace coppice::cache {

inline constexpr std::size_t kShardsMax = 256;
// Below that an odd large block would take a shard for itself.
inline constexpr std::uint64_t kShardBytesMin = 4 << 20;

class ShardedCache final : public BlockCache {
 public:
  // Starts with this capacity, which also decides how many shards there are.
  explicit ShardedCache(std::uint64_t capacity_bytes);
  ~ShardedCache() override;

  BlockPin find(BlockKey key) override;
  BlockPin insert(BlockKey key, std::unique_ptr<CachedBlock> block, TenantId tenant) override;
  void erase_file(std::uint64_t file) override;
  void resize(std::uint64_t capacity_bytes) override;
  BlockCacheStats stats() const override;
  std::uint64_t bytes() const override;
  std::uint64_t tenant_bytes(TenantId tenant) const override;

  std::size_t shard_count() const { return shard_count_; }

 private:
  void unpin(void* entry) noexcept override;
  CacheShard& shard_of(std::uint64_t hash) const { return shards_[hash >> shard_shift_]; }
  BlockPin pin(CacheEntry* entry) { return BlockPin(this, entry, entry->block.get()); }

  const std::size_t shard_count_;  // a power of two, at least 2
  const unsigned shard_shift_;
  const std::unique_ptr<CacheShard[]> shards_;
};

}  // namespace coppice::cache
