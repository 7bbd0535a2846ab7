// bounce_pool.h — aligned buffers for reads that direct I/O would refuse as they are.
//
// Role:     a read at any offset, of any size, to any address goes through one of these. Small
//           ones are kept and reused; all together are bounded.
// Threads:  any.
// Parks:    take() when kPoolBytes are out, first come, first served. Take all that a round of
//           reads needs at once: holding some while waiting for more could wait forever.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/base/aligned_buffer.h"
#include "kernel/base/result.h"
#include "kernel/base/spin_lock.h"
#include "kernel/fiber/sync.h"

namespace coppice::vfs_local {

inline constexpr std::size_t kPageBytes = AlignedBuffer::kAlignment;
inline constexpr std::size_t kSmallBytes = 16 << 10;  // fits an 8 KiB block at any offset
inline constexpr std::size_t kPoolBytes = 32 << 20;
inline constexpr std::size_t kKeptBytes = 4 << 20;  // of small ones, when nobody reads

class BouncePool;

// Buffers of one round of reads; back into the pool when it goes.
class BounceRound {
 public:
  BounceRound() = default;
  BounceRound(BounceRound&& other) noexcept;
  BounceRound& operator=(BounceRound&&) = delete;
  ~BounceRound();
  MutableByteView operator[](std::size_t i) const { return buffers_[i].view(); }

 private:
  friend class BouncePool;
  BouncePool* pool_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<AlignedBuffer> buffers_;
};

class BouncePool {
 public:
  // How much of the bound a buffer of this size takes up.
  static std::size_t cost(std::size_t bytes) { return bytes <= kSmallBytes ? kSmallBytes : bytes; }

  // One buffer per size, at least that large; their costs sum up to at most kPoolBytes.
  Result<BounceRound> take(const std::vector<std::size_t>& sizes);

 private:
  friend class BounceRound;
  void give_back(BounceRound& round) noexcept;

  fiber::Semaphore pages_{kPoolBytes / kPageBytes};
  SpinLock lock_;
  std::vector<AlignedBuffer> small_;  // idle; under lock_
};

}  // namespace coppice::vfs_local
