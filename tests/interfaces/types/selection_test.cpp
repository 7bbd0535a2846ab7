// selection_test.cpp — all three forms visit the same rows.
#include "interfaces/types/selection.h"

#include <doctest/doctest.h>

#include <vector>

#include "kernel/base/random.h"

using namespace coppice;

TEST_CASE("a mask picks its form by density and visits its rows in order") {
  Rng rng(3);
  for (const double density : {0.0, 0.01, 0.2, 0.3, 0.9, 1.0}) {
    Selection::Mask mask{};
    std::vector<std::uint32_t> expected;
    for (std::uint32_t row = 0; row < kVectorRows; ++row)
      if (rng.chance(density)) {
        mask[row / 64] |= std::uint64_t{1} << (row % 64);
        expected.push_back(row);
      }
    const Selection selection = Selection::from_mask(mask, kVectorRows);
    std::vector<std::uint32_t> visited;
    selection.for_each([&](std::uint32_t row) { visited.push_back(row); });
    CHECK(visited == expected);
    CHECK(selection.count() == expected.size());
    if (density == 1.0) CHECK(selection.form() == Selection::Form::kAll);
    if (density == 0.9) CHECK(selection.form() == Selection::Form::kMask);
    if (density == 0.01) CHECK(selection.form() == Selection::Form::kList);
  }
}
