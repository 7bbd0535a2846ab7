// rules_test.cpp — allowlists: an exception has a reason, and goes when nothing needs it.
#include "tests/tidy/rules.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace coppice::tidy;

namespace {

Problems run(const std::string& path, const std::string& allowlist) {
  Repo repo;
  repo.add(path, "");
  repo.add("tests/tidy/allow/file-name.txt", allowlist);
  return run_rules(repo, Policy(), std::array{Rule{check_file_name}});
}

}  // namespace

TEST_CASE("what an allowlist names is no problem") {
  CHECK(run("a/B.h", "").size() == 1);
  CHECK(run("a/B.h", "# comment\n\na/B.h  the generator writes it so\n").empty());
  CHECK(run("a/B.h", "a/C.h  another file\n").size() == 2);  // B.h, and a line that names nothing
}

TEST_CASE("an exception that nothing needs is a problem") {
  const Problems problems = run("a/b.h", "a/b.h  once it was B.h\n");
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].to_string().find("tests/tidy/allow/file-name.txt:1: allow: a/b.h") == 0);
}

TEST_CASE("an exception has a reason") {
  const Problems problems = run("a/B.h", "a/B.h\n");
  REQUIRE(problems.size() == 2);
  CHECK(problems[1].rule == "allow");
}
