// random.h — the only source of randomness: a small seeded generator.
//
// Role:     xoshiro256** seeded by splitmix64; the same seed gives the same run everywhere.
//           Not for secrets.
// Threads:  one at a time; give each user its own, made with fork().
// Source:   Blackman and Vigna, https://prng.di.unimi.it/ (public domain).
#pragma once

#include <array>
#include <cstdint>

namespace coppice {

class Rng {
 public:
  using result_type = std::uint64_t;  // a UniformRandomBitGenerator, for std::shuffle

  explicit Rng(std::uint64_t seed);

  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound);                   // uniform in [0, bound); bound > 0
  std::int64_t between(std::int64_t low, std::int64_t high);  // uniform in [low, high]
  double unit();                                              // uniform in [0, 1)
  bool chance(double probability) { return unit() < probability; }
  Rng fork() { return Rng(next()); }

  std::uint64_t operator()() { return next(); }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return UINT64_MAX; }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace coppice
