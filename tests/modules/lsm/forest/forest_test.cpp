// forest_test.cpp — the forest keeps the engine's promises, and agrees with the model.
#include <doctest/doctest.h>

#include "tests/contract/engine_contract.h"
#include "tests/modules/lsm/forest/forest_fixture.h"
#include "tests/support/seeds.h"

namespace coppice::lsm {
namespace {

TEST_CASE("the forest keeps the engine's contract") {
  testing::engine_contract([](const std::function<void(Engine&)>& use) {
    FaultyVfs vfs;
    CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock());
      REQUIRE(node.start());
      use(node.forest());
      node.stop();
    }));
  });
}

TEST_CASE("the forest in memory agrees with the model") {
  for (std::uint64_t seed = 1; seed <= seed_count(20); ++seed) {
    FaultyVfs vfs;
    CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock());
      REQUIRE(node.start());
      testing::engine_against_model(node.forest(), seed, 40, [] {});
      node.stop();
    }));
  }
}

}  // namespace
}  // namespace coppice::lsm
