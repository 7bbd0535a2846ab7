// schema_test.cpp — grouping of columns, and what a schema refuses.
#include "interfaces/types/schema.h"

#include <doctest/doctest.h>

using namespace coppice;

namespace {

Column column(std::uint16_t id, PhysicalType type, std::uint16_t expected_bytes = 0) {
  Column made;
  made.id = {id};
  made.type = type;
  made.expected_bytes = expected_bytes;
  return made;
}

}  // namespace

TEST_CASE("numbers share a group, a text has its own") {
  TableSchema orders;
  for (std::uint16_t id = 1; id <= 5; ++id)
    orders.columns.push_back(column(id, PhysicalType::kInt32));
  orders.columns.push_back(column(6, PhysicalType::kBytes));
  assign_groups(orders.columns);
  REQUIRE(orders.validate());
  CHECK(orders.group_count() == 2);
  CHECK(orders.columns_of(0b01) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(orders.columns_of(0b10) == std::vector<std::uint32_t>{5});

  orders.columns.push_back(column(7, PhysicalType::kFloat64));  // later: ADD COLUMN
  assign_groups(orders.columns, 6);
  CHECK(orders.columns[6].group == 2);
  CHECK(orders.columns[0].group == 0);
}

TEST_CASE("more texts than groups share them") {
  TableSchema table;
  for (std::uint16_t id = 1; id <= 200; ++id)
    table.columns.push_back(column(id, PhysicalType::kBytes));
  assign_groups(table.columns);
  CHECK(table.validate());
  CHECK(table.group_count() == kGroupsMax);
}

TEST_CASE("missing values are read in the column's type") {
  Column small = column(1, PhysicalType::kInt16);
  CHECK(small.missing_value().null);
  small.missing = ByteBuffer{std::byte{0xfe}, std::byte{0xff}};
  CHECK(small.missing_value() == Datum::integer(PhysicalType::kInt16, -2));
  small.missing->pop_back();
  CHECK(small.missing_value().null);
}

TEST_CASE("a schema refuses duplicate ids and impossible groups") {
  TableSchema table;
  CHECK_FALSE(table.validate());
  table.columns = {column(1, PhysicalType::kInt16), column(1, PhysicalType::kInt16)};
  CHECK_FALSE(table.validate());
  table.columns[1].id = {2};
  CHECK(table.validate());
  table.columns[1].group = 64;
  CHECK_FALSE(table.validate());
}
