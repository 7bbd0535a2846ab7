// row_keys.h — rows of some columns as bytes that are equal where the rows are, by their types.
//
// Role:     what grouping, DISTINCT, hash joins and IN compare and hash.
// Holds:    integers of all widths are written alike, so that columns of int4 and int8 compare.
// Threads:  one at a time.   Parks: never.
// Errors:   42883 for a type without equality.
#pragma once

#include <span>
#include <vector>

#include "modules/executor/execution.h"

namespace coppice::executor {

// Keys of the selected rows, in order.
struct EncodedKeys {
  ByteBuffer bytes;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint8_t> has_null;

  std::size_t size() const { return ends.size(); }
  ByteView key(std::size_t i) const {
    const std::uint32_t from = i == 0 ? 0 : ends[i - 1];
    return ByteView(bytes).subspan(from, ends[i] - from);
  }
};

class RowKeys {
 public:
  static Result<RowKeys> make(std::span<const TypeOid> types, const Execution& execution);

  // One vector per type.
  void encode(std::span<const Vector> columns, const Selection& rows, EncodedKeys& to) const;

  std::size_t columns() const { return types_.size(); }

 private:
  void append(const SqlType& type, const Vector& values, std::uint32_t row, EncodedKeys& to) const;

  std::vector<const SqlType*> types_;
};

// Whether two values of a type are equal; neither may be NULL.
class TypeEquality {
 public:
  static Result<TypeEquality> make(TypeOid type, const Execution& execution);
  bool equal(const Vector& a, std::uint32_t a_row, const Vector& b, std::uint32_t b_row);

 private:
  const SqlType* type_ = nullptr;
  ByteBuffer a_key_, b_key_;
};

}  // namespace coppice::executor
