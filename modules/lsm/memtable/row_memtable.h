// row_memtable.h — the recent rows of one row tree: new ones in columns, the rest as versions.
//
// Role:     first stop of applied writes; flushed by flush_new() into the last level and by
//           flush_rest() into level 0. A schema change starts a new memtable.
// Owns:     chunks of up to 1,024 new rows with consecutive egids, and a map from egid to versions
//           for everything else.
// Threads:  one writer (the apply fiber), any number of readers. Full chunks are read without the
//           lock.   Parks: never, except where a flush's sink does.
// Errors:   kInvalidArgument for a tuple that does not fit the schema. The budget is the caller's:
//           it asks memory_bytes() and freezes the memtable in time.
// Holds:    versions that no snapshot can see are dropped as newer ones are applied.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "modules/lsm/memtable/egid_map.h"
#include "modules/lsm/memtable/shared_spin_lock.h"
#include "modules/lsm/sstable/row_fetch.h"
#include "modules/lsm/sstable/row_file_builder.h"
#include "modules/lsm/sstable/row_file_scan.h"
#include "modules/lsm/sstable/row_versions.h"

namespace coppice::lsm {

class RowMemtable {
 public:
  explicit RowMemtable(const TableSchema& schema);  // outlives the memtable

  // Whole new rows with consecutive egids. Egids below those of earlier calls are taken, too: they
  // become versions.
  Status append_rows(Egid first, Hlc timestamp, std::span<const Vector> columns,
                     std::uint32_t from_row, std::uint32_t rows);
  Status append_row(Egid egid, Hlc timestamp, ByteView tuple);
  // A newer version of a row, here or elsewhere: a tuple of the groups in `mask`. No read is below
  // `horizon`.
  Status update(Egid egid, Hlc timestamp, GroupMask mask, ByteView tuple, Hlc horizon);
  Status erase(Egid egid, Hlc timestamp, Hlc horizon);

  void claim(RowFetch& fetch, const FileClip& clip = {}) const;
  bool has_egid(Egid egid) const;
  void collect_egids(Egid from, Egid to, std::vector<Egid>& egids) const;

  // The chunks, for scans: like RowFileScan, `others` are rows with newer versions in the map.
  std::uint32_t chunk_count() const;
  void scan_chunk(std::uint32_t chunk, std::span<const std::uint32_t> columns, Hlc read_at,
                  ScanBatch& to) const;

  // New rows with what happened to them since; they are whole, for the last level. And all others.
  Status flush_new(Hlc horizon, RowFileBuilder& to) const;
  Status flush_rest(Hlc horizon, RowFileBuilder& to) const;

  std::uint64_t new_rows() const { return new_rows_; }
  std::uint64_t changed_rows() const { return map_.size(); }  // with versions in the map
  std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  struct Version {
    Hlc timestamp;
    GroupMask mask = 0;
    bool deleted = false;
    ByteBuffer tuple;
  };
  using Chain = std::vector<Version>;  // oldest first: the newest is pushed back
  struct Chunk {
    Egid first = 0;
    std::uint32_t rows = 0;
    std::vector<Hlc> timestamps;
    std::vector<VectorBuffer> columns;
    std::vector<Vector> views;  // of the columns, renewed after each append
    std::size_t counted_bytes = 0;
    Egid end() const { return first + rows; }
  };
  using ChunkRef = std::shared_ptr<Chunk>;

  Chunk& chunk_for(Egid egid);
  void renew_views(Chunk& chunk);
  std::size_t first_chunk(Egid egid) const;  // whose end is above
  Status add_version(Egid egid, Version version, Hlc horizon);
  void drop_unseen(Chain& chain, Hlc horizon);
  Version merged(const Version& newer, const Version& older) const;
  bool claim_chain(RowFetch& fetch, std::uint32_t row, const Chain& chain, Hlc read_at) const;
  void claim_chunk(RowFetch& fetch, std::uint32_t row, const ChunkRef& chunk, Hlc read_at) const;
  void append_stored(const Chain& chain, std::vector<StoredVersion>& to) const;
  std::optional<std::uint32_t> position_of(ColumnId column, std::uint32_t likely) const;
  Result<TupleView> checked(ByteView tuple, GroupMask mask) const;
  static std::size_t bytes_of(const Version& version) {
    return sizeof version + version.tuple.capacity();
  }

  const TableSchema& schema_;
  GroupMask all_groups_;
  mutable SharedSpinLock lock_;
  std::vector<ChunkRef> chunks_;  // egids ascend
  EgidMap map_;
  std::deque<Chain> chains_;
  std::atomic<std::uint64_t> new_rows_ = 0;
  std::atomic<std::size_t> memory_bytes_{0};
};

}  // namespace coppice::lsm
