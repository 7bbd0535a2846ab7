// hlc.h — hybrid logical clock timestamps: the order of commits, close to wall time.
//
// Role:     every log entry carries one; a row version is visible to a read at or above it.
// Holds:    52 bits of microseconds since 1970 (until the year 2112), then 12 bits of count within
//           the microsecond; so comparing the 64 bits compares the timestamps, and 4,096 commits
//           fit into each microsecond before the clock runs ahead of the wall.
// Source:   Kulkarni et al., "Logical Physical Clocks", OPODIS 2014.
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/base/time.h"

namespace coppice {

struct Hlc {
  static constexpr unsigned kLogicalBits = 12;

  std::uint64_t value = 0;

  friend constexpr auto operator<=>(Hlc, Hlc) = default;
  constexpr std::uint64_t wall_us() const { return value >> kLogicalBits; }
  constexpr Hlc next() const { return {value + 1}; }  // carries into the microseconds
  static constexpr Hlc at(WallTime wall) {
    return {static_cast<std::uint64_t>(wall.us < 0 ? 0 : wall.us) << kLogicalBits};
  }
  static constexpr Hlc zero() { return {0}; }
  static constexpr Hlc max() { return {UINT64_MAX}; }
};

}  // namespace coppice
