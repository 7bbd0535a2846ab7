// oracle_test.cpp — the copier against the library's own JSON: no node, no name may be missing.
#include <doctest/doctest.h>

#include <algorithm>

#include "modules/planner/parse/ast_dump.h"
#include "modules/planner/parse/parser.h"
#include "tests/modules/planner/parse/corpus.h"
#include "tests/modules/planner/parse/json_oracle.h"

namespace coppice::planner {
namespace {

std::string quoted_as_in_dump(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "\\x";
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace

TEST_CASE("the copier visits every node and keeps every string that the library reports") {
  std::size_t compared = 0;
  for (const std::string& text : whole_corpus()) {
    CAPTURE(text);
    const Result<ParsedText> parsed = parse(text);
    const std::optional<JsonTree> oracle = json_tree(text);
    if (!parsed) {
      // Refused by the copier, or by the library itself.
      const bool refused = sqlstate_of(parsed.error()) == sqlstate::kFeatureNotSupported;
      CHECK(oracle.has_value() <= refused);
      continue;
    }
    REQUIRE(oracle.has_value());
    CHECK(parsed->raw_nodes == oracle->nodes);
    std::string tree;
    for (const ParsedStatement& statement : parsed->statements) tree += dump(*statement.tree);
    for (const std::string& name : oracle->strings) {
      if (name.size() < 2) continue;  // one-letter codes of the catalogues, among others
      CAPTURE(name);
      CHECK(tree.find(quoted_as_in_dump(name)) != std::string::npos);
    }
    ++compared;
  }
  CHECK(compared > 450);
}

}  // namespace coppice::planner
