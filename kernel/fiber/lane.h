// lane.h — the lanes of the product: a priority with a name and a policy.
//
// Role:     the one table of who runs before whom on a worker.
//             log       always first: everybody waits for it
//             query     next; tenants share it by deficit round robin in CPU ticks
//             flush     after queries, but never starved: every kLowerTurn-th pick goes below query
//             background as flush; of what both get, flush has nine parts in ten
//           On big machines a lane may have threads that no other lane enters.
#pragma once

#include <array>
#include <string_view>

#include "kernel/fiber/fiber.h"

namespace coppice::fiber {

struct Lane {
  std::string_view name;
  Priority priority;
  unsigned dedicated_threads = 0;  // beside the shared workers; 0 below 8 cores
};

using Lanes = std::array<Lane, kPriorityCount>;  // indexed by Priority

inline constexpr Lanes kLanes = {{
    {"log", Priority::kLog},
    {"query", Priority::kQuery},
    {"flush", Priority::kUrgentFlush},
    {"background", Priority::kBackground},
}};
inline constexpr unsigned kLowerTurn = 16;

}  // namespace coppice::fiber
