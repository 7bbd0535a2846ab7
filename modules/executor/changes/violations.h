// violations.h — errors about rows that a constraint refuses, in PostgreSQL's words.
#pragma once

#include "modules/executor/changes/row_image.h"
#include "modules/executor/execution.h"

namespace coppice::executor {

// 23502; row `row` of the image, which has all live columns.
Error not_null_violation(const Execution& execution, const TableInfo& table,
                         const ColumnInfo& column, const RowImage& image, std::uint32_t row);
// 23505; the image has the index's columns.
Error unique_violation(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                       const RowImage& image, std::uint32_t row);
// 23505 of CREATE INDEX.
Error not_unique(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                 const RowImage& image, std::uint32_t row);

}  // namespace coppice::executor
