// text_pack_test.cpp — the pack gives PostgreSQL's answers.
#include <doctest/doctest.h>

#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {

TEST_CASE("sql/text answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/text.tsv") > 1000);
}

}  // namespace coppice::sql_test
