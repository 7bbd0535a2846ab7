#include "modules/lsm/sstable/wide_directory.h"

#include <algorithm>

#include "interfaces/types/selection.h"
#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

template <class Item, class Field>
void append_field(const std::vector<Item>& items, Field field, ByteBuffer& to) {
  std::vector<std::uint64_t> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(static_cast<std::uint64_t>(item.*field));
  append_packed_column(values, to);
}

// Strictly ascending and below `rows`.
bool is_ascending(const PackedColumn& column, std::uint32_t count, std::uint32_t rows) {
  for (std::uint32_t i = 0; i < count; ++i)
    if (column.at(i) >= rows || (i > 0 && column.at(i) <= column.at(i - 1))) return false;
  return true;
}
bool is_below(const PackedColumn& column, std::uint32_t count, std::uint64_t limit) {
  for (std::uint32_t i = 0; i < count; ++i)
    if (column.at(i) >= limit) return false;
  return true;
}

constexpr std::uint64_t kLengthLimit = std::uint64_t{1} << 32;
constexpr std::uint64_t kOffsetLimit = std::uint64_t{1} << 56;

}  // namespace

void WideDirectoryWriter::clear() {
  chunks_.clear();
  overflows_.clear();
}

void WideDirectoryWriter::append_to(ByteBuffer& to) const {
  COPPICE_ASSERT(chunks_.size() <= kVectorRows && overflows_.size() <= kVectorRows);
  ByteWriter writer(to);
  writer.u16(static_cast<std::uint16_t>(chunks_.size()));
  writer.u16(static_cast<std::uint16_t>(overflows_.size()));
  append_field(chunks_, &ChunkPlace::first_row, to);
  append_field(chunks_, &ChunkPlace::extent, to);
  append_field(chunks_, &ChunkPlace::offset, to);
  append_field(chunks_, &ChunkPlace::length, to);
  if (overflows_.empty()) return;
  append_field(overflows_, &OverflowPlace::row, to);
  append_field(overflows_, &OverflowPlace::extent, to);
  append_field(overflows_, &OverflowPlace::offset, to);
  append_field(overflows_, &OverflowPlace::length, to);
  append_field(overflows_, &OverflowPlace::value_bytes, to);
  append_field(overflows_, &OverflowPlace::chain, to);
}

std::optional<WideDirectory> WideDirectory::read(ByteView bytes, std::uint32_t rows) {
  ByteReader reader(bytes);
  WideDirectory directory;
  const std::uint32_t chunks = directory.chunks_ = reader.u16();
  const std::uint32_t overflows = directory.overflows_ = reader.u16();
  directory.first_row_ = PackedColumn::read(reader, chunks);
  directory.extent_ = PackedColumn::read(reader, chunks);
  directory.offset_ = PackedColumn::read(reader, chunks);
  directory.length_ = PackedColumn::read(reader, chunks);
  if (overflows != 0) {
    directory.o_row_ = PackedColumn::read(reader, overflows);
    directory.o_extent_ = PackedColumn::read(reader, overflows);
    directory.o_offset_ = PackedColumn::read(reader, overflows);
    directory.o_length_ = PackedColumn::read(reader, overflows);
    directory.o_bytes_ = PackedColumn::read(reader, overflows);
    directory.o_chain_ = PackedColumn::read(reader, overflows);
  }
  if (!reader.done() || chunks == 0) return std::nullopt;
  if (!is_ascending(directory.first_row_, chunks, rows) || directory.first_row_.at(0) != 0)
    return std::nullopt;
  if (!is_below(directory.extent_, chunks, UINT16_MAX) ||
      !is_below(directory.offset_, chunks, kOffsetLimit) ||
      !is_below(directory.length_, chunks, kLengthLimit))
    return std::nullopt;
  if (overflows != 0 && (!is_ascending(directory.o_row_, overflows, rows) ||
                         !is_below(directory.o_extent_, overflows, UINT16_MAX) ||
                         !is_below(directory.o_offset_, overflows, kOffsetLimit) ||
                         !is_below(directory.o_length_, overflows, kLengthLimit) ||
                         !is_below(directory.o_bytes_, overflows, kLengthLimit) ||
                         !is_below(directory.o_chain_, overflows, 2)))
    return std::nullopt;
  return directory;
}

ChunkPlace WideDirectory::chunk(std::uint32_t i) const {
  COPPICE_DEBUG_ASSERT(i < chunks_);
  return {static_cast<std::uint32_t>(first_row_.at(i)), static_cast<std::uint32_t>(extent_.at(i)),
          offset_.at(i), static_cast<std::uint32_t>(length_.at(i))};
}

std::uint32_t WideDirectory::chunk_of(std::uint32_t row) const {
  std::uint32_t low = 0;  // the last chunk whose first row is not above `row`
  std::uint32_t count = chunks_;
  while (count > 1) {
    const std::uint32_t half = count / 2;
    if (first_row_.at(low + half) <= row) {
      low += half;
      count -= half;
    } else {
      count = half;
    }
  }
  return low;
}

OverflowPlace WideDirectory::overflow(std::uint32_t i) const {
  COPPICE_DEBUG_ASSERT(i < overflows_);
  return {static_cast<std::uint32_t>(o_row_.at(i)),
          static_cast<std::uint32_t>(o_extent_.at(i)),
          o_offset_.at(i),
          static_cast<std::uint32_t>(o_length_.at(i)),
          o_bytes_.at(i),
          o_chain_.at(i) != 0};
}

std::optional<OverflowPlace> WideDirectory::find_overflow(std::uint32_t row) const {
  std::uint32_t low = 0;
  std::uint32_t high = overflows_;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (o_row_.at(middle) < row)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == overflows_ || o_row_.at(low) != row) return std::nullopt;
  return overflow(low);
}

}  // namespace coppice::lsm
