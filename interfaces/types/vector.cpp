// vector.cpp — access to the stored forms of a column.
#include "interfaces/types/vector.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice {
namespace {

template <class T>
T load_flat(const std::byte* values, std::uint32_t row) {
  T value;
  std::memcpy(&value, values + std::size_t{row} * sizeof(T), sizeof(T));
  return value;
}

// Integers by value, floats by bit pattern.
Int128 load_fixed(PhysicalType type, const std::byte* values, std::uint32_t row) {
  switch (type) {
    case PhysicalType::kBool:
      return load_flat<std::uint8_t>(values, row);
    case PhysicalType::kInt16:
      return load_flat<std::int16_t>(values, row);
    case PhysicalType::kInt32:
      return load_flat<std::int32_t>(values, row);
    case PhysicalType::kInt64:
      return load_flat<std::int64_t>(values, row);
    case PhysicalType::kInt128:
      return load_flat<Int128>(values, row);
    case PhysicalType::kFloat32:
      return load_flat<std::uint32_t>(values, row);
    case PhysicalType::kFloat64:
      return static_cast<Int128>(load_flat<std::uint64_t>(values, row));
    case PhysicalType::kBytes:
      break;
  }
  unreachable();
}

template <class From, class To>
void widen(const std::byte* values, std::uint32_t first, std::span<To> to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<To>(load_flat<From>(values, first + static_cast<std::uint32_t>(i)));
}

template <class To>
void widen_flat(PhysicalType type, const std::byte* values, std::uint32_t first, std::span<To> to) {
  switch (type) {
    case PhysicalType::kBool:
      return widen<std::uint8_t>(values, first, to);
    case PhysicalType::kInt16:
      return widen<std::int16_t>(values, first, to);
    case PhysicalType::kInt32:
      return widen<std::int32_t>(values, first, to);
    case PhysicalType::kInt64:
      return widen<std::int64_t>(values, first, to);
    case PhysicalType::kInt128:
      return widen<Int128>(values, first, to);
    default:
      unreachable();
  }
}

}  // namespace

Vector Vector::flat(PhysicalType type, std::uint32_t size, const void* values) {
  Vector vector;
  vector.type_ = type;
  vector.encoding_ = Encoding::kFlat;
  vector.size_ = size;
  vector.data_ = static_cast<const std::byte*>(values);
  return vector;
}

Vector Vector::constant(const Datum& value, std::uint32_t size) {
  Vector vector;
  vector.type_ = value.type;
  vector.encoding_ = Encoding::kConstant;
  vector.size_ = size;
  vector.all_null_ = value.null;
  vector.base_ = value.bits;
  if (is_bytes(value.type) && !value.null) {
    vector.data_ = value.bytes.data();
    vector.base_ = static_cast<Int128>(value.bytes.size());
  }
  return vector;
}

Vector Vector::frame(PhysicalType type, std::uint32_t size, Int128 base, unsigned width,
                     const std::byte* packed) {
  COPPICE_ASSERT(is_integer(type) && is_packable_width(width));
  Vector vector;
  vector.type_ = type;
  vector.encoding_ = Encoding::kFrame;
  vector.size_ = size;
  vector.width_ = static_cast<std::uint8_t>(width);
  vector.base_ = base;
  vector.data_ = packed;
  return vector;
}

Vector Vector::sequence(PhysicalType type, std::uint32_t size, std::int64_t base,
                        std::int64_t step) {
  COPPICE_ASSERT(is_integer(type));
  Vector vector;
  vector.type_ = type;
  vector.encoding_ = Encoding::kSequence;
  vector.size_ = size;
  vector.base_ = base;
  vector.step_ = step;
  return vector;
}

Vector Vector::dictionary(std::uint32_t size, unsigned width, const std::byte* codes,
                          const Vector* values) {
  COPPICE_ASSERT(is_packable_width(width) && values->encoding() != Encoding::kDictionary);
  Vector vector;
  vector.type_ = values->type();
  vector.encoding_ = Encoding::kDictionary;
  vector.size_ = size;
  vector.width_ = static_cast<std::uint8_t>(width);
  vector.data_ = codes;
  vector.dictionary_ = values;
  return vector;
}

