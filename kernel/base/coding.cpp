// coding.cpp — varints and bounded reads.
#include "kernel/base/coding.h"

namespace coppice {

void ByteWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    u8(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  u8(static_cast<std::uint8_t>(value));
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    if (!ok_) return 0;
    if (shift == 63 && byte > 1) break;  // would not fit in 64 bits
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail();
  return 0;
}

ByteView ByteReader::bytes(std::uint64_t count) {
  if (count > remaining()) {
    fail();
    return {};
  }
  const ByteView view = from_.subspan(at_, count);
  at_ += count;
  return view;
}

std::uint64_t ByteReader::count(std::size_t item_bytes) {
  const std::uint64_t n = varint();
  if (item_bytes != 0 && n > remaining() / item_bytes) {
    fail();
    return 0;
  }
  return n;
}

}  // namespace coppice
