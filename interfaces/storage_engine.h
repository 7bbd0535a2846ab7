// storage_engine.h — the forest as the rest of the database sees it: snapshots, reads, write sets.
//
// Role:     versioned tables of rows keyed by egid, and index tables of (key, egid). It knows
// physical
//           types and byte keys; nothing of SQL. Whoever changes a row also writes its index
//           entries.
// Threads:  Engine and Snapshot from any fiber; a WriteSet or cursor from one at a time.
// Parks:    reads (block fetches), commit(); not what only touches a WriteSet.
// Errors:   kCorruption naming file and offset; kOutOfMemory when the budget refuses; kConflict
// from
//           commit() when a table's schema epoch moved; what Consensus::propose gives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/meter.h"
#include "interfaces/types/egid.h"
#include "interfaces/types/hlc.h"
#include "interfaces/types/key.h"
#include "interfaces/types/row_batch.h"
#include "interfaces/types/schema.h"
#include "interfaces/types/table_ref.h"
#include "interfaces/vfs.h"

namespace coppice {

// A set of rows, ascending and without duplicates.
using RowIds = std::vector<Egid>;

enum class TableKind : std::uint8_t {
  kRows,    // egid → row
  kIndex,   // key → egids
  kUnique,  // key → one egid; a key marked non-colliding may repeat
};

struct TableDefinition {
  TableRef table = {};
  TableKind kind = TableKind::kRows;
  TableSchema schema = {};  // kRows only
  TableRef rows = {};  // indexes: the table whose rows they name (provisional ids are that table's)
};

// A fixed view of the whole forest; shared, immutable. Holding one keeps old versions and dropped
// tables readable until it goes or the maximum transaction age passes (reads then give
// kDeadlineExceeded).
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual Hlc read_at() const = 0;
};
using SnapshotRef = std::shared_ptr<const Snapshot>;

class WriteSet;

// What a read looks at: a snapshot, overlaid by the transaction's own writes where there are any.
struct ReadView {
  const Snapshot* snapshot = nullptr;
  const WriteSet* own = nullptr;
  IoClass io_class = IoClass::kQuery;
};

struct IndexOp {
  ByteView key = {};  // types/key.h
  Egid row = 0;
  bool add = true;              // else remove
  bool never_collides = false;  // kUnique: the key holds a NULL
};

// A transaction's private changes; nothing of it is seen by others before commit(). Rows inserted
// get consecutive provisional ids. Above kWriteSetPartBytes it goes to the log in parts as it
// grows.
class WriteSet {
 public:
  virtual ~WriteSet() = default;

  // Rows of `batch` (its selection) in the order of the table's schema; gives the first id.
  virtual Result<Egid> insert(TableRef table, const RowBatch& batch) = 0;
  // `rows[i]` takes the i-th selected row of `values`, whose columns are `columns`.
  virtual Status update(TableRef table, std::span<const Egid> rows,
                        std::span<const ColumnId> columns, const RowBatch& values) = 0;
  virtual Status erase(TableRef table, std::span<const Egid> rows) = 0;
  virtual Status index(TableRef index, std::span<const IndexOp> ops) = 0;

  // Definitions take effect with the commit, in the same log record.
  virtual Status create_namespace(NamespaceId ns) = 0;
  virtual Status drop_namespace(NamespaceId ns) = 0;
  virtual Status create_table(const TableDefinition& definition) = 0;
  virtual Status drop_table(TableRef table) = 0;
  virtual Status set_schema(TableRef table, const TableSchema& schema) = 0;  // a new version of it

  // The commit is refused (kConflict) if `table`'s schema epoch is no longer `epoch`.
  virtual void expect_epoch(TableRef table, std::uint64_t epoch) = 0;
  // The commit advances `table`'s epoch: DDL.
  virtual void advance_epoch(TableRef table) = 0;
  // Whether advance_epoch(table) was called and not undone.
  virtual bool advances_epoch(TableRef table) const = 0;

  // Statement atomicity and savepoints: marks nest; undoing one drops everything after it.
  virtual std::size_t mark() = 0;
  virtual void undo_to(std::size_t mark) = 0;

  virtual bool empty() const = 0;
  virtual std::uint64_t bytes() const = 0;
};
inline constexpr std::uint64_t kWriteSetPartBytes = 1 << 20;

enum class Direction : std::uint8_t { kForward, kBackward };

