// random_test.cpp — the same seed, the same numbers; and no bias worth the name.
#include "kernel/base/random.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

using namespace coppice;

TEST_CASE("a seed fixes the sequence for good") {
  Rng a(42);
  Rng b(42);
  for (int i = 0; i < 100; ++i) CHECK(a.next() == b.next());
  CHECK(Rng(0).next() == 11091344671253066420ULL);  // splitmix64 state through xoshiro256**
}

TEST_CASE("below() stays below and reaches every value") {
  Rng rng(7);
  std::array<int, 10> seen{};
  for (int i = 0; i < 10000; ++i) ++seen[rng.below(10)];
  for (const int count : seen) CHECK(count > 800);
}

TEST_CASE("between() takes the whole range of int64") {
  Rng rng(8);
  for (int i = 0; i < 100; ++i) {
    rng.between(INT64_MIN, INT64_MAX);
    const auto n = rng.between(-3, 3);
    CHECK(n >= -3);
    CHECK(n <= 3);
  }
}
