// old_rows.h — the rows that an UPDATE or DELETE found, locked and still as the statement saw
// them.
//
// Role:     reads the input whole, locks its rows, starts over while others have changed them.
// Parks:    collect(). Errors: those of the input; 40001, 40P01, 55P03.
#pragma once

#include <unordered_set>

#include "modules/executor/changes/change_operator.h"

namespace coppice::executor {

class OldRows {
 public:
  // `columns`: how many of the input's columns come before the egid.
  OldRows(std::vector<PhysicalType> types, std::size_t columns, bool may_repeat,
          Execution& execution);

  Status collect(Operator& input, const TableInfo& table, RowLock mode);

  const RowStore& rows() const { return rows_; }
  // Ids of a chunk's rows.
  std::span<const Egid> ids(std::size_t chunk) const {
    return std::span(ids_).subspan(chunk * kVectorRows, rows_.chunk_rows(chunk));
  }

 private:
  Status read(Operator& input);
  Status keep(const RowBatch& batch);

  const std::size_t columns_;
  const bool may_repeat_;  // a join: a row is changed once, by the first of its partners
  Execution& execution_;
  RowStore rows_;
  MemoryUse memory_;
  std::vector<Egid> ids_;
  std::unordered_set<Egid> seen_;
};

}  // namespace coppice::executor
