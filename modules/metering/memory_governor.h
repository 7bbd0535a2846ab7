// memory_governor.h — one number, memory.total, divided among memtables, queries and the cache.
//
// Role:     consumers reserve from a pool before they allocate. A pool above its share borrows from
//           the cache, which shrinks at once; when that has nothing left either, the caller waits
//           for others to release. Every kGovernorPeriod the cache is fitted to what the process
//           really takes up.
// Threads:  any fiber; release() any thread.
// Parks:    reserve(), up to kReserveWait.
// Errors:   kOutOfMemory with SQLSTATE 53200.
// Holds:    reservations + cache target + headroom <= total, as long as the cache is above its
//           minimum; then reservations are refused.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "interfaces/block_cache.h"
#include "interfaces/meter.h"
#include "kernel/fiber/sync.h"

namespace coppice::metering {

inline constexpr Duration kGovernorPeriod = 100ms;

class MemoryGovernor {
 public:
  // `cache` may be null. 25 % memtables, 25 % queries, the rest cache.
  MemoryGovernor(std::uint64_t total_bytes, BlockCache* cache);

  Status reserve(MemoryPool pool, std::uint64_t bytes);
  void release(MemoryPool pool, std::uint64_t bytes) noexcept;

  // Fits the cache to the process's live bytes. The cache shrinks at once and grows by steps.
  void adjust(std::uint64_t live_bytes);

  MemoryState state() const;

 private:
  std::uint64_t reserved() const;
  bool try_share(MemoryPool pool, std::uint64_t bytes);
  bool try_borrow(MemoryPool pool, std::uint64_t bytes);  // holds mutex_
  void fit_cache(std::uint64_t reserved_bytes);           // holds mutex_
  std::uint64_t cache_room(std::uint64_t used_elsewhere) const;
  void set_cache_target(std::uint64_t bytes);

  const std::uint64_t total_;
  const std::uint64_t headroom_;  // stacks, buffers, fragments: what nobody reserves
  const std::uint64_t cache_min_;
  const std::array<std::uint64_t, kMemoryPoolCount> shares_;
  BlockCache* const cache_;

  std::array<std::atomic<std::uint64_t>, kMemoryPoolCount> reserved_{};
  std::atomic<std::uint64_t> live_ = 0;
  std::atomic<std::uint64_t> cache_target_ = 0;  // written under mutex_
  std::atomic<std::uint64_t> refusals_ = 0;
  fiber::Mutex mutex_;
  fiber::Condition released_;
};

// A share of a pool with a limit of its own.
class PoolBudget final : public Budget {
 public:
  PoolBudget(MemoryGovernor& governor, MemoryPool pool, std::uint64_t limit_bytes)
      : governor_(governor), pool_(pool), limit_(limit_bytes) {}
  ~PoolBudget() override;  // asserts that all was released

  Status reserve(std::uint64_t bytes) override;
  void release(std::uint64_t bytes) noexcept override;
  std::uint64_t live() const override { return live_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const override { return peak_.load(std::memory_order_relaxed); }

 private:
  MemoryGovernor& governor_;
  const MemoryPool pool_;
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> live_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
};

}  // namespace coppice::metering
