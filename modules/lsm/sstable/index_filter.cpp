// index_filter.cpp — lines of 64 bytes, chosen by the high half of the hash.
#include "modules/lsm/sstable/index_filter.h"

#include <algorithm>

#include "kernel/base/checksum.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kLineBits = kLineBytes * 8;
constexpr std::size_t kBitsPerKey = 10;
constexpr int kProbes = 6;  // 9 bits of the remixed hash each

std::size_t line_of(std::uint64_t hash, std::size_t lines) {
  return static_cast<std::size_t>((hash >> 32) * lines >> 32);
}
std::uint64_t remix(std::uint64_t hash) {
  return hash * 0x9e3779b97f4a7c15u;
}

}  // namespace

std::uint64_t filter_hash(ByteView key) {
  return xxh3_64(key);
}

ByteBuffer FilterWriter::finish() {
  const std::size_t lines =
      std::max<std::size_t>(1, (hashes_.size() * kBitsPerKey + kLineBits - 1) / kLineBits);
  ByteBuffer payload(lines * kLineBytes);
  for (const std::uint64_t hash : hashes_) {
    std::byte* line = payload.data() + line_of(hash, lines) * kLineBytes;
    std::uint64_t bits = remix(hash);
    for (int i = 0; i < kProbes; ++i, bits >>= 9) {
      line[bits % kLineBits / 8] |= std::byte{1} << (bits % 8);
    }
  }
  hashes_.clear();
  return payload;
}

bool filter_may_contain(ByteView payload, std::uint64_t hash) {
  const std::size_t lines = payload.size() / kLineBytes;
  if (lines == 0 || lines > UINT32_MAX) return true;
  const std::byte* line = payload.data() + line_of(hash, lines) * kLineBytes;
  std::uint64_t bits = remix(hash);
  for (int i = 0; i < kProbes; ++i, bits >>= 9) {
    if ((line[bits % kLineBits / 8] & std::byte{1} << (bits % 8)) == std::byte{0}) return false;
  }
  return true;
}

}  // namespace coppice::lsm
