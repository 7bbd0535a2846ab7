// packed_column.h — a list of unsigned integers in a header: base, width, bit-packed rest.
//
// Format:   u64 base, u8 width, ceil(count * width / 8) bytes. The count is known from elsewhere.
#pragma once

#include <span>

#include "interfaces/types/bit_packing.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {

void append_packed_column(std::span<const std::uint64_t> values, ByteBuffer& to);

// Views its bytes, which must be followed by kBitPackingSlack readable ones.
class PackedColumn {
 public:
  static PackedColumn read(ByteReader& reader, std::size_t count) {  // check reader.ok()
    PackedColumn column;
    column.base_ = reader.u64();
    column.width_ = reader.u8();
    if (!is_packable_width(column.width_)) reader.fail();
    if (reader.ok()) column.packed_ = reader.bytes(packed_bytes(count, column.width_)).data();
    return column;
  }
  std::uint64_t at(std::size_t i) const { return base_ + packed_at(packed_, width_, i); }

 private:
  std::uint64_t base_ = 0;
  unsigned width_ = 0;
  const std::byte* packed_ = nullptr;
};

}  // namespace coppice::lsm
