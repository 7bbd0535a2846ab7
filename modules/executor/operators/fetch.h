// fetch.h — rows by their ids, at most kVectorRows at once.
#pragma once

#include "modules/executor/operators/table_columns.h"
#include "modules/executor/values/copy.h"

namespace coppice::executor {

class RowFetch {
 public:
  RowFetch(TableReader reader, Execution& execution)
      : reader_(std::move(reader)), execution_(execution) {}

  TableReader& reader() { return reader_; }
  // Those of `ids` (ascending) that exist and satisfy the node's filter. False: none.
  Result<bool> ascending(std::span<const Egid> ids, RowBatch& batch);
  // The same in any order of ids.
  Result<bool> ordered(std::span<const Egid> ids, RowBatch& batch);

 private:
  TableReader reader_;
  Execution& execution_;
  std::vector<Egid> sorted_;
  std::vector<VectorBuffer> out_;
};

}  // namespace coppice::executor
