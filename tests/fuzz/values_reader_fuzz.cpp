// values_reader_fuzz.cpp — the bulk VALUES reader against the parser.
#include "kernel/base/assert.h"
#include "tests/modules/planner/parse/values_oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The fixed head keeps the fuzzer among the tuples.
  const std::string tail(reinterpret_cast<const char*>(data), size);
  COPPICE_ASSERT(coppice::planner::check_bulk("INSERT INTO t VALUES (1," + tail).empty());
  COPPICE_ASSERT(coppice::planner::check_bulk(tail).empty());
  return 0;
}
