// parse_fuzz.cpp — any bytes as SQL: a tree within its estimate that can be dumped, or an SQLSTATE.
#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "modules/planner/parse/ast_dump.h"
#include "modules/planner/parse/parser.h"

namespace coppice::planner {
namespace {

void check(std::string_view text) {
  const Result<ParsedText> parsed = parse(text);
  if (!parsed) {
    COPPICE_ASSERT(sqlstate_of(parsed.error()).size() == 5);
    COPPICE_ASSERT(sqlstate_of(parsed.error()) != sqlstate::kInternalError);
    return;
  }
  COPPICE_ASSERT(parsed->memory_bytes() <= estimate_parse_bytes(text));
  std::size_t end = 0;
  for (const ParsedStatement& statement : parsed->statements) {
    COPPICE_ASSERT(statement.offset >= end);
    end = statement.offset + statement.length;
    COPPICE_ASSERT(end <= text.size());
    COPPICE_ASSERT(!dump(*statement.tree).empty());
  }
}

}  // namespace
}  // namespace coppice::planner

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  coppice::planner::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
