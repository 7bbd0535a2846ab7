// time_test.cpp — instants, durations and the tick counter.
#include "kernel/base/time.h"

#include <doctest/doctest.h>

#include "kernel/base/ticks.h"

using namespace coppice;

TEST_CASE("instants and durations add up") {
  const Instant start{1000};
  CHECK(start + 1us == Instant{2000});
  CHECK((start + 5ms) - start == 5ms);
  CHECK(start < Instant::never());
}

TEST_CASE("the system clock does not go back, and ticks keep pace with it") {
  const SystemClock clock;
  const Instant a = clock.now();
  const Ticks ticks = read_ticks();
  const double rate = measure_ticks_per_second(clock, 2ms);
  CHECK(clock.now() >= a + 2ms);
  CHECK(read_ticks() > ticks);
  CHECK(rate > 1e8);
  CHECK(rate < 1e11);
}
