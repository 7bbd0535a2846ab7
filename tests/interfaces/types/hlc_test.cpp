// hlc_test.cpp — timestamps order as numbers and keep to 63 bits.
#include "interfaces/types/hlc.h"

#include <doctest/doctest.h>

using namespace coppice;

TEST_CASE("hlc keeps wall microseconds and counts within them") {
  const WallTime now{1'767'225'600'000'123};  // 2026
  const Hlc at = Hlc::at(now);
  CHECK(at.wall_us() == 1'767'225'600'000'123u);
  CHECK(at < at.next());
  CHECK(at.next() < Hlc::at({now.us + 1}));
  Hlc full = at;
  for (int i = 0; i < 4096; ++i) full = full.next();
  CHECK(full == Hlc::at({now.us + 1}));
}

TEST_CASE("hlc never reaches its top bit") {
  CHECK(Hlc::at({INT64_MAX}) <= Hlc::max());
  CHECK((Hlc::at({Hlc::kWallUsMax}).value >> 63) == 0);
  CHECK(Hlc::at({Hlc::kWallUsMax}) > Hlc::at({Hlc::kWallUsMax - 1}));
  CHECK(Hlc::at({-5}) == Hlc::zero());
  CHECK(Hlc::at({Hlc::kEpochUs}) == Hlc::zero());
}
