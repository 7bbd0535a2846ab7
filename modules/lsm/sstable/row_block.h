// row_block.h — up to 1,024 rows in columns: the block of which row files are made.
//
// Role:     group blocks, key blocks, history and index blocks all have this form; they differ in
//           their columns (docs/formats/sstable.md, "Row blocks").
// Owns:     a writer, the columns being filled; a RowBlock, decoder state over bytes that its maker
//           keeps alive. Moving a RowBlock keeps the addresses that its vectors hold.
// Threads:  a RowBlock is immutable.   Parks: never.
// Errors:   kCorruption naming file and offset.
#pragma once

#include <span>
#include <vector>

#include "modules/lsm/sstable/block_format.h"
#include "modules/lsm/sstable/minipage.h"

namespace coppice::lsm {

inline constexpr std::uint32_t kRowBlockMagic = 0x31425243;  // "CRB1"
inline constexpr std::uint32_t kRowBlockHeaderBytes = 40;
inline constexpr std::uint32_t kBlockColumnsMax = kColumnsMax + 256;

struct RowBlockInfo {
  BlockKind kind = BlockKind::kGroup;
  std::uint8_t group = 0;
  std::uint32_t schema_version = 0;
  Egid first_egid = 0;
};

// The block under construction. Columns are added whole, then finish() seals it for its place.
class RowBlockWriter {
 public:
  RowBlockWriter(const RowBlockInfo& info, std::uint32_t rows, std::uint32_t columns);

  // Gives the zone that the column's header got.
  const MinipageHeader& add(ColumnId id, const VectorBuffer& values);
  const MinipageHeader& add_wide(ColumnId id, const VectorBuffer& nulls,
                                 const WideDirectoryWriter& directory, const Zone& zone);
  ByteBuffer finish();  // still unsealed: seal_block() when its place is known

 private:
  MinipageHeader& begin(ColumnId id, std::uint32_t size);
  void end(MinipageHeader& header);

  std::uint32_t rows_;
  std::uint32_t columns_;
  std::vector<MinipageHeader> headers_;
  ByteBuffer bytes_;
};

class RowBlock {
 public:
  // Checks the checksum and everything that reading relies on. Views `bytes`.
  static Result<RowBlock> open(const BlockRef& at, ByteView bytes,
                               Verify verify = Verify::kChecksum);

  const RowBlockInfo& info() const { return info_; }
  std::uint32_t rows() const { return rows_; }
  std::span<const Minipage> columns() const { return columns_; }
  const Minipage* find(ColumnId id) const;  // null: written before the column existed
  std::size_t memory_bytes() const { return sizeof *this + columns_.size() * sizeof(Minipage); }

 private:
  RowBlockInfo info_;
  std::uint32_t rows_ = 0;
  std::vector<Minipage> columns_;  // never resized once open
};

}  // namespace coppice::lsm
