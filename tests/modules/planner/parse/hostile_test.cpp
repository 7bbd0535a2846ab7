// hostile_test.cpp — texts made to break a parser: each gives a tree or an error.
#include <doctest/doctest.h>

#include <algorithm>

#include "modules/planner/parse/parser.h"
#include "tests/modules/planner/parse/corpus.h"

namespace coppice::planner {
namespace {

std::string repeat(std::string_view piece, std::size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string outcome(const std::string& text) {
  const Result<ParsedText> parsed = parse(text, {.memory_budget_bytes = 1_GiB});
  return parsed ? "ok" : std::string(sqlstate_of(parsed.error()));
}

}  // namespace

TEST_CASE("depth is limited, length is not") {
  CHECK(outcome("SELECT " + repeat("1+", 100'000) + "1") == "54001");
  CHECK(outcome("SELECT " + repeat("1+", 900) + "1") == "ok");
  CHECK(outcome("SELECT " + repeat("1+", 1'100) + "1") == "54001");
  CHECK(outcome("SELECT " + repeat("a AND ", 100'000) + "b") == "ok");
  CHECK(outcome("SELECT " + repeat("a OR ", 100'000) + "b") == "ok");
  CHECK(outcome("SELECT " + repeat("a||", 100'000) + "b") == "54001");
  CHECK(outcome("SELECT " + repeat("1,", 100'000) + "1") == "ok");
  CHECK(outcome("SELECT a IN (" + repeat("1,", 100'000) + "1)") == "ok");
  CHECK(outcome("INSERT INTO t VALUES " + repeat("(1,'a'),", 50'000) + "(1,'a')") == "ok");
  CHECK(outcome(repeat("SELECT 1;", 50'000)) == "ok");
}

TEST_CASE("deep nesting of every kind is an error, not a crash") {
  CHECK(outcome("SELECT " + repeat("(", 100'000)) != "ok");
  CHECK(outcome("SELECT " + repeat("(", 100'000) + "1" + repeat(")", 100'000)) != "ok");
  CHECK(outcome("SELECT " + repeat("f(", 3'000) + repeat(")", 3'000)) == "54001");
  CHECK(outcome("SELECT " + repeat("NOT ", 5'000) + "a") == "54001");
  CHECK(outcome("SELECT " + repeat("- ", 5'000) + "a") == "54001");
  CHECK(outcome("SELECT " + repeat("CASE WHEN ", 2'000) + "a" + repeat(" THEN 1 END", 2'000)) ==
        "54001");
  CHECK(outcome(repeat("SELECT (", 1'500) + "1" + repeat(")", 1'500)) == "54001");
  CHECK(outcome(repeat("SELECT * FROM (", 1'500) + "SELECT 1" + repeat(") x", 1'500)) == "54001");
  CHECK(outcome("SELECT 1" + repeat(" UNION SELECT 1", 1'500)) == "54001");
  CHECK(outcome("SELECT * FROM t" + repeat(" JOIN t ON true", 1'500)) == "54001");
  CHECK(outcome("SELECT a" + repeat("::int", 3'000)) == "54001");
  CHECK(outcome("SELECT " + repeat("ARRAY[", 3'000) + "1" + repeat("]", 3'000)) == "54001");
  CHECK(outcome(repeat("WITH x AS (", 1'500) + "SELECT 1" + repeat(") SELECT 1", 1'500)) ==
        "54001");
  CHECK(outcome("EXPLAIN EXPLAIN SELECT 1") == "42601");
  const Result<ParsedText> deep = parse("SELECT " + repeat("f(", 1'500) + repeat(")", 1'500));
  REQUIRE(!deep.has_value());
  CHECK(deep.error().message() == "stack depth limit exceeded");
  CHECK(deep.error().code() == Code::kLimitExceeded);
}

TEST_CASE("an absurd identifier, literal or comment is read") {
  const std::string mega(1'000'000, 'x');
  CHECK(outcome("SELECT " + mega) == "ok");  // cut to 63 bytes
  CHECK(outcome("SELECT \"" + mega + "\"") == "ok");
  CHECK(outcome("SELECT '" + mega + "'") == "ok");
  CHECK(outcome("SELECT /*" + mega + "*/ 1") == "ok");
  CHECK(outcome("SELECT /*" + std::string(1'000'000, '*') + "/ 1") == "ok");
  CHECK(outcome("SELECT 1 --" + std::string(1'000'000, '-')) == "ok");
  CHECK(outcome("SELECT 1 = '" + std::string(1'000'000, '=') + "'") == "ok");
  CHECK(outcome("SELECT " + std::string(1'000'000, '1')) == "ok");
  CHECK(outcome("SELECT $" + std::string(100, '9')) == "ok");  // PostgreSQL cuts the number
  CHECK(outcome("SELECT 1e" + std::string(1'000, '9')) == "ok");
}

TEST_CASE("runs that the scanner would read over and over are refused") {
  CHECK(outcome("SELECT " + repeat("/*", 100'000)) == "54000");
  CHECK(outcome("SELECT 1 " + repeat("+", 100'000) + "1") == "54000");
  CHECK(outcome("SELECT " + repeat("/*", 1'000) + repeat("*/", 1'000) + "1") == "ok");
  CHECK(outcome("SELECT " + repeat("/*", 120)) == "42601");
}

TEST_CASE("bytes that are no text are refused") {
  CHECK(outcome(std::string("SELECT '\0'", 10)) == "22021");
  CHECK(outcome("SELECT '\xff'") == "22021");
  CHECK(outcome("SELECT '\xe2\x82'") == "22021");
  CHECK(outcome("\x01") == "42601");
}

TEST_CASE("every prefix of every text of the corpus is answered") {
  for (const std::string& text : whole_corpus())
    for (std::size_t size = 0; size < text.size(); size += 3) {
      const Result<ParsedText> parsed = parse(std::string_view(text).substr(0, size));
      if (!parsed) CHECK(sqlstate_of(parsed.error()).size() == 5);
    }
}

TEST_CASE("the estimate covers what the tree keeps") {
  std::vector<std::string> texts = whole_corpus();
  texts.push_back("SELECT " + repeat("1+", 900) + "1");
  texts.push_back("SELECT " + repeat("a AND ", 20'000) + "b");
  texts.push_back("SELECT " + repeat("a.b,", 20'000) + "b");
  texts.push_back("SELECT " + repeat("f(),", 20'000) + "b");
  texts.push_back("SELECT " + repeat("a[1],", 20'000) + "b");
  texts.push_back(repeat("BEGIN;", 20'000));
  texts.push_back(repeat("SELECT;", 20'000));
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 60));
    const Result<ParsedText> parsed = parse(text, {.memory_budget_bytes = 1_GiB});
    if (parsed) CHECK(parsed->memory_bytes() <= estimate_parse_bytes(text));
  }
}

}  // namespace coppice::planner
