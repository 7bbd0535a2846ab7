// rules_files_test.cpp — first lines, names, targets, private names and open ends, on snippets.
#include <doctest/doctest.h>

#include "tests/tidy/snippets.h"

using namespace coppice::tidy;

TEST_CASE("the first line says what the file is") {
  const auto check = [](const std::string& path, const std::string& text) {
    return complaints(check_header_comment, Policy(), {{path, text}});
  };
  CHECK(check("a/b.h", "// b.h — a thing.\n#pragma once\n").empty());
  CHECK(check("a/b.cpp", "// b.cpp — a thing.\n").empty());
  CHECK(check("a/b.cpp", "// c.cpp — a thing.\n").size() == 1);
  CHECK(check("a/b.cpp", "// b.cpp - a thing.\n").size() == 1);
  CHECK(check("a/b.cpp", "// b.cpp — \n").size() == 1);
  CHECK(check("a/b.cpp", "").size() == 1);
  CHECK(check("a/b.h", "").size() == 2);
  CHECK(check("a/b.h", "// b.h — a thing.\n") == Complaints{"a/b.h:1: header-comment"});
}

TEST_CASE("a source whose header says it may begin with its first include") {
  CHECK(complaints(
            check_header_comment, Policy(),
            {{"a/b.cpp", "#include \"a/b.h\"\n"}, {"a/b.h", "// b.h — a thing.\n#pragma once\n"}})
            .empty());
}

TEST_CASE("100 columns are counted in characters, and a URL may be longer") {
  const auto check = [](const std::string& line) {
    return complaints(check_header_comment, Policy(), {{"b.cpp", "// b.cpp — a thing.\n" + line}});
  };
  CHECK(check(std::string(100, 'x')).empty());
  CHECK(check(std::string(101, 'x')) == Complaints{"b.cpp:2: columns"});
  CHECK(check(std::string(98, 'x') + "éé").empty());
  CHECK(check("// https://" + std::string(100, 'x')).empty());
}

TEST_CASE("files are snake_case") {
  CHECK(complaints(check_file_name, Policy(), {{"a/lsm_tree2.h", ""}, {"README.md", ""}}).empty());
  CHECK(complaints(check_file_name, Policy(), {{"a/LsmTree.h", ""}}).size() == 1);
  CHECK(complaints(check_file_name, Policy(), {{"a/lsm-tree.cpp", ""}}).size() == 1);
}

TEST_CASE("every source is in one target, every header in at least one") {
  Repo repo;
  for (const char* path : {"a.cpp", "a.h", "b.cpp", "c.cpp", "c.h", "d.md"}) repo.add(path, "");
  repo.add("tests/dead.h", "");
  repo.add("tests/used.h", "#include \"tests/dead2.h\"");
  repo.add("tests/used_test.cpp", "#include \"tests/used.h\"");
  repo.add_target_source("tests/used_test.cpp", "one");
  repo.add_target_source("a.cpp", "one");
  repo.add_target_source("a.h", "one");
  repo.add_target_source("a.h", "two");
  repo.add_target_source("b.cpp", "one");
  repo.add_target_source("b.cpp", "two");
  Problems problems;
  check_targets(repo, Policy(), problems);
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].path == "b.cpp");
  CHECK(problems[1].path == "c.cpp");
  CHECK(problems[2].path == "c.h");
  CHECK(problems[3].path == "tests/dead.h");
}

TEST_CASE("no file names a place on one machine") {
  Policy policy;
  policy.private_names = {"/somewhere/"};
  CHECK(complaints(check_private_names, policy, {{"a.md", "x\nsee /somewhere/else\n"}}) ==
        Complaints{"a.md:2: private-names"});
  CHECK(complaints(check_private_names, policy, {{"a.md", "somewhere\n"}}).empty());
}

TEST_CASE("an open end names its issue") {
  const std::string word = std::string("TO") + "DO";  // or this file would have one
  const auto check = [&](const std::string& line) {
    return complaints(check_todo, Policy(), {{"a.md", line}});
  };
  CHECK(check("// " + word + ": later") == Complaints{"a.md:1: todo"});
  CHECK(check("// " + word + "(someone): later").size() == 1);
  CHECK(check("// " + word + "(#12): later").empty());
  CHECK(check("MASTO" + word + "N").empty());
}
