// wide_directory.h — where the chunks of a wide column of one block are.
//
// Role:     the body of a wide column's minipage. A chunk may lie in another file (the narrow part
//           was rewritten, the wide one kept): `extent` is a position in the file's extent table.
//           Values above kInlineValueMax are not in their chunk but in an overflow chunk or chain.
// Format:   u16 chunks, u16 overflows, packed columns: first row, extent, offset, length of the
//           chunks; row, extent, offset, length, value bytes, kind of the overflows.
#pragma once

#include <optional>
#include <vector>

#include "modules/lsm/sstable/packed_column.h"

namespace coppice::lsm {

inline constexpr std::size_t kInlineValueMax = 2_KiB;
inline constexpr std::size_t kOverflowPieceBytes = 256_KiB;  // longer values are chains of these

struct ChunkPlace {
  std::uint32_t first_row = 0;  // rows up to the next chunk's first row, or the block's end
  std::uint32_t extent = 0;
  std::uint64_t offset = 0;  // from the start of the extent
  std::uint32_t length = 0;
};

struct OverflowPlace {
  std::uint32_t row = 0;
  std::uint32_t extent = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;       // of the overflow chunk, or of the chain block
  std::uint64_t value_bytes = 0;  // raw
  bool chain = false;
};

class WideDirectoryWriter {
 public:
  void add_chunk(const ChunkPlace& chunk) { chunks_.push_back(chunk); }
  void add_overflow(const OverflowPlace& overflow) { overflows_.push_back(overflow); }
  bool empty() const { return chunks_.empty(); }
  void clear();
  void append_to(ByteBuffer& to) const;

 private:
  std::vector<ChunkPlace> chunks_;
  std::vector<OverflowPlace> overflows_;
};

class WideDirectory {
 public:
  // Views `bytes` (plus slack). Nothing when it is not a directory of a block of `rows` rows.
  static std::optional<WideDirectory> read(ByteView bytes, std::uint32_t rows);

  std::uint32_t chunk_count() const { return chunks_; }
  ChunkPlace chunk(std::uint32_t i) const;
  std::uint32_t chunk_of(std::uint32_t row) const;
  std::uint32_t overflow_count() const { return overflows_; }
  OverflowPlace overflow(std::uint32_t i) const;
  std::optional<OverflowPlace> find_overflow(std::uint32_t row) const;

 private:
  std::uint32_t chunks_ = 0;
  std::uint32_t overflows_ = 0;
  PackedColumn first_row_, extent_, offset_, length_;
  PackedColumn o_row_, o_extent_, o_offset_, o_length_, o_bytes_, o_chain_;
};

}  // namespace coppice::lsm
