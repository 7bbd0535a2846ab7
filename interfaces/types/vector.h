// vector.h — up to 1,024 values of one column, read in place in the form they are stored in.
//
// Role:     the one reader of column values: blocks, memtable chunks and operators all give these.
// Owns:     nothing itself; `owner` keeps the viewed storage alive (a pinned block, an arena).
// Threads:  immutable once made.
// Holds:    the storage was validated by whoever made the vector: accessors check nothing. Values
//           at null positions are unspecified, but may be read.
#pragma once

#include <memory>
#include <span>

#include "interfaces/types/bit_packing.h"
#include "interfaces/types/datum.h"
#include "interfaces/types/selection.h"

namespace coppice {

// What keeps viewed storage alive.
using StorageOwner = std::shared_ptr<const void>;

enum class Encoding : std::uint8_t {  // the numbers are part of the disk formats
  kFlat = 0,        // fixed types: T[size], unaligned; bytes: ByteView[size], in memory only
  kConstant = 1,    // one value
  kFrame = 2,       // integers: base + bit-packed value
  kSequence = 3,    // integers: base + position * step
  kDictionary = 4,  // bit-packed codes into another vector
  kOffsets = 5,     // bytes: size + 1 bit-packed offsets into a heap
};

class Vector {
 public:
  Vector() = default;

  static Vector flat(PhysicalType type, std::uint32_t size, const void* values);
  static Vector constant(const Datum& value, std::uint32_t size);  // a null: all rows null
  static Vector frame(PhysicalType type, std::uint32_t size, Int128 base, unsigned width,
                      const std::byte* packed);
  static Vector sequence(PhysicalType type, std::uint32_t size, std::int64_t base,
                         std::int64_t step);
  static Vector dictionary(std::uint32_t size, unsigned width, const std::byte* codes,
                           const Vector* values);
  static Vector offsets(std::uint32_t size, unsigned width, const std::byte* offsets,
                        const std::byte* heap);

  // Bit i (little-endian within bytes) set: row i is null. Null: no row is.
  void set_nulls(const std::byte* bitmap) { nulls_ = bitmap; }
  void set_owner(StorageOwner owner) { owner_ = std::move(owner); }

  PhysicalType type() const { return type_; }
  Encoding encoding() const { return encoding_; }
  std::uint32_t size() const { return size_; }
  const StorageOwner& owner() const { return owner_; }

  bool has_nulls() const { return nulls_ != nullptr || all_null_; }
  bool is_null(std::uint32_t row) const {
    if (nulls_ == nullptr) return all_null_;
    return ((static_cast<unsigned>(nulls_[row / 8]) >> (row % 8)) & 1U) != 0;
  }
  const std::byte* null_bitmap() const { return nulls_; }  // null: none, or every row is null
  // Null bits of rows [64 * word, 64 * word + 64); bits beyond size() are unspecified.
  std::uint64_t null_word(std::uint32_t word) const;

  // One value. int_at: integers up to 64 bits; int128_at: all integers; float_at: both floats.
  std::int64_t int_at(std::uint32_t row) const;
  Int128 int128_at(std::uint32_t row) const;
  double float_at(std::uint32_t row) const;
  ByteView bytes_at(std::uint32_t row) const;
  Datum datum_at(std::uint32_t row) const;

  // Rows [first, first + to.size()).
  void decode(std::uint32_t first, std::span<std::int64_t> to) const;
  void decode(std::uint32_t first, std::span<Int128> to) const;
  void decode(std::uint32_t first, std::span<double> to) const;
  void decode(std::uint32_t first, std::span<ByteView> to) const;

  // The encoded form, for operators that work on it.
  Int128 base() const { return base_; }
  std::int64_t step() const { return step_; }
  unsigned width() const { return width_; }
  const std::byte* packed() const { return data_; }                 // kFrame, kDictionary
  const std::byte* flat_values() const { return data_; }            // kFlat
  const Vector& dictionary_values() const { return *dictionary_; }  // kDictionary
  std::uint32_t code_at(std::uint32_t row) const {
    return static_cast<std::uint32_t>(packed_at(data_, width_, row));
  }

 private:
  Int128 raw_at(std::uint32_t row) const;  // fixed types: value or bit pattern
  template <class T>
  void decode_integers(std::uint32_t first, std::span<T> to) const;

  PhysicalType type_ = PhysicalType::kInt64;
  Encoding encoding_ = Encoding::kConstant;
  std::uint8_t width_ = 0;
  bool all_null_ = false;
  std::uint32_t size_ = 0;
  const std::byte* nulls_ = nullptr;
  const std::byte* data_ = nullptr;  // flat values, packed bits, or a constant's bytes
  const std::byte* heap_ = nullptr;  // kOffsets
  const Vector* dictionary_ = nullptr;
  Int128 base_ = 0;  // a constant's value or bit pattern, or the length of its bytes
  std::int64_t step_ = 0;
  StorageOwner owner_;
};

}  // namespace coppice
