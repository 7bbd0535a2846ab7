// gap_block.cpp — one unrolled loop per width: 8 gaps always fill `width` whole bytes.
#include "modules/lsm/bitmap/gap_block.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace coppice::lsm {
namespace {

// Reads 8 bytes at the start of each gap: up to kReadAhead bytes past the last whole group.
constexpr std::size_t kReadAhead = 8;

template <unsigned kWidth>
void unpack(const std::byte* from, std::uint64_t first, unsigned count, std::uint64_t* to) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kWidth) - 1;
  std::uint64_t last = first;
  *to++ = first;
  for (unsigned i = 1; i < count; i += 8, from += kWidth, to += 8) {
#pragma GCC unroll 8
    for (unsigned j = 0; j < 8; ++j) {
      const std::uint64_t word = load_le<std::uint64_t>(from + j * kWidth / 8);
      last += ((word >> (j * kWidth % 8)) & kMask) + 1;
      to[j] = last;
    }
  }
}

using Unpack = void (*)(const std::byte*, std::uint64_t, unsigned, std::uint64_t*);
template <std::size_t... kWidths>
constexpr auto unpack_table(std::index_sequence<kWidths...>) {
  return std::array<Unpack, sizeof...(kWidths)>{&unpack<kWidths>...};
}
constexpr auto kUnpack = unpack_table(std::make_index_sequence<kGapWidthMax + 1>{});

}  // namespace

unsigned gap_width(std::span<const std::uint32_t> ids) {
  std::uint32_t bits = 0;
  for (std::size_t i = 1; i < ids.size(); ++i) bits |= ids[i] - ids[i - 1] - 1;
  return static_cast<unsigned>(std::bit_width(bits));
}

void pack_gaps(std::span<const std::uint32_t> ids, unsigned width, ByteBuffer& to) {
  const std::size_t at = to.size();
  const std::size_t bytes = gap_block_bytes(ids.size(), width);
  to.resize(at + bytes + kReadAhead);
  std::size_t bit = 0;
  for (std::size_t i = 1; i < ids.size(); ++i, bit += width) {
    std::byte* word = to.data() + at + bit / 8;
    const std::uint64_t gap = ids[i] - ids[i - 1] - 1;
    store_le(word, load_le<std::uint64_t>(word) | gap << (bit % 8));
  }
  to.resize(at + bytes);
}

bool unpack_gaps(ByteView from, unsigned width, std::uint64_t first, unsigned count, GapBlock& to) {
  if (width > kGapWidthMax || count == 0 || count > kGapBlockIds) return false;
  const std::size_t bytes = gap_block_bytes(count, width);
  if (from.size() < bytes) return false;
  const std::size_t touched = (count + 6) / 8 * width + kReadAhead;
  if (from.size() >= touched) {
    kUnpack[width](from.data(), first, count, to.data());
    return true;
  }
  std::array<std::byte, kGapBlockIds * kGapWidthMax / 8 + kReadAhead> padded;
  const auto end = std::copy_n(from.data(), bytes, padded.data());
  std::fill(end, padded.data() + touched, std::byte{0});
  kUnpack[width](padded.data(), first, count, to.data());
  return true;
}

}  // namespace coppice::lsm
