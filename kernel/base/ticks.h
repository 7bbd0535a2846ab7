// ticks.h — CPU ticks: the cheapest clock there is, for charging CPU to fibers.
//
// Role:     x86-64's TSC; another architecture puts its counter here and nowhere else.
// Threads:  any. Counters of one machine agree (invariant TSC); ticks of two machines do not
// compare.
#pragma once

#include <cstdint>

#include "kernel/base/time.h"

namespace coppice {

using Ticks = std::uint64_t;

inline Ticks read_ticks() {
  return __builtin_ia32_rdtsc();
}

// Ticks per second, measured once against `clock` for `window` (blocks the calling thread for it:
// boot only).
double measure_ticks_per_second(const Clock& clock, Duration window);

}  // namespace coppice
