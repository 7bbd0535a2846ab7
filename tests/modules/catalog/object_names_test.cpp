// object_names_test.cpp — names as PostgreSQL makes them; the long ones were taken from one.
#include "modules/catalog/object_names.h"

#include <doctest/doctest.h>

#include "tests/modules/catalog/catalog_fixture.h"

using namespace coppice;
using namespace coppice::catalog;
using namespace coppice::testing;

TEST_CASE("short names are joined, long ones cut evenly to 63 bytes") {
  CHECK(make_object_name("t", "a", "idx") == "t_a_idx");
  CHECK(make_object_name("t", "", "pkey") == "t_pkey");
  const std::string table(60, 't'), columns(40, 'c');
  CHECK(make_object_name(table, columns, "idx") ==
        std::string(29, 't') + "_" + std::string(29, 'c') + "_idx");
  CHECK(make_object_name(table, "a", "idx") == std::string(57, 't') + "_a_idx");
  CHECK(make_object_name(table, "", "pkey") == std::string(58, 't') + "_pkey");
}

TEST_CASE("a character of UTF-8 is never cut in two") {
  std::string table;
  for (int i = 0; i < 31; ++i) table += "é";
  const std::string name = make_object_name(table, "", "pkey");
  CHECK(name == table.substr(0, 58) + "_pkey");
  CHECK(make_object_name("x" + table, "", "pkey") == ("x" + table).substr(0, 57) + "_pkey");
}

TEST_CASE("index names by kind, numbered from the second attempt on") {
  CHECK(index_name_choice("t", index_on({"a", "b"}), 0) == "t_a_b_idx");
  CHECK(index_name_choice("t", index_on({"a", "b"}), 2) == "t_a_b_idx2");
  CHECK(index_name_choice("t", unique_constraint({"a"}), 0) == "t_a_key");
  CHECK(index_name_choice("t", primary_key({"a"}), 1) == "t_pkey1");
}
