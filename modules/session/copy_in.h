// copy_in.h — COPY t FROM STDIN: lines to rows to the executor, in batches.
//
// Role:     parses the fields of each line by the columns' types, fills in defaults, hands batches
//           of kVectorRows rows to Executor::insert_rows().
// Owns:     the columns being made.
// Threads:  one at a time.
// Parks:    where the client's data and the executor do.
// Errors:   22P04 and the types' own, with COPY's context: table, line, column.
#pragma once

#include <string>
#include <vector>

#include "interfaces/executor.h"
#include "interfaces/session.h"
#include "interfaces/types/statement.h"
#include "modules/session/copy_text.h"

namespace coppice::session {

// A column of the table: read from the data, or given by its default.
struct CopyColumn {
  const ColumnInfo* column = nullptr;
  const SqlType* type = nullptr;
  int field = -1;               // of the line; -1: not in the data
  ExpressionRef default_value;  // null: NULL
  bool volatile_default = false;
};

class CopyIn {
 public:
  // All outlive it. `columns` are the table's live ones, in attribute order; `order[i]` is the
  // position in `columns` of the i-th field.
  CopyIn(Executor& executor, const CopyStatement& statement, TableInfoRef table,
         std::vector<CopyColumn> columns, std::vector<std::size_t> order,
         const SqlSettings& settings, ExecuteContext context);

  // Reads to the end of the data; gives the number of rows.
  Result<std::uint64_t> run(ResultSink& sink);

 private:
  static constexpr std::size_t kBatchBytesMax = 8_MiB;

  Status take_lines();
  Status add_row(std::string_view line);
  Status add_defaults();
  Status flush();
  std::string where(std::string_view more) const;

  Executor& executor_;
  const CopyStatement& statement_;
  const TableInfoRef table_;
  std::vector<CopyColumn> columns_;
  const std::vector<std::size_t> order_;
  const SqlSettings& settings_;
  const ExecuteContext context_;

  CopyLines lines_;
  CopyFields fields_;
  Reservation line_bytes_;
  std::vector<VectorBuffer> buffers_;
  std::vector<std::optional<Value>> constants_;  // defaults that are the same for every row
  std::size_t batch_bytes_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace coppice::session
