// gap_block.h — up to 128 ascending 32-bit numbers as bit-packed gaps.
//
// Role:     the unit of the sparse form. The first number is kept elsewhere; gap − 1 is stored for
//           each of the others, so that consecutive numbers take no bits.
// Holds:    bytes are little-endian, bit 0 first; a decoder never reads outside the view it got.
#pragma once

#include <array>

#include "kernel/base/bytes.h"

namespace coppice::lsm {

inline constexpr unsigned kGapBlockIds = 128;
inline constexpr unsigned kGapWidthMax = 32;

constexpr std::size_t gap_block_bytes(std::size_t ids, unsigned width) {
  return ids == 0 ? 0 : ((ids - 1) * width + 7) / 8;
}

// The width that the gaps of these ascending numbers need.
unsigned gap_width(std::span<const std::uint32_t> ids);

// Appends the gaps; 1 ≤ ids.size() ≤ 128.
void pack_gaps(std::span<const std::uint32_t> ids, unsigned width, ByteBuffer& to);

// to[0] = first, to[i] = to[i − 1] + 1 + gap i, for `count` numbers (1 to 128); what follows in
// `to` is scratch. `from` must begin with the packed gaps and may be longer. Wraps on overflow.
// False if `from` is too short or the width is impossible.
using GapBlock = std::array<std::uint64_t, kGapBlockIds + 8>;
bool unpack_gaps(ByteView from, unsigned width, std::uint64_t first, unsigned count, GapBlock& to);

}  // namespace coppice::lsm
