// index_linear.h — a column of 64-bit numbers as a line and bit-packed distances from it.
//
// Role:     keys, egids and stamps of unique blocks: sequences take no bits, random values their
//           width; O(1) access in place.
// Holds:    value(i) = base + i × step + packed(i), modulo 2^64.
#pragma once

#include <algorithm>
#include <bit>

#include "interfaces/types/bit_packing.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {

class LinearColumn {
 public:
  // Reads the column's frame; on failure `in` has failed and the column must not be used.
  static LinearColumn parse(ByteReader& in, std::size_t count) {
    LinearColumn column;
    column.base_ = in.u64();
    column.step_ = in.u64();
    column.width_ = in.u8();
    if (!is_packable_width(column.width_)) in.fail();
    const ByteView packed =
        in.ok() ? in.bytes(packed_bytes(count, column.width_) + kBitPackingSlack) : ByteView();
    column.packed_ = packed.data();
    return column;
  }
  // Precondition: i < the count it was parsed with.
  std::uint64_t operator[](std::size_t i) const {
    return base_ + i * step_ + packed_at(packed_, width_, i);
  }

 private:
  std::uint64_t base_ = 0;
  std::uint64_t step_ = 0;
  unsigned width_ = 0;
  const std::byte* packed_ = nullptr;
};

inline void write_linear(std::span<const std::uint64_t> values, ByteBuffer& to) {
  const std::size_t n = values.size();
  const auto rise = n < 2 ? 0 : static_cast<std::int64_t>(values[n - 1] - values[0]);
  const auto step = static_cast<std::uint64_t>(n < 2 ? 0 : rise / static_cast<std::int64_t>(n - 1));
  std::int64_t least = 0;
  for (std::size_t i = 0; i < n; ++i) {
    least = std::min(least, static_cast<std::int64_t>(values[i] - values[0] - i * step));
  }
  const std::uint64_t base = (n == 0 ? 0 : values[0]) + static_cast<std::uint64_t>(least);
  std::vector<std::uint64_t> distances(n);
  std::uint64_t greatest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    distances[i] = values[i] - base - i * step;
    greatest = std::max(greatest, distances[i]);
  }
  const unsigned width = packed_width(greatest);
  ByteWriter out(to);
  out.u64(base);
  out.u64(step);
  out.u8(static_cast<std::uint8_t>(width));
  pack(distances, width, to);
  out.zeros(kBitPackingSlack);
}

}  // namespace coppice::lsm
