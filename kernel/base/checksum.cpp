// checksum.cpp — the only file that sees xxhash (inlined, since libpg_query.a exports its own).
#include "kernel/base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coppice {

std::uint64_t xxh3_64(ByteView bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 xxh3_128(ByteView bytes, std::uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

}  // namespace coppice
