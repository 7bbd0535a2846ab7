// proposal.h — from a write set to a log entry: egids, epochs and schemas at the log's leading end.
//
// Role:     CommitBuilder encodes a write set (it may read: an update of some columns of a group
//           takes the others from the newest state). StampState is what stamping knows of tables:
//           it runs ahead of what is applied, by the entries under way.
// Threads:  a builder one at a time; StampState in stamp() only, which the log never runs twice at
//           once, and before the first proposal.
// Parks:    CommitBuilder::build().
// Errors:   kConflict: another epoch or schema version than the write set was made under.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "interfaces/consensus.h"
#include "modules/lsm/forest/commit_record.h"

namespace coppice::lsm {

class StampState {
 public:
  struct TableState {
    Egid next_egid = 1;
    std::uint64_t epoch = 1;
    std::uint32_t schema_version = 0;  // 0: an index
    bool exists = false;
  };
  void load(const Tables& tables);
  void drop_namespace(NamespaceId ns);
  TableState& at(TableRef table) {
    return tables_[std::uint64_t{table.ns.value} << 32 | table.table.value];
  }

 private:
  std::unordered_map<std::uint64_t, TableState> tables_;
};

class CommitProposal final : public Proposal {
 public:
  CommitProposal(StampState& state, const ForestWriteSet& writes)
      : state_(state), writes_(writes) {}
  Result<ByteBuffer> stamp(LogPosition at) override;

 private:
  friend class CommitBuilder;
  Status check() const;

  StampState& state_;
  const ForestWriteSet& writes_;
  std::vector<EgidGrant> grants_;
  std::vector<std::size_t> places_;
  // Tables that must still be there, with the version that rows were encoded for; 0: an index.
  std::vector<std::pair<TableRef, std::uint32_t>> schemas_;
  ByteBuffer payload_;
};

class CommitBuilder {
 public:
  // Gives rows of a table as they were committed last.
  using FetchNewest =
      std::function<Result<RowBatch>(TableRef, std::span<const Egid>, std::span<const ColumnId>)>;
  CommitBuilder(const ForestWriteSet& writes, FetchNewest fetch)
      : writes_(writes), fetch_(std::move(fetch)) {}

  Status build(CommitProposal& to);

 private:
  using TableWrites = ForestWriteSet::TableWrites;
  // New rows of a table: numbers in the order of their provisional ids, without gaps.
  struct Numbering {
    std::uint32_t grant = 0;  // position + 1
    struct Run {
      Egid first;
      std::uint32_t rows;
      std::uint64_t number;
    };
    std::vector<Run> runs;
  };
  void number_rows(CommitProposal& to);
  std::uint32_t grant_of(TableRef rows) const;
  Result<RowName> name_of(TableRef rows, Egid row) const;
  Status add_rows(TableRef table, const TableWrites& writes, CommitProposal& to);
  struct InsertPiece {
    std::uint64_t first;
    std::uint32_t rows;
    std::vector<VectorBuffer> made;            // rows that were changed since: new columns
    const RowWrites::Insert* whole = nullptr;  // or: as they were inserted
  };
  static void plan_insert(const RowWrites::Insert& insert, std::uint64_t number,
                          const TableSchema& schema, const OwnRows& changes,
                          std::vector<InsertPiece>& to);
  struct ChangedRow {
    Egid row;
    GroupMask mask;  // 0: erased
    const OwnRows::Row* change;
  };
  Status add_changes(TableRef table, const TableSchema& schema, std::span<const ChangedRow> rows);
  Status add_changed_batch(TableRef table, const TableSchema& schema,
                           std::span<const ChangedRow> rows);
  Status add_index(TableRef index, const TableWrites& writes);

  const ForestWriteSet& writes_;
  FetchNewest fetch_;
  std::map<TableRef, Numbering> numbering_;
  CommitEncoder encoder_;
};

}  // namespace coppice::lsm
