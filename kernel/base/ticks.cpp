// ticks.cpp — how fast the counter runs.
#include "kernel/base/ticks.h"

namespace coppice {

double measure_ticks_per_second(const Clock& clock, Duration window) {
  const Instant from = clock.now();
  const Ticks first = read_ticks();
  Instant to = from;
  while (to - from < window) to = clock.now();
  const Ticks last = read_ticks();
  return static_cast<double>(last - first) * 1e9 / static_cast<double>((to - from).count());
}

}  // namespace coppice
