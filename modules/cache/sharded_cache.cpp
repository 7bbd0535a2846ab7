// sharded_cache.cpp — the hash, and the sums over all shards.
#include "modules/cache/sharded_cache.h"

#include <algorithm>
#include <bit>

namespace coppice::cache {
namespace {

// Shards go by the high bits, tables and ghosts by the low ones, so all of them must be good:
// a multiply-xor mix of both words (the finaliser of splitmix64).
std::uint64_t hash_of(const BlockKey& key) {
  std::uint64_t h = key.file * 0x9E3779B97F4A7C15ULL + key.offset;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 31);
}

std::size_t shards_for(std::uint64_t capacity_bytes) {
  const std::uint64_t wanted = std::bit_floor(capacity_bytes / kShardBytesMin | 1);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(wanted, 2, kShardsMax));
}

}  // namespace

ShardedCache::ShardedCache(std::uint64_t capacity_bytes)
    : shard_count_(shards_for(capacity_bytes)),
      shard_shift_(64U - static_cast<unsigned>(std::countr_zero(shard_count_))),
      shards_(std::make_unique<CacheShard[]>(shard_count_)) {
  resize(capacity_bytes);
}

ShardedCache::~ShardedCache() = default;

BlockPin ShardedCache::find(BlockKey key) {
  const std::uint64_t hash = hash_of(key);
  CacheEntry* entry = shard_of(hash).find_pinned(key, hash);
  return entry == nullptr ? BlockPin() : pin(entry);
}

BlockPin ShardedCache::insert(BlockKey key, std::unique_ptr<CachedBlock> block, TenantId tenant) {
  COPPICE_ASSERT(block != nullptr);
  auto entry = std::make_unique<CacheEntry>();
  entry->key = key;
  entry->hash = hash_of(key);
  entry->charge = block->charge() + kEntryOverheadBytes;
  entry->block = std::move(block);
  entry->tenant = tenant;
  CacheShard& shard = shard_of(entry->hash);
  entry->shard = &shard;
  entry->pins.store(1, std::memory_order_relaxed);
  return pin(shard.insert_pinned(std::move(entry)));
}

void ShardedCache::erase_file(std::uint64_t file) {
  for (std::size_t i = 0; i < shard_count_; ++i) shards_[i].erase_file(file);
}

void ShardedCache::resize(std::uint64_t capacity_bytes) {
  for (std::size_t i = 0; i < shard_count_; ++i) {
    shards_[i].set_capacity(capacity_bytes / shard_count_);
  }
}

BlockCacheStats ShardedCache::stats() const {
  BlockCacheStats sum;
  for (std::size_t i = 0; i < shard_count_; ++i) shards_[i].add_stats(sum);
  return sum;
}

std::uint64_t ShardedCache::bytes() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < shard_count_; ++i) sum += shards_[i].total_bytes();
  return sum;
}

std::uint64_t ShardedCache::tenant_bytes(TenantId tenant) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < shard_count_; ++i) sum += shards_[i].tenant_bytes(tenant);
  return sum;
}

void ShardedCache::unpin(void* entry) noexcept {
  CacheShard::unpin(*static_cast<CacheEntry*>(entry));
}

}  // namespace coppice::cache
