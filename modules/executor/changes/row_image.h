// row_image.h — rows on their way into or out of a table: a vector per attribute.
#pragma once

#include <vector>

#include "interfaces/catalog.h"
#include "interfaces/types/row_batch.h"

namespace coppice::executor {

struct RowImage {
  std::uint32_t size = 0;  // of every vector
  Selection rows = Selection::all(0);
  std::vector<const Vector*> columns;  // columns[attribute - 1]; null: not at hand

  explicit RowImage(const TableInfo& table) : columns(table.columns.size()) {}
  const Vector* column(std::int16_t attribute) const {
    return columns[static_cast<std::size_t>(attribute) - 1];
  }
  void set(std::int16_t attribute, const Vector* values) {
    columns[static_cast<std::size_t>(attribute) - 1] = values;
  }
};

}  // namespace coppice::executor
