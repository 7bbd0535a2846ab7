// array_text.h — the text form of arrays: {1,2}, {{a,b},{c,NULL}}, {"x y"}.
//
// Source:   PostgreSQL 15, array_in and array_out (arrayfuncs.c).
// Threads:  any. Parks: never.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/sql/catalog/array_value.h"

namespace coppice::sql_catalog {

struct ArrayText {
  Dimensions dimensions;
  std::vector<std::optional<std::string>> elements;
};

// 22P02 malformed array literal; 54000 too many dimensions; 0A000 bounds ([2:3]={…}).
Result<ArrayText> parse_array_text(std::string_view text);

// Appends {…}; `texts[i]` is the i-th element's text form.
void write_array_text(const Dimensions& dimensions,
                      const std::vector<std::optional<std::string_view>>& texts, ByteBuffer& to);

}  // namespace coppice::sql_catalog
