// checksum.h — XXH3, the one checksum and hash of bytes (xxhash 0.8, seen by checksum.cpp alone).
//
// Threads:  any.   Parks: never.
// Source:   https://xxhash.com — XXH3-64 and XXH3-128, part of the disk formats since version 1.
#pragma once

#include "kernel/base/bytes.h"

namespace coppice {

std::uint64_t xxh3_64(ByteView bytes, std::uint64_t seed = 0);

struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};
Hash128 xxh3_128(ByteView bytes, std::uint64_t seed = 0);

}  // namespace coppice
