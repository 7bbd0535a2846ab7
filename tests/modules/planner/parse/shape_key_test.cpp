// shape_key_test.cpp — which texts share a key, and the library's scanner as the judge.
#include "modules/planner/parse/shape_key.h"

#include <doctest/doctest.h>

#include "kernel/base/random.h"
#include "tests/modules/planner/parse/corpus.h"
#include "tests/modules/planner/parse/shape_oracle.h"

namespace coppice::planner {
namespace {

Hash128 key(std::string_view text, std::uint64_t seed = 0) {
  ShapeReader reader;
  CAPTURE(text);
  REQUIRE(reader.read(text, seed));
  return reader.key();
}

}  // namespace

TEST_CASE("texts that differ in blanks, case, comments and literals have one key") {
  const Hash128 point = key("SELECT amount FROM orders WHERE id = 123");
  CHECK(key("select Amount\n  from ORDERS where id=7;") == point);
  CHECK(key("/* hi */ SELECT amount FROM orders WHERE id = -- x\n 0") == point);
  CHECK(key("SELECT amount FROM orders WHERE id = 123 ; ; ") == point);
  CHECK(!(key("SELECT amount FROM orders WHERE id = 123", 1) == point));
  CHECK(!(key("SELECT amount FROM orders WHERE id = 3000000000") == point));
  CHECK(!(key("SELECT amount FROM orders WHERE id = 1.5") == point));
  CHECK(!(key("SELECT amount FROM orders WHERE id = '123'") == point));
  CHECK(!(key("SELECT \"Amount\" FROM orders WHERE id = 123") == point));
  CHECK(!(key("SELECT amount FROM orders WHERE id = $1") == point));
  CHECK(key("SELECT 'a'") == key("SELECT 'bcd'"));
  CHECK(!(key("SELECT 'a'") == key("SELECT 'it''s'")));
}

TEST_CASE("keys keep apart what lexes differently") {
  CHECK(!(key("SELECT a < = b") == key("SELECT a <= b")));
  CHECK(!(key("SELECT \"a\" \"b\"") == key("SELECT \"a\"\"b\"")));
  CHECK(!(key("SELECT a b") == key("SELECT ab")));
  CHECK(!(key("SELECT -2147483648") == key("SELECT -2147483649")));
  CHECK(!(key("SELECT -9223372036854775808") == key("SELECT -9223372036854775807")));
  CHECK(!(key("SELECT a : : b") == key("SELECT a::b")));
}

TEST_CASE("literals are where they are, with their class") {
  ShapeReader reader;
  const std::string_view text = "SELECT 1, 2147483648, 9e3, 'a', 'b''c', .5";
  REQUIRE(reader.read(text));
  REQUIRE(reader.literals().size() == 6);
  CHECK(text.substr(reader.literals()[4].offset, reader.literals()[4].length) == "'b''c'");
  CHECK(reader.literals()[0].type == LiteralClass::kInt4);
  CHECK(reader.literals()[1].type == LiteralClass::kInt4Edge);
  CHECK(reader.literals()[2].type == LiteralClass::kNumeric);
  CHECK(reader.literals()[3].type == LiteralClass::kText);
  CHECK(reader.literals()[4].type == LiteralClass::kQuotedText);
  CHECK(reader.literals()[5].type == LiteralClass::kNumeric);
}

TEST_CASE("what it is not sure of goes to the parser") {
  ShapeReader reader;
  for (const char* text : {"SELECT E'a'",        "SELECT U&'a'",
                           "SELECT u&\"a\"",     "SELECT B'1'",
                           "SELECT X'1'",        "SELECT n'a'",
                           "SELECT $$a$$",       "SELECT $a$b$a$",
                           "SELECT 'a' 'b'",     "SELECT 'a'\n'b'",
                           "SELECT 'a",          "SELECT \"a",
                           "SELECT \"\"",        "SELECT 1a",
                           "SELECT 1.2.3",       "SELECT 1..2",
                           "SELECT 1e",          "SELECT $1a",
                           "SELECT 1; SELECT 2", "SELECT 1 /*",
                           "SELECT 1; /* /* */", "\x01",
                           "SELECT 0x1F"})
    CHECK_MESSAGE(!reader.read(text), text);
  CHECK(!reader.read("SELECT " + std::string(64, 'x')));
  CHECK(reader.read("SELECT " + std::string(63, 'x')));
  CHECK(!reader.read(std::string(kShapeTextMax + 1, ' ')));
}

TEST_CASE("the whole corpus agrees with the library's scanner") {
  ShapeReader reader;
  std::size_t read = 0;
  for (const std::string& text : whole_corpus()) {
    CAPTURE(text);
    CHECK(check_shape(reader, text) == "");
    if (reader.read(text)) ++read;
  }
  CHECK(read > 500);  // most of what clients send
}

TEST_CASE("mangled texts agree with the library's scanner") {
  const std::vector<std::string> corpus = whole_corpus();
  constexpr std::string_view kPieces[] = {
      "'", "\"", "--", "/*", "*/", "-", ".",  "1",   " ",  "\n", "$1", "$", "e", "E'", "::",  "=",
      "<", ">",  "+",  "0",  ";",  ",", "''", "u&'", "1e", "..", "@",  "?", "ü", "(",  "\t1", "x'"};
  ShapeReader reader;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Rng rng(seed);
    std::string text = corpus[rng.below(corpus.size())];
    for (std::uint64_t edits = 1 + rng.below(4); edits > 0; --edits) {
      const std::size_t at = rng.below(text.size() + 1);
      if (rng.chance(0.3) && at < text.size()) text.erase(at, 1 + rng.below(3));
      text.insert(std::min(at, text.size()), kPieces[rng.below(std::size(kPieces))]);
    }
    CAPTURE(seed);
    CAPTURE(text);
    REQUIRE(check_shape(reader, text) == "");
  }
}

}  // namespace coppice::planner
