// vector_buffer.h — a column being made, row by row or vector by vector.
//
// Role:     memtable chunks, block builders and operators append here and read through view().
// Owns:     its values, and copies of the bytes appended (their addresses stay until clear()).
// Threads:  one at a time.
#pragma once

#include <memory>
#include <vector>

#include "interfaces/types/vector.h"
#include "kernel/base/assert.h"

namespace coppice {

class VectorBuffer {
 public:
  explicit VectorBuffer(PhysicalType type) : type_(type) {}

  void append(const Datum& value);  // null, or of this buffer's type
  void append_null();
  void append(const Vector& from, std::uint32_t first, std::uint32_t count);
  void append_views(std::span<const ByteView> values);  // kBytes: not copied, caller keeps alive
  void append_bytes(ByteView value);                    // kBytes: copied
  void append_empty(std::uint32_t count);               // kBytes: empty values, for rows unread
  // Fixed types: `count` values for the caller to fill; the pointer is good until the next append.
  template <class T>
  T* append_values(std::uint32_t count) {
    COPPICE_ASSERT(sizeof(T) == fixed_bytes(type_));
    grow_nulls(count);
    return reinterpret_cast<T*>(grow_fixed(count));
  }
  void set_null(std::uint32_t row);  // of a row appended before, not null yet
  void clear();                      // keeps memory for the next rows

  PhysicalType type() const { return type_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t null_count() const { return null_count_; }
  std::size_t heap_bytes() const { return heap_bytes_; }  // kBytes: bytes of all values
  std::size_t memory_bytes() const;

  bool is_null(std::uint32_t row) const {
    return ((static_cast<unsigned>(nulls_[row / 8]) >> (row % 8)) & 1U) != 0;
  }
  ByteView null_bitmap() const { return nulls_; }
  Vector view() const;  // flat; valid until the next append or clear

 private:
  struct Slab {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  std::byte* grow_fixed(std::uint32_t count);
  void grow_nulls(std::uint32_t count);
  ByteView keep(ByteView value);

  PhysicalType type_;
  std::uint32_t size_ = 0;
  std::uint32_t null_count_ = 0;
  std::size_t heap_bytes_ = 0;
  ByteBuffer nulls_;
  ByteBuffer fixed_;             // fixed types
  std::vector<ByteView> views_;  // kBytes
  std::vector<Slab> slabs_;
  std::size_t slab_used_ = 0;  // of the last slab
};

}  // namespace coppice
