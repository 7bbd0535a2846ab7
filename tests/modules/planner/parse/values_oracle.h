// values_oracle.h — the bulk VALUES reader against the parser; shared by test and fuzz target.
#pragma once

#include <string>
#include <vector>

#include "modules/planner/parse/values_reader.h"

namespace coppice::planner {

// Values as text, to compare: "i:7", "d:1.5", "t:it's", "b:1", "null", "default".
using ReadRows = std::vector<std::vector<std::string>>;

struct BulkOutcome {
  bool read = false;  // false: it fell back
  ReadRows rows;      // all tuples but the first
};
BulkOutcome read_bulk(const std::string& text);

// Empty when the reader fell back or read what the parser reads; else what is wrong.
std::string check_bulk(const std::string& text);

}  // namespace coppice::planner
