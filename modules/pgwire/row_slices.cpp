// row_slices.cpp — how much one row holds.
#include "modules/pgwire/row_slices.h"

#include <algorithm>

namespace coppice::pgwire {

bool has_strings(const RowBatch& batch) {
  return std::ranges::any_of(
      batch.columns, [](const Vector& column) { return column.type() == PhysicalType::kBytes; });
}

std::size_t string_bytes(const RowBatch& batch, std::uint32_t row) {
  std::size_t bytes = 0;
  for (const Vector& column : batch.columns) {
    if (column.type() == PhysicalType::kBytes && !column.is_null(row))
      bytes += column.bytes_at(row).size();
  }
  return bytes;
}

}  // namespace coppice::pgwire
