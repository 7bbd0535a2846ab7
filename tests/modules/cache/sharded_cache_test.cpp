// sharded_cache_test.cpp — the contract, and what makes S3-FIFO worth having.
#include "modules/cache/sharded_cache.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "kernel/base/random.h"
#include "tests/contract/block_cache_contract.h"
#include "tests/support/no_cache.h"

namespace coppice {
namespace {

using cache::ShardedCache;

constexpr TenantId kTenant{1};
constexpr std::size_t kBlockBytes = 4096 - cache::kEntryOverheadBytes;

class PlainBlock final : public CachedBlock {
 public:
  std::size_t charge() const override { return kBlockBytes; }
};

// As a reader would: finds, or inserts. True for a hit.
bool touch(BlockCache& cache, std::uint64_t block) {
  const BlockKey key{1, block * 4096};
  if (cache.find(key)) return true;
  cache.insert(key, std::make_unique<PlainBlock>(), kTenant);
  return false;
}

TEST_CASE("the sharded cache keeps the contract") {
  block_cache_contract([](std::uint64_t bytes) { return std::make_unique<ShardedCache>(bytes); });
}

TEST_CASE("the cache that keeps nothing keeps what remains of the contract") {
  block_cache_contract([](std::uint64_t) { return std::make_unique<NoCache>(); }, false);
}

TEST_CASE("shards are few when the capacity is small") {
  CHECK(ShardedCache(0).shard_count() == 2);
  CHECK(ShardedCache(8 << 20).shard_count() == 2);
  CHECK(ShardedCache(64 << 20).shard_count() == 16);
  CHECK(ShardedCache(64ULL << 30).shard_count() == 256);
}

TEST_CASE("a scan does not push out what is in use") {
  constexpr std::uint64_t kHot = 1000;
  ShardedCache cache(2000 * 4096);
  for (int round = 0; round < 4; ++round) {
    for (std::uint64_t i = 0; i < kHot; ++i) touch(cache, i);
  }
  for (std::uint64_t i = 0; i < 20000; ++i) touch(cache, 1000000 + i);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < kHot; ++i) hits += touch(cache, i) ? 1 : 0;
  CHECK(hits > kHot * 95 / 100);
}

TEST_CASE("what comes back soon after it was dropped is kept the second time") {
  ShardedCache cache(2000 * 4096);
  // Fill the main queue, so that the small one has its tenth and no more.
  for (int round = 0; round < 4; ++round) {
    for (std::uint64_t i = 0; i < 1900; ++i) touch(cache, i);
  }
  for (std::uint64_t i = 0; i < 500; ++i) touch(cache, 10000 + i);  // the first 200 fall out
  std::uint64_t early_hits = 0;
  for (std::uint64_t i = 0; i < 100; ++i) early_hits += touch(cache, 10000 + i) ? 1 : 0;
  CHECK(early_hits < 10);
  for (std::uint64_t i = 0; i < 400; ++i) touch(cache, 20000 + i);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < 100; ++i) hits += touch(cache, 10000 + i) ? 1 : 0;
  CHECK(hits > 90);
}

TEST_CASE("hits and misses are counted") {
  ShardedCache cache(1 << 20);
  touch(cache, 1);
  touch(cache, 1);
  touch(cache, 2);
  const BlockCacheStats stats = cache.stats();
  CHECK(stats.hits == 1);
  CHECK(stats.misses == 2);
  CHECK(stats.inserts == 2);
  CHECK(stats.blocks == 2);
  CHECK(stats.bytes == 2 * 4096);
  CHECK(stats.capacity_bytes == 1 << 20);
}

}  // namespace
}  // namespace coppice
