// depth_control.h — how many background requests may be under way: as many as queries do not feel.
//
// Role:     additive increase, multiplicative decrease (Chiu and Jain, 1989) on the latency of
//           queries' reads: a window in which it passed the target halves the depth, any other adds
//           one.
// Threads:  one at a time.   Parks: never.   No clock of its own: the caller says what time it is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/base/time.h"

namespace coppice::vfs {

class DepthControl {
 public:
  static constexpr unsigned kDepthMax = 32;
  static constexpr Duration kWindow = 50ms;
  static constexpr unsigned kSamplesMin = 4;  // fewer reads in a window say nothing

  explicit DepthControl(Duration target) : target_(target) {}

  void observe_read(Duration latency) {
    ++samples_;
    sum_ += latency;
  }

  // The depth that holds now; closes the window when it is over.
  unsigned depth(Instant now) {
    if (now - window_start_ < kWindow) return depth_;
    const bool slow = samples_ >= kSamplesMin && sum_ / samples_ > target_;
    depth_ = slow ? std::max(1U, depth_ / 2) : std::min(kDepthMax, depth_ + 1);
    window_start_ = now;
    samples_ = 0;
    sum_ = {};
    return depth_;
  }

 private:
  const Duration target_;
  unsigned depth_ = 4;
  Instant window_start_;
  unsigned samples_ = 0;
  Duration sum_{};
};

}  // namespace coppice::vfs
