// row_scan.h — RowScan: a table in egid order, either way.
//
// Role:     most rows are in bulk: blocks of the last level, then chunks of memtables, egids
//           ascending throughout. The others (changed since, in level 0, or own) are few: they are
//           collected for the stretch at hand, looked up together, and merged in. A stretch without
//           any is handed on in place, as encoded as it is stored.
// Owns:     the RowRead, the batches that wait.
// Threads:  one at a time.   Parks: next().
#pragma once

#include <deque>
#include <memory>

#include "modules/lsm/forest/row_read.h"
#include "modules/lsm/sstable/row_file_scan.h"

namespace coppice::lsm {

class RowScan final : public RowCursor {
 public:
  RowScan(std::unique_ptr<RowRead> read, std::vector<std::uint32_t> columns,
          const ScanOptions& options);

  Result<bool> next(RowBatch& batch) override;

 private:
  // Where rows are in bulk: a file of the last level, or the chunks of a memtable.
  struct Segment {
    const RowFile* file = nullptr;
    const RowMemory* memory = nullptr;
  };
  Result<bool> step();
  Result<bool> next_bulk(ScanBatch& bulk);
  Result<bool> next_chunk(const RowMemory& memory, ScanBatch& bulk);
  Status emit_between(Egid from, Egid to, const RowMemory* except);
  Status emit_bulk(const ScanBatch& bulk);
  Status collect(Egid from, Egid to, const RowMemory* except, std::vector<Egid>& rows);
  Status emit_fetched(std::span<const Egid> rows);
  Status emit_merged(const RowBatch& bulk, const std::vector<bool>& dropped,
                     std::span<const Egid> others);
  Status emit_own();
  void push(RowBatch batch);

  bool forward() const { return options_.direction == Direction::kForward; }

  std::unique_ptr<RowRead> read_;
  std::vector<std::uint32_t> columns_;
  ScanOptions options_;
  std::vector<Segment> segments_;  // in the order in which they are to be scanned
  std::size_t segment_ = 0;
  std::unique_ptr<RowFileScan> file_scan_;
  std::int64_t chunk_ = -1;  // of the segment's memtable; -1: not begun
  Egid low_, high_;          // rows of [low, high] are still to come, provisional ones apart
  bool own_done_ = false;
  bool bulk_done_ = false;
  bool done_ = false;
  std::deque<RowBatch> ready_;
};

}  // namespace coppice::lsm
