// scan_oracle.h — the tokens of a text as libpg_query's own scanner sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coppice::planner {

struct ScanToken {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  int kind = 0;  // the numbers of pg_query.proto's enum Token

  bool is_comment() const { return kind == 275 || kind == 276; }
  bool is_number() const { return kind == 260 || kind == 266; }
  bool is_text() const { return kind == 261; }
  bool is_word() const { return kind == 258 || kind >= 277; }  // identifiers and keywords
};

// Nothing when the scanner refuses the text.
std::optional<std::vector<ScanToken>> scan_tokens(const std::string& text);

}  // namespace coppice::planner
