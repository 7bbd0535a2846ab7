// seeds.h — how many seeds a random test runs.
//
// A test has a usual number; COPPICE_SEEDS asks for another one: ./dev sim --seeds N does, and CI
// under sanitizers.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace coppice {

inline std::uint64_t seed_count(std::uint64_t usual) {
  const char* asked = std::getenv("COPPICE_SEEDS");
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : usual;
}

}  // namespace coppice
