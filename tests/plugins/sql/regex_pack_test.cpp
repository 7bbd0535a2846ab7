// regex_pack_test.cpp — the pack gives PostgreSQL's answers, and says what it cannot.
#include <doctest/doctest.h>

#include "interfaces/types/sql_error.h"
#include "plugins/sql/regex/pattern.h"
#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

std::string error_of(std::string_view pattern) {
  const auto compiled = sql_regex::Pattern::compile(pattern, false);
  if (compiled) return "ok";
  return std::string(sqlstate_of(compiled.error())) + " " + compiled.error().message();
}

}  // namespace

TEST_CASE("sql/regex answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/regex.tsv") > 4000);
}

TEST_CASE("what RE2 has no word for is refused by name") {
  CHECK(error_of("(a)\\1") == "0A000 back references in regular expressions are not supported");
  CHECK(error_of("a(?=b)") ==
        "0A000 lookaround constraints in regular expressions are not supported");
  CHECK(error_of("\\mfoo") == "0A000 \\m and \\M in regular expressions are not supported");
  CHECK(error_of("[[.space.]]") ==
        "0A000 collating elements of several characters in regular "
        "expressions are not supported");
  CHECK(error_of("((a{200}){200}){200}") ==
        "2201B invalid regular expression: regular expression is too complex");
}

TEST_CASE("a long text and a nasty pattern take no longer than the text is") {
  const auto pattern = sql_regex::Pattern::compile("(a*)*(a|aa)+$", false);
  REQUIRE(pattern);
  const std::string text(1 << 20, 'a');
  CHECK(pattern->matches(text));
  CHECK(!pattern->matches(text + "b"));
}

}  // namespace coppice::sql_test
