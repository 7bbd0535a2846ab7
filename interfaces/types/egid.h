// egid.h — the number of a row: given out in log order, never reused within a table.
#pragma once

#include <cstdint>

namespace coppice {

using Egid = std::uint64_t;

// New rows of an open transaction carry provisional ids, which the commit rebases.
inline constexpr Egid kProvisionalBit = std::uint64_t{1} << 63;
constexpr bool is_provisional(Egid egid) {
  return (egid & kProvisionalBit) != 0;
}

}  // namespace coppice
