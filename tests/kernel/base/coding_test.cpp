// coding_test.cpp — what a writer wrote a reader reads; anything else fails and stays failed.
#include "kernel/base/coding.h"

#include <doctest/doctest.h>

#include "kernel/base/random.h"

using namespace coppice;

TEST_CASE("integers, varints and strings round trip") {
  Rng rng(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t number = rng.next() >> rng.below(64);
    ByteBuffer buffer;
    ByteWriter writer(buffer);
    writer.u8(7);
    writer.u16(0xbeef);
    writer.u32(0xdeadbeef);
    writer.varint(number);
    writer.u64(number);
    writer.sized_text("coppice");
    ByteReader reader(buffer);
    CHECK(reader.u8() == 7);
    CHECK(reader.u16() == 0xbeef);
    CHECK(reader.u32() == 0xdeadbeef);
    CHECK(reader.varint() == number);
    CHECK(reader.u64() == number);
    CHECK(reader.sized_text() == "coppice");
    CHECK(reader.done());
  }
}

TEST_CASE("every truncation fails, and a failed reader gives nothing more") {
  ByteBuffer buffer;
  ByteWriter writer(buffer);
  writer.u32(1);
  writer.varint(UINT64_MAX);
  writer.sized_text("abc");
  for (std::size_t cut = 0; cut < buffer.size(); ++cut) {
    ByteReader reader(ByteView(buffer).first(cut));
    reader.u32();
    reader.varint();
    reader.sized_bytes();
    CHECK_FALSE(reader.ok());
    CHECK(reader.u8() == 0);
    CHECK(reader.remaining() == 0);
  }
}

TEST_CASE("a varint of more than 64 bits is refused") {
  const ByteBuffer eleven(11, std::byte{0xff});
  ByteReader reader{ByteView(eleven)};
  CHECK(reader.varint() == 0);
  CHECK_FALSE(reader.ok());
  ByteBuffer ten(10, std::byte{0xff});
  ten[9] = std::byte{0x02};
  ByteReader overflow{ByteView(ten)};
  overflow.varint();
  CHECK_FALSE(overflow.ok());
}

TEST_CASE("a count that cannot fit is refused before anything is allocated for it") {
  ByteBuffer buffer;
  ByteWriter writer(buffer);
  writer.varint(1'000'000);
  writer.zeros(16);
  ByteReader reader{ByteView(buffer)};
  CHECK(reader.count(8) == 0);
  CHECK_FALSE(reader.ok());
}

TEST_CASE("big-endian stores order like numbers") {
  std::byte a[8];
  std::byte b[8];
  store_be<std::uint64_t>(a, 0x0102030405060708);
  store_be<std::uint64_t>(b, 0x0102030405060709);
  CHECK(std::memcmp(a, b, 8) < 0);
  CHECK(load_be<std::uint64_t>(a) == 0x0102030405060708);
  CHECK(a[0] == std::byte{1});
}
