// forest.h — Forest: the storage engine over the log: commits go in, snapshots read.
//
// Role:     implements Engine for the rest of the database and StateMachine for the log. What it
//           does itself is little: it hands reads to RowRead, RowScan, IndexRead, BitmapRead and
//           IndexScan, commits to CommitBuilder, entries to Applier, and files to Keeper.
// Threads:  as interfaces/storage_engine.h says. apply() comes from the log's apply fiber.
// Parks:    reads where blocks are not cached; commit(); apply() while memtables are over their
//           share.
// Holds:    an entry is visible wholly or not at all: T_applied moves last.
#pragma once

#include <memory>

#include "interfaces/consensus.h"
#include "interfaces/storage_engine.h"
#include "kernel/core/log.h"
#include "kernel/fiber/sync.h"
#include "modules/lsm/forest/apply.h"
#include "modules/lsm/forest/bitmap_read.h"
#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/keeper.h"
#include "modules/lsm/forest/proposal.h"
#include "modules/lsm/forest/row_read.h"
#include "modules/lsm/forest/snapshots.h"

namespace coppice::lsm {

class Forest final : public Engine, public StateMachine {
 public:
  // All outlive the forest.
  Forest(Vfs& vfs, BlockCache& cache, Consensus& consensus, std::vector<const Codec*> codecs,
         const Clock& clock, const Log& log, const ForestOptions& options);
  ~Forest() override;

  // Reads the manifest, then what the log has beyond it.
  Status start();
  void stop();

  SnapshotRef snapshot() override { return snapshots_->acquire(); }
  std::unique_ptr<WriteSet> write_set(Budget& budget) override;
  Result<Hlc> commit(WriteSet& writes, bool relaxed) override;
  Result<RowBatch> fetch(const ReadView& view, TableRef table, std::span<const Egid> rows,
                         std::span<const ColumnId> columns) override;
  Result<std::unique_ptr<RowCursor>> scan(const ReadView& view, TableRef table,
                                          const ScanOptions& options) override;
  Result<RowIds> rows_of(const ReadView& view, const BitmapNode& node) override;
  Result<std::uint64_t> count_of(const ReadView& view, const BitmapNode& node) override;
  Result<std::uint64_t> estimate_of(const ReadView& view, const BitmapNode& node) override;
  Result<std::uint64_t> row_count_estimate(const ReadView& view, TableRef table) override;
  Result<std::unique_ptr<IndexCursor>> index_scan(const ReadView& view, TableRef index,
                                                  const KeyRange& range,
                                                  Direction direction) override;
  Result<std::vector<std::optional<Egid>>> find_unique(const ReadView& view, TableRef index,
                                                       std::span<const ByteView> keys) override;
  Result<std::vector<Hlc>> newest_commit(TableRef table, std::span<const Egid> rows) override;
  std::optional<TableDefinition> definition(const Snapshot& at, TableRef table) override;
  std::uint64_t epoch(TableRef table) override;
  std::uint64_t epoch_at(const Snapshot& at, TableRef table) override;
  std::vector<NamespaceId> namespaces(const Snapshot& at) override;
  Status flush() override { return keeper_.flush_all(); }
  EngineCounters counters() const override { return keeper_.counters(); }

  Status apply(const Entry& entry) override;
  Status replay_local(ByteView) override { return {}; }
  LogIndex applied_through() const override { return keeper_.replay_from(); }

  // Merges whatever can be merged; for tests.
  Status merge_all() { return keeper_.merge_all(); }

 private:
  Result<std::unique_ptr<RowRead>> open_rows(const ReadView& view, TableRef table);
  Result<std::unique_ptr<IndexRead>> open_index(const ReadView& view, TableRef index);
  BitmapRead bitmap(const ReadView& view);
  Result<RowBatch> fetch_newest(TableRef table, std::span<const Egid> rows,
                                std::span<const ColumnId> columns);

  Consensus& consensus_;
  FileStore store_;
  Tables tables_;
  std::shared_ptr<Snapshots> snapshots_;
  StampState stamps_;
  Applier applier_;
  Keeper keeper_;
  std::unique_ptr<Consensus::Attachment> attachment_;
};

}  // namespace coppice::lsm
