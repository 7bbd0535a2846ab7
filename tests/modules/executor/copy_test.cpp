// copy_test.cpp — rows moved between vectors.
#include <doctest/doctest.h>

#include <vector>

#include "modules/executor/values/copy.h"

using namespace coppice;

TEST_CASE("rows that repeat are copied as they are named") {
  const std::vector<std::int32_t> numbers = {10, 11, 12, 13};
  const Vector from = Vector::flat(PhysicalType::kInt32, 4, numbers.data());
  // First and last are as far apart as there are rows, and yet one repeats and one is missing.
  const std::vector<std::vector<std::uint16_t>> orders = {{0, 0, 1, 3}, {0, 1, 2, 3}, {1, 2},
                                                          {3, 3},       {0, 2, 2},    {2}};
  for (const std::vector<std::uint16_t>& rows : orders) {
    VectorBuffer to(PhysicalType::kInt32);
    executor::append_rows(to, from, rows);
    REQUIRE(to.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      CHECK(to.view().int_at(static_cast<std::uint32_t>(i)) == numbers[rows[i]]);
  }
}
