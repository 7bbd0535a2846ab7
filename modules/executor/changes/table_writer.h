// table_writer.h — rows into a table and its indexes, constraints checked.
//
// Role:     what INSERT, UPDATE, DELETE and COPY write through.
// Parks:    where it locks keys and looks for them.
// Errors:   23502, 23505 as PostgreSQL; 40001 and 40P01 from the locks.
// Holds:    uniqueness is checked under the key's lock against the newest committed state and this
//           transaction's own writes, never against the statement's snapshot.
#pragma once

#include <optional>

#include "modules/executor/changes/index_keys.h"
#include "modules/executor/changes/row_image.h"

namespace coppice::executor {

class TableWriter {
 public:
  TableWriter(const TableInfo& table, Execution& execution);

  // 23502 for the first row with a NULL where `attributes` may have none; the image has all live
  // columns.
  Status check_not_null(const RowImage& image) const;
  // Constraints, rows, index entries. The image has all columns, dropped ones included. Gives the
  // first of consecutive ids.
  Result<Egid> insert(const RowImage& image);

  // Takes entries of `keys` out of the index; rows[i] is the row at position i of the batch.
  Status remove_keys(const IndexInfo& index, const KeyBatch& keys, std::span<const Egid> rows);
  // Puts them in; 23505.
  Status add_keys(const IndexInfo& index, const RowImage& image, const KeyBatch& keys,
                  std::span<const Egid> rows);

 private:
  Status lock_keys(const IndexInfo& index, const KeyBatch& keys);
  // The first row, in order, whose key another row has.
  Result<std::optional<std::uint32_t>> find_collision(const IndexInfo& index, const KeyBatch& keys);
  Status write_ops(const IndexInfo& index, const KeyBatch& keys, std::span<const Egid> rows,
                   bool add);

  const TableInfo& table_;
  Execution& execution_;
  std::vector<KeyBatch> keys_;  // of insert(), by index
};

}  // namespace coppice::executor
