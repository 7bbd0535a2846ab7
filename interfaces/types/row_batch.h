// row_batch.h — up to 1,024 rows in columns, with the rows that are meant.
//
// Role:     what scans give and operators pass on.
#pragma once

#include <vector>

#include "interfaces/types/vector.h"

namespace coppice {

struct RowBatch {
  std::uint32_t rows = 0;  // size of every vector below
  Selection selection = Selection::all(0);
  Vector egids;  // kInt64; empty where rows have none (computed batches)
  std::vector<Vector> columns;
};

}  // namespace coppice
