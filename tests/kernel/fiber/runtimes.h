// runtimes.h — runs a test's main fiber where it must hold.
#pragma once

#include <doctest/doctest.h>

#include "kernel/fiber/runtime.h"
#include "kernel/fiber/thread_runtime.h"

namespace coppice::fiber {

// On two real workers, any worker may take any start: the most interleaving there is.
inline void on_threads(std::move_only_function<void()> main, unsigned workers = 2) {
  ThreadRuntime threads({.workers = workers, .stealing = Stealing::kAlways});
  CHECK(threads.run(std::move(main)).has_value());
}

}  // namespace coppice::fiber
