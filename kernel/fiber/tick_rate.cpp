// tick_rate.cpp — one measurement, kept.
#include "kernel/fiber/tick_rate.h"

namespace coppice::fiber {

double ticks_per_second() {
  static const double rate = measure_ticks_per_second(SystemClock(), 1ms);
  return rate;
}

Ticks ticks_in(Duration duration) {
  return static_cast<Ticks>(static_cast<double>(duration.count()) * 1e-9 * ticks_per_second());
}

Duration duration_of(Ticks ticks) {
  return Duration(static_cast<std::int64_t>(static_cast<double>(ticks) * 1e9 / ticks_per_second()));
}

}  // namespace coppice::fiber
