// tuple.h — one row, or some groups of it, as bytes: what the log carries and row versions hold.
//
// Format (docs/formats/tuple.md): u8 flags (1: ends are u32, else u16), u16 count, null bitmap,
// count ends, values. Fixed types little-endian, bytes as they are, nulls take nothing. The columns
// are those of a schema version and a group mask that whoever holds the tuple remembers.
// Threads:  any.   Parks: never.
#pragma once

#include <span>

#include "interfaces/types/datum.h"
#include "kernel/base/result.h"

namespace coppice {

class TupleView {
 public:
  TupleView() = default;
  // Checks the structure; views `bytes`. kCorruption.
  static Result<TupleView> parse(ByteView bytes);

  std::uint32_t count() const { return count_; }
  // Null if `column` is null. A value whose length does not fit the type reads as null too: a
  // tuple of another schema; the caller that must know compares with is_null().
  Datum at(std::uint32_t column, PhysicalType type) const;
  bool is_null(std::uint32_t column) const {
    return ((static_cast<unsigned>(nulls_[column / 8]) >> (column % 8)) & 1U) != 0;
  }
  ByteView raw(std::uint32_t column) const {
    const std::size_t from = column == 0 ? 0 : end(column - 1);
    return values_.subspan(from, end(column) - from);
  }

 private:
  std::size_t end(std::uint32_t column) const {
    return wide_ ? load_le<std::uint32_t>(ends_ + column * std::size_t{4})
                 : load_le<std::uint16_t>(ends_ + column * std::size_t{2});
  }
  std::uint32_t count_ = 0;
  bool wide_ = false;
  const std::byte* nulls_ = nullptr;
  const std::byte* ends_ = nullptr;
  ByteView values_;
};

// Appends a tuple. kLimitExceeded above 4 GiB or 65,535 columns.
Status append_tuple(std::span<const Datum> values, ByteBuffer& to);

}  // namespace coppice
