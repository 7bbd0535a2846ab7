// index_builder.h — CREATE INDEX over a table that has rows.
//
// Role:     in transactions of its own while writers run, or inside of one
// under a SHARE lock. Threads:  one fiber. Parks:    everywhere; for writers
// that began before the index was known, too. The caller holds no
//           lock on the table, unless it hands its transaction in.
// Errors:   23505 naming a duplicated key; 42P01, 40001 where the table or the
// index goes meanwhile.
//           After an error there is no index.
// Holds:    from the first commit on all writers keep the index up to date.
// Rows are added in steps,
//           each a transaction that holds the rows' locks and has checked that
//           none changed, so that an entry is never older than what a writer
//           did to it. The index is readable for snapshots that see the last
//           step.
#pragma once

#include "interfaces/executor.h"

namespace coppice::executor {

class IndexBuilder {
 public:
  static constexpr std::size_t kStepRows = 8192;

  IndexBuilder(Engine& engine, TxnManager& txns, Catalog& catalog, const ExecuteContext& context,
               NamespaceId ns, Oid table, std::size_t step_rows = kStepRows)
      : engine_(engine),
        txns_(txns),
        catalog_(catalog),
        context_(context),
        ns_(ns),
        table_(table),
        step_rows_(step_rows) {}

  Status build(const NewIndex& definition);
  // Inside of the context's transaction.
  Status build_within(const NewIndex& definition);

 private:
  // What a step needs to know of the table, as its transaction sees it.
  struct Target {
    TableInfoRef table;
    std::shared_ptr<const IndexInfo> index;
  };

  std::unique_ptr<Transaction> begin();
  Result<TableInfoRef> find_table(Transaction& txn);
  Result<Target> find_target(Transaction& txn);
  Status define(const NewIndex& definition);
  Status fill();
  // Adds the rows of [from, …), as many as a step has; `from` moves on. False:
  // these were the last.
  Result<bool> step(Egid& from);
  Status make_readable();
  void drop();
  // Reads rows of [low, high) and gives each batch, with its rows' ids, to
  // `visit`.
  template <class Visit>
  Status scan(const ReadView& view, const Target& target, Egid low, Egid high, std::size_t limit,
              Visit visit);
  Status add_rows(Transaction& txn, const Target& target, const RowBatch& batch,
                  std::span<const Egid> ids);

  Engine& engine_;
  TxnManager& txns_;
  Catalog& catalog_;
  const ExecuteContext& context_;
  const NamespaceId ns_;
  const Oid table_;
  const std::size_t step_rows_;
  Oid index_ = 0;
  Hlc last_commit_;
};

}  // namespace coppice::executor
