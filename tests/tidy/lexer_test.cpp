// lexer_test.cpp — what the lint takes for code, and what it does not.
#include "tests/tidy/lexer.h"

#include <doctest/doctest.h>

#include <string>

using namespace coppice::tidy;

namespace {

std::string words(std::string_view text) {
  std::string out;
  const Source source = lex(text);
  for (const Token& token : source.tokens) {
    if (!out.empty()) out += ' ';
    out += token.text;
  }
  return out;
}

}  // namespace

TEST_CASE("comments are not code") {
  CHECK(words("a // b\nc /* d\n e */ f") == "a c f");
  CHECK(words("a //") == "a");
  CHECK(words("a /* never closed") == "a");
}

TEST_CASE("literals are one token, whatever they hold") {
  CHECK(words(R"(f("new // \" x", 'a', '\''))") == R"(f ( "new // \" x" , 'a' , '\'' ))");
  CHECK(words("R\"x(a \" )\" b)x\" c") == "R\"x(a \" )\" b)x\" c");
  CHECK(words("1'000'000 0x1p-3 .5") == "1'000'000 0x1p - 3 .5");
}

TEST_CASE("scope, arrow and ellipsis are one token") {
  CHECK(words("a::b->c(...)") == "a :: b -> c ( ... )");
}

TEST_CASE("includes are listed and directives are marked") {
  const Source source =
      lex("#pragma once\n#include <a/b.h>\n# include \"c.h\"\n#define X \\\n  new\ny");
  CHECK(source.pragma_once);
  REQUIRE(source.includes.size() == 2);
  CHECK(source.includes[0].path == "a/b.h");
  CHECK(source.includes[0].angled);
  CHECK(source.includes[1].path == "c.h");
  CHECK(source.includes[1].line == 3);
  REQUIRE(source.tokens.size() >= 2);
  CHECK(source.tokens[source.tokens.size() - 2].text == "new");
  CHECK(source.tokens[source.tokens.size() - 2].directive);
  CHECK_FALSE(source.tokens.back().directive);
  CHECK(source.tokens.back().line == 6);
}
