// row_file_cursor.h — every version of every row of a file, in egid order: what compaction merges.
//
// Owns:     the blocks it stands on.
// Threads:  one at a time.   Parks: next().
#pragma once

#include <deque>

#include "modules/lsm/sstable/block_columns.h"
#include "modules/lsm/sstable/history_block.h"
#include "modules/lsm/sstable/row_versions.h"

namespace coppice::lsm {

class RowFileCursor {
 public:
  // `schema` is the one to give values in: at least as new as the file's. Both outlive the cursor.
  RowFileCursor(const RowFileReader& file, const TableSchema& schema, const FileClip& clip = {});

  // Moves to the next row that has a version within the clip; false at the end. Parks.
  Result<bool> next(BlockSource& source);
  Egid egid() const { return egid_; }
  // Newest first; values live until the next call of next().
  const std::vector<StoredVersion>& versions() const { return versions_; }

 private:
  Result<bool> load_next_block(BlockSource& source);
  void add_newest(std::uint32_t row);
  Status add_older(BlockSource& source);
  Status add_older_version(std::uint32_t row, BlockSource& source);

  const RowFileReader& file_;
  const TableSchema& schema_;
  FileClip clip_;
  std::vector<std::uint32_t> columns_;
  std::uint32_t next_block_ = 0;
  BlockColumns block_;
  std::uint32_t row_ = 0;  // next of the block
  bool has_block_ = false;
  LoadedBlockRef history_;  // block being read
  std::uint32_t next_history_ = 0;
  bool has_history_position_ = false;
  std::uint32_t history_row_ = 0;
  Egid egid_ = 0;
  std::vector<StoredVersion> versions_;
  std::vector<StorageOwner> owners_;  // of the versions' bytes
  std::deque<ByteBuffer> copies_;
};

}  // namespace coppice::lsm