Vector Vector::offsets(std::uint32_t size, unsigned width, const std::byte* offsets,
                       const std::byte* heap) {
  COPPICE_ASSERT(is_packable_width(width));
  Vector vector;
  vector.type_ = PhysicalType::kBytes;
  vector.encoding_ = Encoding::kOffsets;
  vector.size_ = size;
  vector.width_ = static_cast<std::uint8_t>(width);
  vector.data_ = offsets;
  vector.heap_ = heap;
  return vector;
}

std::uint64_t Vector::null_word(std::uint32_t word) const {
  if (nulls_ == nullptr) return all_null_ ? ~std::uint64_t{0} : 0;
  std::uint64_t bits = 0;
  const std::size_t bytes = (std::size_t{size_} + 7) / 8;
  const std::size_t from = std::size_t{word} * 8;
  if (from < bytes) std::memcpy(&bits, nulls_ + from, std::min<std::size_t>(8, bytes - from));
  return bits;
}

Int128 Vector::raw_at(std::uint32_t row) const {
  switch (encoding_) {
    case Encoding::kFlat:
      return load_fixed(type_, data_, row);
    case Encoding::kConstant:
      return base_;
    case Encoding::kFrame:
      return static_cast<Int128>(static_cast<UInt128>(base_) + packed_at(data_, width_, row));
    case Encoding::kSequence:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(base_) +
                                       static_cast<std::uint64_t>(step_) * row);
    case Encoding::kDictionary:
      return dictionary_->raw_at(code_at(row));
    case Encoding::kOffsets:
      break;
  }
  unreachable();
}

std::int64_t Vector::int_at(std::uint32_t row) const {
  if (encoding_ == Encoding::kFrame)  // the common one, without 128-bit arithmetic
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(base_) +
                                     packed_at(data_, width_, row));
  return static_cast<std::int64_t>(raw_at(row));
}

Int128 Vector::int128_at(std::uint32_t row) const {
  return raw_at(row);
}

double Vector::float_at(std::uint32_t row) const {
  return Datum{type_, false, raw_at(row), {}}.as_float();
}

ByteView Vector::bytes_at(std::uint32_t row) const {
  switch (encoding_) {
    case Encoding::kFlat:
      return load_flat<ByteView>(data_, row);
    case Encoding::kConstant:
      return {data_, static_cast<std::size_t>(base_)};
    case Encoding::kDictionary:
      return dictionary_->bytes_at(code_at(row));
    case Encoding::kOffsets: {
      const std::uint64_t from = packed_at(data_, width_, row);
      return {heap_ + from, packed_at(data_, width_, row + std::size_t{1}) - from};
    }
    case Encoding::kFrame:
    case Encoding::kSequence:
      break;
  }
  unreachable();
}

Datum Vector::datum_at(std::uint32_t row) const {
  if (is_null(row)) return Datum::null_of(type_);
  if (is_bytes(type_)) return Datum::of(bytes_at(row));
  return {type_, false, raw_at(row), {}};
}

template <class T>
void Vector::decode_integers(std::uint32_t first, std::span<T> to) const {
  switch (encoding_) {
    case Encoding::kFlat:
      return widen_flat(type_, data_, first, to);
    case Encoding::kConstant:
      std::ranges::fill(to, static_cast<T>(base_));
      return;
    case Encoding::kFrame:
      if constexpr (sizeof(T) == 8)
        return unpack(data_, width_, first, static_cast<std::uint64_t>(base_),
                      {reinterpret_cast<std::uint64_t*>(to.data()), to.size()});
      break;
    case Encoding::kSequence:
    case Encoding::kDictionary:
      break;
    case Encoding::kOffsets:
      unreachable();
  }
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<T>(raw_at(first + static_cast<std::uint32_t>(i)));
}

void Vector::decode(std::uint32_t first, std::span<std::int64_t> to) const {
  decode_integers(first, to);
}
void Vector::decode(std::uint32_t first, std::span<Int128> to) const {
  decode_integers(first, to);
}
void Vector::decode(std::uint32_t first, std::span<double> to) const {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = float_at(first + static_cast<std::uint32_t>(i));
}
void Vector::decode(std::uint32_t first, std::span<ByteView> to) const {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = bytes_at(first + static_cast<std::uint32_t>(i));
}

}  // namespace coppice
