// tokenizer_fuzz.cpp — the shape reader against libpg_query's scanner.
#include "kernel/base/assert.h"
#include "modules/planner/parse/lexer.h"
#include "modules/planner/parse/utf8.h"
#include "tests/modules/planner/parse/shape_oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (coppice::planner::find_invalid_utf8(text) != text.size()) return 0;
  coppice::planner::ShapeReader reader;
  COPPICE_ASSERT(coppice::planner::check_shape(reader, text).empty());
  coppice::planner::count_tokens_at_most(text);
  coppice::planner::count_rescans_at_most(text);
  return 0;
}
