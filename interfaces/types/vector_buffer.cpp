// vector_buffer.cpp — how a column grows.
#include "interfaces/types/vector_buffer.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice {
namespace {

constexpr std::size_t kFirstSlabBytes = 512;
constexpr std::size_t kSlabBytes = 64_KiB;  // slabs double up to here

}  // namespace

void VectorBuffer::grow_nulls(std::uint32_t count) {
  size_ += count;
  nulls_.resize((std::size_t{size_} + 7) / 8);
}

std::byte* VectorBuffer::grow_fixed(std::uint32_t count) {
  const std::size_t at = fixed_.size();
  fixed_.resize(at + count * fixed_bytes(type_));
  return fixed_.data() + at;
}

ByteView VectorBuffer::keep(ByteView value) {
  if (value.empty()) return {};
  if (slabs_.empty() || slabs_.back().size - slab_used_ < value.size()) {
    std::size_t bytes = slabs_.empty() ? kFirstSlabBytes : slabs_.back().size * 2;
    bytes = std::max(std::min(bytes, std::size_t{kSlabBytes}), value.size());
    slabs_.push_back({std::make_unique<std::byte[]>(bytes), bytes});
    slab_used_ = 0;
  }
  std::byte* to = slabs_.back().bytes.get() + slab_used_;
  std::memcpy(to, value.data(), value.size());
  slab_used_ += value.size();
  return {to, value.size()};
}

void VectorBuffer::append_null() {
  grow_nulls(1);
  ++null_count_;
  const std::uint32_t row = size_ - 1;
  nulls_[row / 8] |= static_cast<std::byte>(1U << (row % 8));
  if (is_bytes(type_))
    views_.emplace_back();
  else
    grow_fixed(1);
}

void VectorBuffer::append(const Datum& value) {
  if (value.null) return append_null();
  COPPICE_ASSERT(value.type == type_);
  grow_nulls(1);
  if (is_bytes(type_)) {
    views_.push_back(keep(value.bytes));
    heap_bytes_ += value.bytes.size();
  } else {
    std::memcpy(grow_fixed(1), &value.bits, fixed_bytes(type_));  // little-endian: low bytes first
  }
}

void VectorBuffer::append(const Vector& from, std::uint32_t first, std::uint32_t count) {
  COPPICE_ASSERT(from.type() == type_ && first + std::size_t{count} <= from.size());
  if (!is_bytes(type_) && !from.has_nulls() && from.encoding() == Encoding::kFlat) {
    const std::size_t bytes = fixed_bytes(type_);
    std::memcpy(grow_fixed(count), from.flat_values() + first * bytes, count * bytes);
    return grow_nulls(count);
  }
  for (std::uint32_t row = first; row < first + count; ++row) append(from.datum_at(row));
}

void VectorBuffer::append_views(std::span<const ByteView> values) {
  COPPICE_ASSERT(is_bytes(type_));
  views_.insert(views_.end(), values.begin(), values.end());
  for (const ByteView value : values) heap_bytes_ += value.size();
  grow_nulls(static_cast<std::uint32_t>(values.size()));
}

void VectorBuffer::append_bytes(ByteView value) {
  COPPICE_ASSERT(is_bytes(type_));
  grow_nulls(1);
  views_.push_back(keep(value));
  heap_bytes_ += value.size();
}

void VectorBuffer::append_empty(std::uint32_t count) {
  COPPICE_ASSERT(is_bytes(type_));
  grow_nulls(count);
  views_.resize(views_.size() + count);
}

void VectorBuffer::set_null(std::uint32_t row) {
  COPPICE_ASSERT(row < size_ && !is_null(row));
  nulls_[row / 8] |= static_cast<std::byte>(1U << (row % 8));
  ++null_count_;
}

void VectorBuffer::clear() {
  size_ = 0;
  null_count_ = 0;
  heap_bytes_ = 0;
  nulls_.clear();
  fixed_.clear();
  views_.clear();
  if (slabs_.size() > 1) slabs_.erase(slabs_.begin(), slabs_.end() - 1);
  if (!slabs_.empty() && slabs_.back().size > kSlabBytes) slabs_.clear();
  slab_used_ = 0;
}

std::size_t VectorBuffer::memory_bytes() const {
  std::size_t bytes = nulls_.capacity() + fixed_.capacity() + views_.capacity() * sizeof(ByteView);
  for (const Slab& slab : slabs_) bytes += slab.size;
  return bytes;
}

Vector VectorBuffer::view() const {
  Vector vector = Vector::flat(type_, size_,
                               is_bytes(type_) ? static_cast<const void*>(views_.data())
                                               : static_cast<const void*>(fixed_.data()));
  if (null_count_ != 0) vector.set_nulls(nulls_.data());
  return vector;
}

}  // namespace coppice
