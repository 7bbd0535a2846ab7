// json_oracle.h — what libpg_query's own JSON of a parse tree says: how many nodes, which strings.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coppice::planner {

struct JsonTree {
  std::size_t nodes = 0;             // lists and the statement wrappers not counted
  std::vector<std::string> strings;  // names and literals; enumerators left out
};

// Nothing when the library refuses the text.
std::optional<JsonTree> json_tree(const std::string& text);

}  // namespace coppice::planner
