// write_set.h — ForestWriteSet: what one transaction changed and has not committed.
//
// Role:     a list of operations, which is the truth; and, only once somebody reads through it, an
//           overlay that catches up with the list. A load that never reads back pays for no
//           overlay; undoing shortens the list and forgets the overlay.
// Owns:     copies of all values, counted against the budget in slabs before they are made.
// Threads:  one at a time.   Parks: where the budget does.
// Errors:   kOutOfMemory; kLimitExceeded (54000) above kWriteSetBytesMax; kNotFound for a table
//           that is not there.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interfaces/storage_engine.h"
#include "interfaces/types/vector_buffer.h"
#include "modules/lsm/forest/tables.h"

namespace coppice::lsm {

// One log entry must hold it, however it is encoded.
inline constexpr std::uint64_t kWriteSetBytesMax = 48_MiB;

// Operations on the rows of one table.
struct RowWrites {
  struct Insert {
    Egid first = 0;  // provisional; consecutive
    std::uint32_t rows = 0;
    DefinitionRef definition;
    std::vector<VectorBuffer> columns;  // as in the schema
  };
  struct Change {  // of existing rows: an update, or an erase if there are no columns
    std::vector<Egid> rows;
    std::vector<ColumnId> columns;
    std::vector<VectorBuffer> values;
    bool erase = false;
  };
  std::deque<Insert> inserts;  // ids ascend
  std::deque<Change> changes;
};

// What the operations come to, row by row.
class OwnRows {
 public:
  struct Row {
    bool erased = false;
    std::map<ColumnId, Datum> values;  // updated; views the operations
  };
  void catch_up(const RowWrites& writes);

  // Null: this transaction did not touch it, or only inserted it.
  const Row* find(Egid row) const;
  const std::map<Egid, Row>& changed() const { return changed_; }

 private:
  std::map<Egid, Row> changed_;
  std::size_t done_ = 0;  // changes
};

struct IndexWrites {
  struct Op {
    std::size_t key_at = 0;
    std::uint32_t key_size = 0;
    bool add = true;
    bool never_collides = false;
    Egid row = 0;
  };
  ByteBuffer keys;
  std::vector<Op> ops;
  ByteView key_of(const Op& op) const { return ByteView(keys).subspan(op.key_at, op.key_size); }
};

// The last operation on each (key, row).
class OwnEntries {
 public:
  using Rows = std::map<Egid, bool>;  // true: added
  void catch_up(const IndexWrites& writes);
  const Rows* find(ByteView key) const;
  // std::string compares as memcmp does.
  const std::map<std::string, Rows, std::less<>>& all() const { return entries_; }

 private:
  std::map<std::string, Rows, std::less<>> entries_;
  std::size_t done_ = 0;
};

class ForestWriteSet final : public WriteSet {
 public:
  struct DefinitionOp {
    enum class Kind : std::uint8_t {  // the numbers are part of the log's format
      kCreateNamespace = 1,
      kDropNamespace = 2,
      kDefine = 3,
      kDrop = 4,
      kAdvanceEpoch = 5,
    };
    Kind kind = Kind::kDefine;
    TableRef table = {};
    DefinitionRef definition;  // kDefine
  };
  struct TableWrites {
    RowWrites rows;
    IndexWrites index;
    Egid next_provisional = kProvisionalBit + 1;
    OwnRows own_rows;
    OwnEntries own_entries;
  };

  ForestWriteSet(const Tables& tables, Budget& budget) : tables_(tables), memory_(budget) {}

  Result<Egid> insert(TableRef table, const RowBatch& batch) override;
  Status update(TableRef table, std::span<const Egid> rows, std::span<const ColumnId> columns,
                const RowBatch& values) override;
  Status erase(TableRef table, std::span<const Egid> rows) override;
  Status index(TableRef index, std::span<const IndexOp> ops) override;
  Status create_namespace(NamespaceId ns) override;
  Status drop_namespace(NamespaceId ns) override;
  Status create_table(const TableDefinition& definition) override;
  Status drop_table(TableRef table) override;
  Status set_schema(TableRef table, const TableSchema& schema) override;
  void expect_epoch(TableRef table, std::uint64_t epoch) override;
  void advance_epoch(TableRef table) override;
  bool advances_epoch(TableRef table) const override;
  std::size_t mark() override { return log_.size(); }
  void undo_to(std::size_t mark) override;
  bool empty() const override { return log_.empty(); }
  std::uint64_t bytes() const override { return bytes_; }

  // What this transaction would find: its own definition, else the newest committed one.
  DefinitionRef definition(TableRef table) const;
  // Its own definition only; the outer nothing: none, the inner null: dropped.
  std::optional<DefinitionRef> own_definition(TableRef table) const;

  const std::map<TableRef, TableWrites>& tables() const { return writes_; }
  const std::vector<DefinitionOp>& definitions() const { return definitions_; }
  const std::map<TableRef, std::uint64_t>& expected_epochs() const { return expected_; }

  // For reads: null if the transaction did not touch the table.
  struct OwnTable {
    const RowWrites* writes;
    const OwnRows* rows;
  };
  std::optional<OwnTable> own_rows(TableRef table) const;
  const OwnEntries* own_entries(TableRef index) const;

 private:
  enum class What : std::uint8_t { kInsert, kChange, kIndexOp, kDefinition };
  struct Logged {
    What what;
    TableWrites* table;
    std::uint32_t count;  // kIndexOp: so many
    std::uint64_t bytes;
  };
  Status charge(std::uint64_t bytes);
  Status define(DefinitionOp op);

  const Tables& tables_;
  Reservation memory_;
  std::uint64_t bytes_ = 0;
  std::vector<Logged> log_;
  mutable std::map<TableRef, TableWrites> writes_;  // mutable: overlays catch up when asked
  std::vector<DefinitionOp> definitions_;
  std::map<TableRef, std::uint64_t> expected_;
};

inline const ForestWriteSet* own_of(const ReadView& view) {
  return static_cast<const ForestWriteSet*>(view.own);
}

}  // namespace coppice::lsm
