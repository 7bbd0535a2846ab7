// ghost_table_test.cpp — what is remembered, for how long.
#include "modules/cache/ghost_table.h"

#include <doctest/doctest.h>
#include "kernel/base/random.h"

namespace coppice::cache {
namespace {

TEST_CASE("a key is remembered once, until a window of bytes has followed it") {
  GhostTable ghost;
  ghost.resize(100 * 8192);
  Rng rng(1);
  const std::uint64_t key = rng.next();
  CHECK_FALSE(ghost.take(key));
  ghost.add(key, 8192);
  CHECK(ghost.take(key));
  CHECK_FALSE(ghost.take(key));
  ghost.add(key, 8192);
  for (int i = 0; i < 90; ++i) ghost.add(rng.next(), 8192);
  CHECK(ghost.take(key));
  ghost.add(key, 8192);
  for (int i = 0; i < 110; ++i) ghost.add(rng.next(), 8192);
  CHECK_FALSE(ghost.take(key));
}

TEST_CASE("most keys of the window are remembered") {
  GhostTable ghost;
  ghost.resize(4096 * 8192);
  std::vector<std::uint64_t> keys;
  Rng rng(2);
  for (int i = 0; i < 4096; ++i) keys.push_back(rng.next());
  for (const std::uint64_t key : keys) ghost.add(key, 8192);
  int remembered = 0;
  for (const std::uint64_t key : keys) remembered += ghost.take(key) ? 1 : 0;
  CHECK(remembered > 4096 * 9 / 10);
}

TEST_CASE("no room, no memory") {
  GhostTable ghost;
  ghost.resize(0);
  Rng rng(3);
  const std::uint64_t key = rng.next();
  ghost.add(key, 4096);
  CHECK_FALSE(ghost.take(key));
}

}  // namespace
}  // namespace coppice::cache
