// bit_packing.h — unsigned integers of a fixed width of 0 to 56 or exactly 64 bits, O(1) access.
//
// Role:     the storage of frame-of-reference values, dictionary codes and offsets.
// Holds:    little-endian bit order; the packed bytes are followed by kBitPackingSlack readable
//           bytes, since one value is read with one unaligned 8-byte load.
#pragma once

#include <bit>

#include "kernel/base/bytes.h"

namespace coppice {

inline constexpr std::size_t kBitPackingSlack = 8;

constexpr bool is_packable_width(unsigned width) {
  return width <= 56 || width == 64;
}
// The smallest usable width that holds every value up to `greatest`.
constexpr unsigned packed_width(std::uint64_t greatest) {
  const auto width = static_cast<unsigned>(std::bit_width(greatest));
  return width <= 56 ? width : 64;
}
constexpr std::size_t packed_bytes(std::size_t count, unsigned width) {
  return (count * width + 7) / 8;  // without the slack
}

inline std::uint64_t packed_mask(unsigned width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
inline std::uint64_t packed_at(const std::byte* packed, unsigned width, std::size_t i) {
  const std::size_t bit = i * width;
  return (load_le<std::uint64_t>(packed + bit / 8) >> (bit % 8)) & packed_mask(width);
}

// to[i] = base + value[first + i], wrapping.
inline void unpack(const std::byte* packed, unsigned width, std::size_t first, std::uint64_t base,
                   std::span<std::uint64_t> to) {
  const std::uint64_t mask = packed_mask(width);
  std::size_t bit = first * width;
  for (std::uint64_t& value : to) {
    value = base + ((load_le<std::uint64_t>(packed + bit / 8) >> (bit % 8)) & mask);
    bit += width;
  }
}

// Appends the packed values, without the slack.
inline void pack(std::span<const std::uint64_t> values, unsigned width, ByteBuffer& to) {
  const std::size_t at = to.size();
  to.resize(at + packed_bytes(values.size(), width) + kBitPackingSlack);
  std::byte* packed = to.data() + at;
  std::size_t bit = 0;
  for (const std::uint64_t value : values) {
    std::byte* word = packed + bit / 8;
    store_le(word, load_le<std::uint64_t>(word) | (value << (bit % 8)));
    bit += width;
  }
  to.resize(to.size() - kBitPackingSlack);
}

}  // namespace coppice
