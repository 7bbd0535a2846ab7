// row_keys.cpp — by physical value where equal means equal bits, else by order-preserving key.
#include "modules/executor/values/row_keys.h"

#include "interfaces/types/sql_error.h"
#include "kernel/base/checksum.h"

namespace coppice::executor {

namespace {

constexpr std::byte kNullMark{0}, kValueMark{1};

Result<const SqlType*> comparable(TypeOid oid, const Execution& execution) {
  const SqlType* const type = COPPICE_TRY(execution.type(oid));
  if (type->info().equality == Equality::kNone)
    return std::unexpected(
        sql_error(sqlstate::kUndefinedFunction,
                  "could not identify an equality operator for type " + type->info().display_name));
  return type;
}

template <class T>
void append_raw(ByteBuffer& to, T value) {
  const std::size_t at = to.size();
  to.resize(at + sizeof(T));
  std::memcpy(to.data() + at, &value, sizeof(T));
}

}  // namespace

Result<RowKeys> RowKeys::make(std::span<const TypeOid> types, const Execution& execution) {
  RowKeys keys;
  for (const TypeOid oid : types) {
    const SqlType* const type = COPPICE_TRY(comparable(oid, execution));
    keys.types_.push_back(type);
  }
  return keys;
}

void RowKeys::append(const SqlType& type, const Vector& values, std::uint32_t row,
                     EncodedKeys& to) const {
  if (values.is_null(row)) {
    to.bytes.push_back(kNullMark);
    to.has_null.back() = 1;
    return;
  }
  if (type.info().equality == Equality::kByKey) {
    KeyWriter writer(to.bytes);
    type.write_key(values, row, KeyOrder::ascending_nulls_last(), writer);
    return;
  }
  to.bytes.push_back(kValueMark);
  if (is_bytes(values.type())) {
    const ByteView value = values.bytes_at(row);
    append_raw(to.bytes, static_cast<std::uint32_t>(value.size()));
    coppice::append(to.bytes, value);
  } else if (values.type() == PhysicalType::kInt128) {
    append_raw(to.bytes, values.int128_at(row));
  } else if (is_float(values.type())) {
    append_raw(to.bytes, static_cast<std::uint64_t>(values.datum_at(row).bits));
  } else {
    append_raw(to.bytes, values.int_at(row));
  }
}

void RowKeys::encode(std::span<const Vector> columns, const Selection& rows,
                     EncodedKeys& to) const {
  COPPICE_ASSERT(columns.size() == types_.size());
  to.bytes.clear();
  to.ends.clear();
  to.hashes.clear();
  to.has_null.clear();
  rows.for_each([&](std::uint32_t row) {
    const std::size_t from = to.bytes.size();
    to.has_null.push_back(0);
    for (std::size_t i = 0; i < columns.size(); ++i) append(*types_[i], columns[i], row, to);
    to.ends.push_back(static_cast<std::uint32_t>(to.bytes.size()));
    to.hashes.push_back(xxh3_64(ByteView(to.bytes).subspan(from)));
  });
}

Result<TypeEquality> TypeEquality::make(TypeOid type, const Execution& execution) {
  TypeEquality equality;
  equality.type_ = COPPICE_TRY(comparable(type, execution));
  return equality;
}

bool TypeEquality::equal(const Vector& a, std::uint32_t a_row, const Vector& b,
                         std::uint32_t b_row) {
  if (type_->info().equality == Equality::kByKey) {
    a_key_.clear();
    b_key_.clear();
    KeyWriter a_writer(a_key_), b_writer(b_key_);
    type_->write_key(a, a_row, KeyOrder::ascending_nulls_last(), a_writer);
    type_->write_key(b, b_row, KeyOrder::ascending_nulls_last(), b_writer);
    return compare_keys(a_key_, b_key_) == 0;
  }
  if (is_bytes(a.type())) return as_text(a.bytes_at(a_row)) == as_text(b.bytes_at(b_row));
  return a.datum_at(a_row).bits == b.datum_at(b_row).bits;
}

}  // namespace coppice::executor
