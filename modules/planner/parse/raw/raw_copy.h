// raw_copy.h — one raw parse and one copy, behind a door without PostgreSQL's headers.
//
// Threads:  any; the whole call stays on its thread.   Parks: never.
#pragma once

#include <string>

#include "modules/planner/parse/parser.h"

namespace coppice::planner::raw {

struct RawStatement {
  const ast::Statement* tree = nullptr;
  std::size_t offset = 0;  // as the raw parser says: blanks before it included
  std::size_t length = 0;
};

// Fills `statements`; trees go into `arena`. Gives the number of raw nodes visited.
Result<std::size_t> parse_and_copy(const std::string& sql, Arena& arena, std::size_t budget_bytes,
                                   std::vector<RawStatement>& statements);

}  // namespace coppice::planner::raw
