// forest_test.cpp — the forest keeps the engine's promises, and agrees with the model.
#include <doctest/doctest.h>

#include "tests/contract/engine_contract.h"
#include "tests/modules/lsm/forest/forest_fixture.h"
#include "tests/support/seeds.h"

namespace coppice::lsm {
namespace {

// So little that every commit is flushed, sooner or later.
ForestOptions tiny() {
  return {.memtable_bytes = 20_KiB, .file_bytes = 30_KiB};
}

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

TEST_CASE("a forest that flushes all the time keeps the engine's contract") {
  testing::engine_contract([](const std::function<void(Engine&)>& use) {
    FaultyVfs vfs;
    CHECK(simulate(2, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock(), tiny());
      REQUIRE(node.start());
      use(node.forest());
      node.stop();
    }));
  });
}

TEST_CASE("the forest in memory agrees with the model") {
  for (std::uint64_t seed = 1; seed <= seed_count(10); ++seed) {
    FaultyVfs vfs;
    CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock());
      REQUIRE(node.start());
      testing::engine_against_model(node.forest(), seed, 40, [] {});
      node.stop();
    }));
  }
}

TEST_CASE("the forest agrees with the model through flushes and merges") {
  for (std::uint64_t seed = 1; seed <= seed_count(20); ++seed) {
    FaultyVfs vfs;
    CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock(), seed % 2 == 0 ? tiny() : ForestOptions{});
      REQUIRE(node.start());
      Forest& forest = node.forest();
      Rng rng(seed);
      testing::engine_against_model(forest, seed, 40, [&] {
        const Status done = rng.chance(0.5) ? forest.flush() : forest.merge_all();
        REQUIRE_MESSAGE(done, done.error().to_string());
      });
      REQUIRE(forest.flush());
      CHECK(forest.counters().files > 0);
      node.stop();
    }));
  }
}

}  // namespace
}  // namespace coppice::lsm
