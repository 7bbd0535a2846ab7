// rules_docs_test.cpp — markdown, wire ids and the list of dependencies, on snippets.
#include <doctest/doctest.h>

#include "tests/tidy/snippets.h"

using namespace coppice::tidy;

namespace {

Complaints markdown(const std::string& text) {
  return complaints(check_markdown, Policy(),
                    {{"docs/guides/a.md", text}, {"docs/b.md", "# B\n"}, {"kernel/base/c.h", ""}});
}

Complaints wire_ids(const std::string& table, const std::string& code) {
  return complaints(
      check_wire_ids, Policy(),
      {{"docs/formats/wire-ids.md", "# Wire ids\n## codec\n| id | kind |\n|---|---|\n" + table},
       {"plugins/codec/lz4/lz4_codec.h", code}});
}

}  // namespace

TEST_CASE("a document has one title, first") {
  CHECK(markdown("# A\n\n## B\n").empty());
  CHECK(markdown("# A\n# B\n").size() == 1);
  CHECK(markdown("text\n# A\n").size() == 1);
  CHECK(markdown("").size() == 1);
  CHECK(markdown("# A\n```\n# a comment of the shell\n```\n").empty());
}

TEST_CASE("links that stay in the tree lead somewhere") {
  CHECK(markdown("# A\n[b](../b.md) [b](../b.md#part) [c](../../kernel/base)\n").empty());
  CHECK(markdown("# A\n[x](https://example.org/x.md) [x](#part)\n").empty());
  CHECK(markdown("# A\n[b](b.md)\n") == Complaints{"docs/guides/a.md:2: markdown"});
  CHECK(markdown("# A\n`[b](b.md)`\n").empty());
}

TEST_CASE("a wire id is given once") {
  CHECK(wire_ids("| 0 | none |\n| 1 | lz4 |\n", "").empty());
  CHECK(wire_ids("| 1 | none |\n| 1 | lz4 |\n", "") ==
        Complaints{"docs/formats/wire-ids.md:6: wire-ids"});
}

TEST_CASE("the code says the same wire id as the list") {
  CHECK(wire_ids("| 1 | lz4 |\n", "static constexpr int kWireId = 1;").empty());
  CHECK(wire_ids("| 2 | lz4 |\n", "static constexpr int kWireId = 1;").size() == 1);
  CHECK(wire_ids("| 0 | none |\n", "static constexpr int kWireId = 1;").size() == 1);
}

TEST_CASE("a library that is seen is explained") {
  Policy policy;
  policy.libraries = {{"zlib", {"zlib.h"}}};
  CHECK(complaints(check_dependencies, policy, {{"docs/DEPENDENCIES.md", "| zlib |"}}).empty());
  CHECK(complaints(check_dependencies, policy, {{"docs/DEPENDENCIES.md", "| lz4 |"}}).size() == 1);
}
