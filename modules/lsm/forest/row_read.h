// row_read.h — RowRead: the rows of one table at one view; looks rows up by egid.
//
// Role:     newest source first: own writes, memtables, level 0, last level. One read gets the
//           blocks of all of them.
// Owns:     the tree version that it took; nothing of the view.
// Threads:  one at a time.   Parks: fetch() and newest(), once for all blocks that are not cached.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modules/lsm/forest/batch_builder.h"
#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/write_set.h"

namespace coppice::lsm {

class RowRead {
 public:
  // `table` may be null: created by the view's own transaction.
  RowRead(const FileStore& store, const ReadView& view, TableRef ref, TablePtr table,
          DefinitionRef definition);

  const TableSchema& schema() const { return definition_->schema; }
  const DefinitionRef& definition() const { return definition_; }
  const RowTreeVersion* tree() const { return tree_.get(); }  // null: none
  const std::optional<ForestWriteSet::OwnTable>& own() const { return own_; }
  Hlc read_at() const { return read_at_; }
  IoClass io_class() const { return io_class_; }
  BlockSource& blocks() { return blocks_; }

  // kInvalidArgument if the table has no such column.
  Result<std::vector<std::uint32_t>> positions(std::span<const ColumnId> columns) const;
  // Those of the ascending `rows` that exist, with their egids.
  Result<RowBatch> fetch(std::span<const Egid> rows, std::span<const std::uint32_t> columns);

 private:
  bool append_own(Egid row, std::span<const std::uint32_t> columns, BatchBuilder& to) const;

  DefinitionRef definition_;
  TablePtr table_;
  RowTreeRef tree_;
  std::optional<ForestWriteSet::OwnTable> own_;
  Hlc read_at_;
  IoClass io_class_;
  StoredRowBlocks blocks_;
};

// Lets every source claim what it has of the rows.
Status claim_all(const RowTreeVersion& tree, RowFetch& fetch, BlockSource& blocks);

}  // namespace coppice::lsm
