// runtimes.h — runs a test's main fiber where it must hold: on threads and under many seeds.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "kernel/fiber/runtime.h"
#include "kernel/fiber/sim_runtime.h"
#include "kernel/fiber/thread_runtime.h"
#include "tests/support/seeds.h"

namespace coppice::fiber {

inline constexpr std::uint64_t kSeeds = 1000;

// On two real workers, any of whom may take any start: the most interleaving there is.
template <class Main>
void on_threads(Main main, unsigned workers = 2) {
  ThreadRuntime threads({.workers = workers, .stealing = Stealing::kAlways, .seed = 1});
  CHECK(threads.run([&main] { main(); }).has_value());
}

template <class Main>
void on_seeds(Main main, std::uint64_t seeds = seed_count(kSeeds)) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    SimRuntime simulator(seed);
    const Status status = simulator.run([&main] { main(); });
    if (!status) FAIL_CHECK("seed " << seed << ": " << status.error().to_string());
  }
}

template <class Main>
void everywhere(Main main) {
  on_threads(main);
  on_seeds(main);
}

}  // namespace coppice::fiber
