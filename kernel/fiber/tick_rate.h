// tick_rate.h — how many CPU ticks a duration is; measured once per process (1 ms).
#pragma once

#include "kernel/base/ticks.h"
#include "kernel/base/time.h"

namespace coppice::fiber {

double ticks_per_second();
Ticks ticks_in(Duration duration);
Duration duration_of(Ticks ticks);

}  // namespace coppice::fiber
