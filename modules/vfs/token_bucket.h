// token_bucket.h — a rate: what was taken beyond it is a debt to be waited for.
//
// Threads:  one at a time.   Parks: never; says how long to wait.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/base/time.h"

namespace coppice::vfs {

class TokenBucket {
 public:
  // 0: no limit. A tenth of a second's worth may be taken at once.
  explicit TokenBucket(std::uint64_t per_second)
      : per_second_(static_cast<double>(per_second)), tokens_(burst()) {}

  // Takes `amount` now; until the instant given nothing more should be taken.
  Instant take(std::uint64_t amount, Instant now) {
    if (per_second_ == 0) return now;
    const double elapsed = std::chrono::duration<double>(now - filled_at_).count();
    tokens_ = std::min(burst(), tokens_ + std::max(0.0, elapsed) * per_second_);
    filled_at_ = now;
    tokens_ -= static_cast<double>(amount);
    if (tokens_ >= 0) return now;
    const double wait_ns = -tokens_ / per_second_ * 1e9;
    return now + Duration(static_cast<std::int64_t>(wait_ns));
  }

 private:
  double burst() const { return per_second_ / 10; }
  double per_second_;
  double tokens_;
  Instant filled_at_;
};

}  // namespace coppice::vfs
