// mem_engine_test.cpp — a stub must pass the suite before it may be used.
#include "tests/support/mem_engine.h"

#include <doctest/doctest.h>

#include "tests/contract/engine_contract.h"

using namespace coppice;
using namespace coppice::testing;

TEST_CASE("the model engine keeps the engine's promises") {
  engine_contract([](const std::function<void(Engine&)>& use) {
    MemEngine engine;
    use(engine);
  });
}

TEST_CASE("the model agrees with itself, whatever is done to it") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    MemEngine engine;
    engine_against_model(engine, seed, 30, [] {});
  }
}
