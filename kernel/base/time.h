// time.h — durations, monotonic instants, wall time, and the Clock that hands them out.
//
// Role:     no module reads a clock of the operating system; it asks the Clock it was given, so
// that
//           the simulator can give it another one.
// Threads:  any.   Parks: never.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace coppice {

using Duration = std::chrono::nanoseconds;
using namespace std::chrono_literals;  // 50ms, 2s: wherever a Duration is written

// A point on the monotonic clock, in nanoseconds since an arbitrary start.
struct Instant {
  std::int64_t ns = 0;
  friend auto operator<=>(Instant, Instant) = default;
  friend Instant operator+(Instant at, Duration by) { return {at.ns + by.count()}; }
  friend Instant operator-(Instant at, Duration by) { return {at.ns - by.count()}; }
  friend Duration operator-(Instant a, Instant b) { return Duration(a.ns - b.ns); }
  static constexpr Instant never() { return {INT64_MAX}; }
};
using Deadline = Instant;  // Instant::never() means: no deadline

// Microseconds since 1970-01-01 00:00 UTC. May jump; never measure durations with it.
struct WallTime {
  std::int64_t us = 0;
  friend auto operator<=>(WallTime, WallTime) = default;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  virtual WallTime wall_now() const = 0;
};

// The operating system's clocks.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
  WallTime wall_now() const override;
};

}  // namespace coppice
