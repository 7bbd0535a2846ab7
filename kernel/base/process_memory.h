// process_memory.h — how much memory this process takes up.
//
// Threads:  any.   Parks: never; reads /proc, some 20 microseconds.
#pragma once

#include <cstdint>

namespace coppice {

// Resident bytes; 0 where the system does not say.
std::uint64_t resident_bytes();

}  // namespace coppice
