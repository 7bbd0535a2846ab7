// oracle_test.cpp — "unchanged" is never said of a row that was changed.
#include "modules/txn/oracle.h"

#include <doctest/doctest.h>

#include <map>

#include "kernel/base/random.h"

using namespace coppice;
using namespace coppice::txn;

namespace {
constexpr TableRef kTable{{1}, {10}};
constexpr TableRef kOther{{2}, {10}};
}  // namespace

TEST_CASE("a noted row has changed for who looked before, not for who looked after") {
  Oracle oracle;
  CHECK_FALSE(oracle.maybe_changed(kTable, 7, Hlc::zero()));
  oracle.note(kTable, 7, Hlc{100});
  CHECK(oracle.maybe_changed(kTable, 7, Hlc{99}));
  CHECK_FALSE(oracle.maybe_changed(kTable, 7, Hlc{100}));
  CHECK_FALSE(oracle.maybe_changed(kOther, 7, Hlc{99}));
}

TEST_CASE("no change is ever forgotten, however many rows share the slots") {
  Oracle oracle;
  Rng rng(1);
  std::map<Egid, std::uint64_t> model;
  for (std::uint64_t at = 1; at < 400'000; ++at) {
    const Egid row = 1 + rng.below(300'000);
    oracle.note(kTable, row, Hlc{at});
    model[row] = at;
  }
  for (const auto& [row, at] : model) CHECK(oracle.maybe_changed(kTable, row, Hlc{at - 1}));
}

TEST_CASE("a commit that did not count its rows makes every row doubtful") {
  Oracle oracle;
  oracle.note_many(Hlc{50});
  CHECK(oracle.maybe_changed(kTable, 1, Hlc{49}));
  CHECK_FALSE(oracle.maybe_changed(kTable, 1, Hlc{50}));
}
