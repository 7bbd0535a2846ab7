// numeric_pack_test.cpp — the pack gives PostgreSQL's answers.
#include <doctest/doctest.h>

#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {

TEST_CASE("sql/numeric answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/numeric.tsv") > 3000);
}

}  // namespace coppice::sql_test
