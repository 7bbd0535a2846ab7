// bounce_pool.cpp — a stack of small buffers, and a count of all.
#include "plugins/vfs/local/bounce_pool.h"

#include <mutex>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::vfs_local {

BounceRound::BounceRound(BounceRound&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      buffers_(std::move(other.buffers_)) {}

BounceRound::~BounceRound() {
  if (pool_ != nullptr) pool_->give_back(*this);
}

Result<BounceRound> BouncePool::take(const std::vector<std::size_t>& sizes) {
  BounceRound round;
  std::size_t bytes = 0;
  for (const std::size_t size : sizes) bytes += align_up(cost(size), kPageBytes);
  COPPICE_ASSERT(bytes <= kPoolBytes);
  if (bytes == 0) return round;
  COPPICE_TRY(pages_.acquire(bytes / kPageBytes));
  round.pool_ = this;
  round.bytes_ = bytes;
  round.buffers_.resize(sizes.size());
  {
    const std::lock_guard guard(lock_);
    for (std::size_t i = 0; i < sizes.size() && !small_.empty(); ++i) {
      if (sizes[i] > kSmallBytes) continue;
      round.buffers_[i] = std::move(small_.back());
      small_.pop_back();
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (round.buffers_[i].size() == 0) {
      round.buffers_[i] = AlignedBuffer(align_up(cost(sizes[i]), kPageBytes));
    }
  }
  return round;
}

void BouncePool::give_back(BounceRound& round) noexcept {
  {
    const std::lock_guard guard(lock_);
    if (small_.capacity() == 0) small_.reserve(kKeptBytes / kSmallBytes);
    for (AlignedBuffer& buffer : round.buffers_) {
      if (buffer.size() != kSmallBytes) continue;
      if (small_.size() < kKeptBytes / kSmallBytes) small_.push_back(std::move(buffer));
    }
  }
  pages_.release(round.bytes_ / kPageBytes);
}

}  // namespace coppice::vfs_local
