// memory_use.h — what a growing structure has reserved, in steps, so that the budget is asked
// rarely.
//
// Parks:    grow_to(), while the governor makes room. Errors: 53200.
#pragma once

#include <algorithm>

#include "interfaces/meter.h"
#include "kernel/base/bytes.h"

namespace coppice::executor {

class MemoryUse {
 public:
  static constexpr std::uint64_t kStepBytes = 64_KiB;

  // Without a budget nothing is counted.
  explicit MemoryUse(Budget* budget) : limited_(budget != nullptr) {
    if (limited_) reservation_ = Reservation(*budget);
  }
  Status grow_to(std::uint64_t bytes) {
    if (!limited_ || bytes <= reservation_.bytes()) return {};
    return reservation_.grow(std::max(kStepBytes, bytes - reservation_.bytes()));
  }

 private:
  bool limited_;
  Reservation reservation_;
};

}  // namespace coppice::executor
