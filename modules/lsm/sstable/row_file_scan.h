// row_file_scan.h — the rows of a file in egid order, either way, a batch of a block at a time.
//
// Role:     full scans. Rows whose newest version here settles them come as vectors, in place; the
//           few that need an older version or another file are named, for a RowFetch.
// Threads:  one at a time.   Parks: next().
#pragma once

#include "modules/lsm/sstable/block_columns.h"

namespace coppice::lsm {

struct ScanBatch {
  RowBatch batch;            // selection: visible, not deleted, every wanted group present
  std::vector<Egid> others;  // rows that must be fetched instead
  std::vector<Zone> zones;   // of the batch's columns, all versions of the block
};

class RowFileScan {
 public:
  enum class Direction : std::uint8_t { kForward, kBackward };  // of blocks; rows always ascend

  // Rows in [clip.from, clip.to]. `schema` and `file` outlive the scan.
  RowFileScan(const RowFileReader& file, const TableSchema& schema,
              std::span<const std::uint32_t> columns, Hlc read_at, const FileClip& clip = {},
              Direction direction = Direction::kForward);

  // False at the end.
  Result<bool> next(BlockSource& source, ScanBatch& to);

 private:
  void select(const BlockColumns& block, ScanBatch& to) const;

  const RowFileReader& file_;
  const TableSchema& schema_;
  std::vector<std::uint32_t> columns_;
  GroupMask wanted_ = 0;
  Hlc read_at_;
  FileClip clip_;
  Direction direction_;
  std::uint32_t next_ = 0;  // blocks [next_, end_) are still to come
  std::uint32_t end_ = 0;
};

}  // namespace coppice::lsm
