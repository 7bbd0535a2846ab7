// time.cpp — the only place that reads the operating system's clocks.
#include "kernel/base/time.h"

#include <ctime>

namespace coppice {

namespace {
std::int64_t read_ns(clockid_t id) {
  timespec at{};
  ::clock_gettime(id, &at);  // cannot fail for these two clocks
  return static_cast<std::int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}
}  // namespace

Instant SystemClock::now() const {
  return {read_ns(CLOCK_MONOTONIC)};
}
WallTime SystemClock::wall_now() const {
  return {read_ns(CLOCK_REALTIME) / 1000};
}

}  // namespace coppice
