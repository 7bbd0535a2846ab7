// engine_contract.h — what interfaces/storage_engine.h promises, as tests for every implementation.
#pragma once

#include <cstdint>
#include <functional>

#include "interfaces/storage_engine.h"

namespace coppice::testing {

// Gives a fresh, empty engine to the function, in whatever runtime that engine needs.
using WithEngine = std::function<void(const std::function<void(Engine&)>&)>;

// One promise after the other, by example.
void engine_contract(const WithEngine& with_engine);

// `steps` random transactions on a few tables, done to `engine` and to the model alike; after
// each, and at snapshots taken earlier, both must answer every kind of read alike. `disturb` is
// called now and then: flush, merge, restart. Failures name the seed.
void engine_against_model(Engine& engine, std::uint64_t seed, unsigned steps,
                          const std::function<void()>& disturb);

}  // namespace coppice::testing
