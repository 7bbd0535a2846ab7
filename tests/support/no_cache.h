// no_cache.h — a BlockCache that keeps nothing: every find() misses, a block lives as its pin does.
#pragma once

#include <atomic>
#include <memory>

#include "interfaces/block_cache.h"

namespace coppice {

class NoCache final : public BlockCache {
 public:
  BlockPin find(BlockKey) override {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  BlockPin insert(BlockKey, std::unique_ptr<CachedBlock> block, TenantId) override {
    inserts_.fetch_add(1, std::memory_order_relaxed);
    CachedBlock* const kept = block.release();
    return BlockPin(this, kept, kept);
  }
  void erase_file(std::uint64_t) override {}
  void resize(std::uint64_t) override {}
  BlockCacheStats stats() const override {
    return {.misses = misses_.load(), .inserts = inserts_.load()};
  }
  std::uint64_t bytes() const override { return 0; }
  std::uint64_t tenant_bytes(TenantId) const override { return 0; }

 private:
  void unpin(void* entry) noexcept override {
    std::unique_ptr<CachedBlock>(static_cast<CachedBlock*>(entry)).reset();
  }
  std::atomic<std::uint64_t> misses_ = 0;
  std::atomic<std::uint64_t> inserts_ = 0;
};

}  // namespace coppice
