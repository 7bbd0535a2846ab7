// block_columns.h — some columns of one block set of a row file, ready for vector operators.
//
// Role:     shared by scans and by the cursor of compaction. Narrow columns stay encoded, in place;
//           wide ones become views into decompressed chunks.
// Parks:    where the block source does: once for keys and narrow blocks, once for chunks, then
//           for long values.
#pragma once

#include <span>
#include <vector>

#include "modules/lsm/sstable/row_file_builder.h"
#include "modules/lsm/sstable/row_file_reader.h"

namespace coppice::lsm {

struct BlockColumns {
  RowFileReader::Entry entry;
  LoadedBlockRef keys;          // null: dense, one timestamp, all rows whole
  std::vector<Vector> columns;  // as asked for; of size 0 where no row has the group,
                                // constant if the column is younger than the file
  std::vector<Zone> zones;

  const KeyBlock* key_block() const { return keys == nullptr ? nullptr : &keys->keys(); }
};

// `columns` are positions in `schema`; a column younger than the block is constant.
Status load_columns(const RowFileReader& file, std::uint32_t block, const TableSchema& schema,
                    std::span<const std::uint32_t> columns, BlockSource& source, BlockColumns& to);

// The chunks of a wide column of a block, to be kept by reference in a file that rewrites the other
// columns of exactly these rows. kNotFound if the column is not wide there.
Result<KeptChunks> kept_chunks(const RowFileReader& file, std::uint32_t block, ColumnId column,
                               std::uint32_t group, BlockSource& source);

}  // namespace coppice::lsm
