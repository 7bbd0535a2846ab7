// random.cpp — xoshiro256**.
#include "kernel/base/random.h"

#include <bit>

#include "kernel/base/assert.h"

namespace coppice {

Rng::Rng(std::uint64_t seed) : state_{} {
  for (auto& word : state_) {  // splitmix64
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  COPPICE_ASSERT(bound > 0);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;  // reject the uneven rest
  std::uint64_t value = next();
  while (value >= limit) value = next();
  return value % bound;
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
  COPPICE_ASSERT(low <= high);
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t offset = width == UINT64_MAX ? next() : below(width + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Rng::unit() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace coppice
