// parser_test.cpp — the door: errors, positions, statements, budgets.
#include "modules/planner/parse/parser.h"

#include <doctest/doctest.h>

#include "modules/planner/parse/ast_dump.h"

namespace coppice::planner {

TEST_CASE("the linked libpg_query passes the boot test") {
  const Status status = parser_self_test();
  if (!status) FAIL(status.error().to_string());
}

TEST_CASE("the arena and its statements survive a move") {
  Result<ParsedText> parsed = parse("SELECT a FROM t WHERE b = 'text'");
  REQUIRE(parsed.has_value());
  const ParsedText moved = std::move(*parsed);
  const auto& select = ast::as<ast::Select>(*moved.statements[0].tree);
  const auto* equal = ast::find_as<ast::Operator>(select.where);
  REQUIRE(equal != nullptr);
  CHECK(equal->name[0] == "=");
  CHECK(ast::as<ast::Constant>(*equal->right).text == "text");
  CHECK(ast::find_as<ast::Constant>(equal->left) == nullptr);
  CHECK(moved.memory_bytes() >= Arena::kChunkMin);
}

TEST_CASE("positions count characters, not bytes") {
  CHECK(position_of("abc", 0) == 1);
  CHECK(position_of("üab", 2) == 2);
  CHECK(position_of("ab", 99) == 3);
  const Result<ParsedText> parsed = parse("SELECT 'üü' FROM");
  REQUIRE(!parsed.has_value());
  CHECK(*parsed.error().find_note('P') == "17");
  const Result<ParsedText> refused = parse("SELECT 'üü', xmlconcat(a)");
  REQUIRE(!refused.has_value());
  CHECK(sqlstate_of(refused.error()) == "0A000");
  CHECK(*refused.error().find_note('P') == "14");
}

TEST_CASE("a syntax error carries what PostgreSQL says") {
  const Result<ParsedText> parsed = parse("SELECT 1 frm x y");
  REQUIRE(!parsed.has_value());
  CHECK(parsed.error().code() == Code::kInvalidArgument);
  CHECK(parsed.error().message() == "syntax error at or near \"x\"");
  CHECK(sqlstate_of(parsed.error()) == "42601");
  CHECK(*parsed.error().find_note('P') == "14");
}

TEST_CASE("each statement knows its own part of the text") {
  const std::string text = " SELECT 1 ; /* x */ SELECT 'ü';-- end";
  const Result<ParsedText> parsed = parse(text);
  REQUIRE(parsed.has_value());
  REQUIRE(parsed->statements.size() == 2);
  const auto part = [&](std::size_t i) {
    return text.substr(parsed->statements[i].offset, parsed->statements[i].length);
  };
  CHECK(part(0) == "SELECT 1");
  CHECK(part(1) == "SELECT 'ü'");
}

TEST_CASE("nothing but blanks and comments is no statement") {
  for (const char* text : {"", " ", ";", " ; ;; ", "-- x", "/* x */;"}) {
    const Result<ParsedText> parsed = parse(text);
    REQUIRE(parsed.has_value());
    CHECK(parsed->statements.empty());
  }
}

TEST_CASE("a budget is refused before the parser runs") {
  const std::string text = "SELECT " + std::string(10'000, '1');
  const Result<ParsedText> parsed = parse(text, {.memory_budget_bytes = 50'000});
  REQUIRE(!parsed.has_value());
  CHECK(sqlstate_of(parsed.error()) == "53200");
  CHECK(parsed.error().code() == Code::kOutOfMemory);
}

}  // namespace coppice::planner
