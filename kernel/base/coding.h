// coding.h — ByteWriter and ByteReader: how headers, records and manifests are put into bytes.
//
// Role:     little-endian fixed integers, LEB128 varints, length-prefixed byte strings.
// Owns:     nothing; a writer appends to the caller's buffer, a reader views the caller's bytes.
// Errors:   a reader past its end, or given a varint that is too long, fails for good: every later
//           read gives zero or nothing, and ok() is false. Check ok() once, at the end, and before
//           trusting a count. It never reads out of bounds and never allocates.
#pragma once

#include "kernel/base/bytes.h"

namespace coppice {

class ByteWriter {
 public:
  explicit ByteWriter(ByteBuffer& to) : to_(to) {}

  void u8(std::uint8_t value) { fixed(value); }
  void u16(std::uint16_t value) { fixed(value); }
  void u32(std::uint32_t value) { fixed(value); }
  void u64(std::uint64_t value) { fixed(value); }
  void varint(std::uint64_t value);
  void bytes(ByteView value) { append(to_, value); }
  void sized_bytes(ByteView value) {  // varint length, then the bytes
    varint(value.size());
    bytes(value);
  }
  void sized_text(std::string_view value) { sized_bytes(as_bytes(value)); }
  void zeros(std::size_t count) { to_.resize(to_.size() + count); }
  std::size_t size() const { return to_.size(); }

 private:
  template <class T>
  void fixed(T value) {
    const std::size_t at = to_.size();
    to_.resize(at + sizeof value);
    store_le(to_.data() + at, value);
  }
  ByteBuffer& to_;
};

class ByteReader {
 public:
  explicit ByteReader(ByteView from) : from_(from) {}

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }
  std::uint64_t varint();
  ByteView bytes(std::uint64_t count);  // views the input; empty on failure
  ByteView sized_bytes() { return bytes(varint()); }
  std::string_view sized_text() { return as_text(sized_bytes()); }

  // A count read from outside is believable only if that many items of `item_bytes` still fit.
  std::uint64_t count(std::size_t item_bytes);

  bool ok() const { return ok_; }
  bool done() const { return ok_ && at_ == from_.size(); }
  std::size_t position() const { return at_; }
  std::size_t remaining() const { return from_.size() - at_; }
  void fail() {
    ok_ = false;
    at_ = from_.size();
  }

 private:
  template <class T>
  T fixed() {
    if (remaining() < sizeof(T)) {
      fail();
      return 0;
    }
    const T value = load_le<T>(from_.data() + at_);
    at_ += sizeof(T);
    return value;
  }
  ByteView from_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace coppice
