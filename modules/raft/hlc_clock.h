// hlc_clock.h — hands out hybrid logical clock timestamps, strictly increasing.
//
// Role:     stamps entries on the leader; followers make it observe what they append. Restarted
//           from the highest timestamp in the log: those given out after that are known to nobody.
// Threads:  one at a time.   Parks: never.
// Source:   Kulkarni et al., "Logical Physical Clocks", OPODIS 2014.
#pragma once

#include <algorithm>

#include "interfaces/types/hlc.h"
#include "kernel/base/time.h"

namespace coppice::raft {

class HlcClock {
 public:
  explicit HlcClock(Hlc last) : last_(last) {}

  // Above all that were given out or observed; the wall's time if that has gone on since.
  Hlc next(WallTime wall) {
    last_ = std::max(last_.next(), Hlc::at(wall));
    return last_;
  }
  void observe(Hlc seen) { last_ = std::max(last_, seen); }
  Hlc last() const { return last_; }

 private:
  Hlc last_;
};

}  // namespace coppice::raft
