// copy_out.h — COPY … TO STDOUT: batches to lines, one message each.
#pragma once

#include <string>
#include <vector>

#include "interfaces/session.h"
#include "interfaces/sql_pack.h"
#include "interfaces/types/statement.h"

namespace coppice::session {

// A sink for the rows of a query; passes everything on as COPY data.
class CopyOut {
 public:
  CopyOut(ResultSink& sink, const CopyStatement& statement, std::vector<ResultColumn> columns,
          const SqlSettings& settings)
      : sink_(sink), statement_(statement), columns_(std::move(columns)), settings_(settings) {}

  Status begin();  // with the header line, if asked for
  Status rows(const RowBatch& batch);
  Status end() { return sink_.copy_out_end(); }

 private:
  ResultSink& sink_;
  const CopyStatement& statement_;
  const std::vector<ResultColumn> columns_;
  const SqlSettings& settings_;
  std::vector<FormattedColumn> formatted_;
  std::string line_;
};

}  // namespace coppice::session
