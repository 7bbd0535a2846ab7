// hlc_clock_test.cpp — timestamps increase, whatever the wall does.
#include "modules/raft/hlc_clock.h"

#include <doctest/doctest.h>

namespace coppice::raft {
namespace {

constexpr WallTime kNoon{Hlc::kEpochUs + 43'200'000'000};

TEST_CASE("a timestamp is the wall's time, or the next one when the wall stands still") {
  HlcClock clock(Hlc::zero());
  const Hlc first = clock.next(kNoon);
  CHECK(first == Hlc::at(kNoon));
  CHECK(clock.next(kNoon) == first.next());
  CHECK(clock.next({kNoon.us + 1}) == Hlc::at({kNoon.us + 1}));
}

TEST_CASE("a wall that goes back does not take the clock along") {
  HlcClock clock(Hlc::zero());
  const Hlc first = clock.next(kNoon);
  CHECK(clock.next({kNoon.us - 1'000'000}) == first.next());
  CHECK(clock.last() == first.next());
}

TEST_CASE("what was observed elsewhere, or in the log, is exceeded") {
  HlcClock clock(Hlc::at(kNoon));
  CHECK(clock.next({kNoon.us - 5}) == Hlc::at(kNoon).next());
  clock.observe(Hlc::at({kNoon.us + 100}));
  CHECK(clock.next(kNoon) == Hlc::at({kNoon.us + 100}).next());
  clock.observe(Hlc::zero());
  CHECK(clock.next(kNoon) == Hlc::at({kNoon.us + 100}).next().next());
}

}  // namespace
}  // namespace coppice::raft
