// mem_engine.h — the storage engine as a model: maps in memory, simple enough to be right.
//
// Role:     stands in for the forest in tests of what is above it, and is the oracle that the
//           forest is compared with. It keeps every version for ever and survives nothing.
// Threads:  as interfaces/storage_engine.h says; one lock around everything.
// Parks:    never.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interfaces/storage_engine.h"

namespace coppice::testing {

// A value that owns its bytes; a row is one per column of its schema.
struct MemValue {
  PhysicalType type = PhysicalType::kInt64;
  bool null = true;
  Int128 bits = 0;
  std::string bytes;
  Datum datum() const { return {type, null, bits, as_bytes(bytes)}; }
};
using MemRow = std::map<ColumnId, MemValue>;

template <class T>
struct MemVersion {
  Hlc at;
  std::optional<T> value;  // nothing: deleted
};
template <class T>
using MemVersions = std::vector<MemVersion<T>>;  // oldest first

struct MemTable {
  MemVersions<TableDefinition> definitions;
  std::vector<Hlc> epochs;  // when each advance was committed
  std::uint64_t epoch_at(Hlc at) const;
  Egid next_egid = 1;
  std::map<Egid, MemVersions<MemRow>> rows;
  std::map<std::string, std::map<Egid, MemVersions<bool>>> postings;  // both kinds of index
};

class MemWriteSet;

class MemEngine final : public Engine {
 public:
  SnapshotRef snapshot() override;
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
  Status flush() override { return {}; }
  EngineCounters counters() const override { return {}; }

 private:
  // Entries of `range` that `view` sees, in order.
  std::vector<std::pair<std::string, Egid>> entries(const ReadView& view, TableRef index,
                                                    const KeyRange& range);
  std::set<Egid> evaluate(const ReadView& view, const BitmapNode& node);
  std::vector<Egid> visible_rows(const ReadView& view, TableRef table, Egid low, Egid high);
  std::optional<MemRow> find_row(const ReadView& view, TableRef table, Egid row);
  RowBatch batch_of(const ReadView& view, TableRef table, std::span<const Egid> rows,
                    std::span<const ColumnId> columns);

  std::map<std::pair<TableRef, Egid>, Egid> assign_egids(const MemWriteSet& writes);
  void apply_definition(const MemWriteSet& writes, Hlc at);

  std::mutex mutex_;  // guards all below; private functions want it held
  Hlc now_{1};
  std::map<TableRef, MemTable> tables_;
  std::map<NamespaceId, MemVersions<bool>> namespaces_;
};

}  // namespace coppice::testing
