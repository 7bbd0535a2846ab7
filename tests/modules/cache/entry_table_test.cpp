// entry_table_test.cpp — the table against std::map, with hashes that collide on purpose.
#include "modules/cache/entry_table.h"

#include <map>
#include <memory>

#include <doctest/doctest.h>
#include "kernel/base/random.h"

namespace coppice::cache {
namespace {

TEST_CASE("the table finds what is in it and nothing else") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const std::uint64_t spread = seed % 2 == 0 ? 7 : UINT64_MAX;  // few homes: long runs
    EntryTable table;
    std::map<std::uint64_t, std::unique_ptr<CacheEntry>> model;
    for (int step = 0; step < 4000; ++step) {
      const std::uint64_t offset = rng.below(300);
      const std::uint64_t hash = (offset * 0x9E3779B97F4A7C15ULL) % spread;
      const auto known = model.find(offset);
      CacheEntry* const found = table.find({1, offset}, hash);
      REQUIRE(found == (known == model.end() ? nullptr : known->second.get()));
      if (found != nullptr) {
        if (rng.chance(0.6)) continue;
        table.erase(*found);
        model.erase(known);
      } else {
        auto entry = std::make_unique<CacheEntry>();
        entry->key = {1, offset};
        entry->hash = hash;
        table.insert(*entry);
        model.emplace(offset, std::move(entry));
      }
      REQUIRE(table.count() == model.size());
    }
  }
}

TEST_CASE("the table gives room back") {
  EntryTable table;
  std::vector<std::unique_ptr<CacheEntry>> entries;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    entries.push_back(std::make_unique<CacheEntry>());
    entries.back()->key = {1, i};
    entries.back()->hash = i * 0x9E3779B97F4A7C15ULL;
    table.insert(*entries.back());
  }
  CHECK(table.slot_count() >= 20000);
  for (const auto& entry : entries) table.erase(*entry);
  CHECK(table.slot_count() <= 32);
}

}  // namespace
}  // namespace coppice::cache