struct ScanOptions {
  std::vector<ColumnId> columns = {};  // what to produce, in this order
  Egid low = 1;                        // rows of [low, high)
  Egid high = UINT64_MAX;              // the transaction's provisional rows come after all others
  Direction direction = Direction::kForward;
  // Blocks may be skipped by their min and max where `column` cannot be within [low, high]; rows
  // are not filtered. Encoded as int64 of the physical value.
  struct Bound {
    ColumnId column;
    std::int64_t low, high;
  };
  std::vector<Bound> bounds = {};
  bool with_egids = false;  // fill RowBatch::egids
};

// Batches of at most kVectorRows rows, in egid order.
class RowCursor {
 public:
  virtual ~RowCursor() = default;
  // False at the end. `batch` may view blocks pinned by itself; it stays valid after the next call.
  virtual Result<bool> next(RowBatch& batch) = 0;
};

// Entries of an index in (key, egid) order, or the reverse.
class IndexCursor {
 public:
  virtual ~IndexCursor() = default;
  struct Entries {  // parallel; keys are views valid until the next call
    std::vector<ByteView> keys;
    std::vector<Egid> rows;
  };
  virtual Result<bool> next(Entries& entries) = 0;
};

// A tree of index conditions.
struct BitmapNode {
  enum class Kind : std::uint8_t { kLeaf, kAnd, kOr, kAndNot } kind = Kind::kLeaf;
  TableRef index;                    // kLeaf
  std::vector<KeyRange> ranges;      // kLeaf: union of these
  std::vector<BitmapNode> children;  // kAndNot: first minus the others
};
inline constexpr std::size_t kBitmapDepthMax = 64;

struct EngineCounters {
  std::uint64_t memtable_bytes = 0, flushed_through = 0, files = 0, file_bytes = 0,
                merge_debt_bytes = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // The newest fully applied state.
  virtual SnapshotRef snapshot() = 0;

  virtual std::unique_ptr<WriteSet> write_set(Budget& budget) = 0;
  // Parks until durable (unless `relaxed`) and applied: a snapshot() taken after it returned sees
  // it.
  virtual Result<Hlc> commit(WriteSet& writes, bool relaxed) = 0;

  // The rows among `rows` (ascending, at most kVectorRows) that exist, with their egids; all blocks
  // read at once.
  virtual Result<RowBatch> fetch(const ReadView& view, TableRef table, std::span<const Egid> rows,
                                 std::span<const ColumnId> columns) = 0;
  virtual Result<std::unique_ptr<RowCursor>> scan(const ReadView& view, TableRef table,
                                                  const ScanOptions& options) = 0;

  virtual Result<RowIds> rows_of(const ReadView& view, const BitmapNode& node) = 0;
  virtual Result<std::uint64_t> count_of(const ReadView& view, const BitmapNode& node) = 0;
  // Cheap upper estimate for planning: from part directories and memtable counts; reads no
  // postings.
  virtual Result<std::uint64_t> estimate_of(const ReadView& view, const BitmapNode& node) = 0;
  virtual Result<std::uint64_t> row_count_estimate(const ReadView& view, TableRef table) = 0;
  virtual Result<std::unique_ptr<IndexCursor>> index_scan(const ReadView& view, TableRef index,
                                                          const KeyRange& range,
                                                          Direction direction) = 0;
  // kUnique: for each key the row that holds it, or none.
  virtual Result<std::vector<std::optional<Egid>>> find_unique(const ReadView& view, TableRef index,
                                                               std::span<const ByteView> keys) = 0;
  // Commit timestamps of the newest version of each row (deletes count); Hlc::zero() for unknown
  // rows.
  virtual Result<std::vector<Hlc>> newest_commit(TableRef table, std::span<const Egid> rows) = 0;

  virtual std::optional<TableDefinition> definition(const Snapshot& at, TableRef table) = 0;
  // How often advance_epoch(table) was committed, plus one; newest, or as of a snapshot.
  virtual std::uint64_t epoch(TableRef table) = 0;
  virtual std::uint64_t epoch_at(const Snapshot& at, TableRef table) = 0;
  virtual std::vector<NamespaceId> namespaces(const Snapshot& at) = 0;

  // Writes all memtables out; for CHECKPOINT and tests.
  virtual Status flush() = 0;
  virtual EngineCounters counters() const = 0;
};

}  // namespace coppice
