// hlc.h — hybrid logical clock timestamps: the order of commits, close to wall time.
//
// Role:     every log entry carries one; a row version is visible to a read at or above it.
// Holds:    the top bit is clear (an index stamp is timestamp << 1 with ± in bit 0); then 51
//           bits of microseconds since 2020-01-01 UTC (until May 2091; counted from 1970 they would
//           run into the top bit in 2041), then 12 bits of count within the microsecond. So
//           comparing the 64 bits compares the timestamps, and 4,096 commits fit into each
//           microsecond before the clock runs ahead of the wall: the count carries into it.
// Source:   Kulkarni et al., "Logical Physical Clocks", OPODIS 2014.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "kernel/base/time.h"

namespace coppice {

struct Hlc {
  static constexpr unsigned kLogicalBits = 12;
  static constexpr std::int64_t kEpochUs = 1'577'836'800'000'000;  // 2020-01-01 00:00 UTC
  static constexpr std::int64_t kWallUsMax = kEpochUs + (std::int64_t{1} << 51) - 1;

  std::uint64_t value = 0;

  friend constexpr auto operator<=>(Hlc, Hlc) = default;
  // Microseconds since 1970, as WallTime has them.
  constexpr std::uint64_t wall_us() const {
    return (value >> kLogicalBits) + static_cast<std::uint64_t>(kEpochUs);
  }
  constexpr Hlc next() const { return {value + 1}; }  // carries into the microseconds
  // Walls outside [kEpochUs, kWallUsMax] count as the nearer end.
  static constexpr Hlc at(WallTime wall) {
    const std::int64_t us = std::clamp(wall.us, kEpochUs, kWallUsMax) - kEpochUs;
    return {static_cast<std::uint64_t>(us) << kLogicalBits};
  }
  static constexpr Hlc zero() { return {0}; }
  static constexpr Hlc max() { return {UINT64_MAX >> 1}; }
};

}  // namespace coppice
