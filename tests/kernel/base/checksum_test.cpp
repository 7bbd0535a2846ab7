// checksum_test.cpp — the checksum of the disk formats may never change.
#include "kernel/base/checksum.h"

#include <doctest/doctest.h>

using namespace coppice;

TEST_CASE("XXH3 gives the published values") {  // xxhash's own test vectors for empty input
  CHECK(xxh3_64({}) == 0x2d06800538d394c2);
  CHECK(xxh3_128({}) == Hash128{0x6001c324468d497f, 0x99aa06d3014798d8});
}

TEST_CASE("the seed matters and every bit matters") {
  ByteBuffer block(4096, std::byte{0x5a});
  const std::uint64_t before = xxh3_64(block, 1);
  CHECK(before != xxh3_64(block, 2));
  for (const std::size_t at : {0U, 1U, 2047U, 4095U}) {
    block[at] ^= std::byte{0x10};
    CHECK(xxh3_64(block, 1) != before);
    block[at] ^= std::byte{0x10};
  }
}
