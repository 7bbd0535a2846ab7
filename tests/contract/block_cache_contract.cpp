// block_cache_contract.cpp — random use against a model, pins, erasure, and threads.
#include "tests/contract/block_cache_contract.h"

#include <array>
#include <atomic>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "kernel/base/random.h"

namespace coppice {
namespace {

// Knows what it is, and counts how many of its kind live.
class TestBlock final : public CachedBlock {
 public:
  TestBlock(std::atomic<int>& live, BlockKey key, std::uint64_t serial, std::size_t charge)
      : live_(live), key_(key), serial_(serial), charge_(charge) {
    ++live_;
  }
  TestBlock(const TestBlock&) = delete;
  TestBlock& operator=(const TestBlock&) = delete;
  ~TestBlock() override {
    serial_ = UINT64_MAX;  // a reader of a destroyed block would see this
    --live_;
  }
  std::size_t charge() const override { return charge_; }
  BlockKey key() const { return key_; }
  std::uint64_t serial() const { return serial_; }

 private:
  std::atomic<int>& live_;
  BlockKey key_;
  std::uint64_t serial_;
  std::size_t charge_;
};

const TestBlock& block_of(const BlockPin& pin) {
  return static_cast<const TestBlock&>(*pin);
}

constexpr TenantId kTenant{7};
constexpr std::uint64_t kCapacity = 1 << 20;

using Make = std::function<std::unique_ptr<BlockCache>(std::uint64_t)>;

// Whatever a cache forgets, what it gives is what was put in first and not erased since.
void model_test(const Make& make, bool keeps, std::uint64_t seed) {
  CAPTURE(seed);
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  Rng rng(seed);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> model;  // key -> serial
  std::vector<std::pair<BlockPin, std::uint64_t>> pins;                    // with their serial
  std::uint64_t hits = 0;
  for (std::uint64_t serial = 1; serial <= 6000; ++serial) {
    const BlockKey key{1 + rng.below(4), rng.below(100) * 8192};
    const auto name = std::pair(key.file, key.offset);
    const std::uint64_t what = rng.below(100);
    if (what < 45) {
      BlockPin pin = cache->find(key);
      if (!pin) continue;
      ++hits;
      REQUIRE(model.contains(name));
      REQUIRE(block_of(pin).serial() == model[name]);
      if (pins.size() < 20) pins.emplace_back(std::move(pin), model[name]);
    } else if (what < 90) {
      const BlockPin known = cache->find(key);
      const std::size_t charge = 100 + rng.below(16000);
      BlockPin pin =
          cache->insert(key, std::make_unique<TestBlock>(live, key, serial, charge), kTenant);
      REQUIRE(pin);
      if (known) REQUIRE(pin.get() == known.get());
      const std::uint64_t kept = block_of(pin).serial();
      // An older one that is pinned may have been evicted; then the new one is the cache's.
      REQUIRE((kept == serial || kept == model[name]));
      model[name] = kept;
    } else if (what < 97) {
      if (!pins.empty()) {
        std::swap(pins[rng.below(pins.size())], pins.back());
        pins.pop_back();
      }
    } else if (what < 99) {
      cache->resize(kCapacity / 4 + rng.below(kCapacity));
    } else {
      cache->erase_file(key.file);
      std::erase_if(model, [&](const auto& entry) { return entry.first.first == key.file; });
    }
    for (const auto& [pin, expected] : pins) REQUIRE(block_of(pin).serial() == expected);
    if (serial % 50 == 0) {
      const BlockCacheStats stats = cache->stats();
      REQUIRE(stats.bytes <= stats.capacity_bytes + stats.pinned_bytes);
      REQUIRE(cache->bytes() == stats.bytes);
    }
  }
  if (keeps) CHECK(hits > 250);
  pins.clear();
  cache->erase_file(1);
  cache->erase_file(2);
  cache->erase_file(3);
  cache->erase_file(4);
  CHECK(live == 0);
  CHECK(cache->stats().bytes == 0);
  CHECK(cache->tenant_bytes(kTenant) == 0);
}

void a_pin_outlives_erasure(const Make& make, bool keeps) {
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  const BlockKey key{5, 0};
  BlockPin pin = cache->insert(key, std::make_unique<TestBlock>(live, key, 1, 1000), kTenant);
  CHECK(static_cast<bool>(cache->find(key)) == keeps);
  cache->erase_file(5);
  CHECK_FALSE(cache->find(key));
  CHECK(live == 1);
  CHECK(block_of(pin).serial() == 1);
  BlockPin moved = std::move(pin);
  CHECK_FALSE(pin);  // NOLINT(bugprone-use-after-move): that is the question
  CHECK(block_of(moved).serial() == 1);
  // The key is free: another block may come in beside the old one.
  const BlockPin second =
      cache->insert(key, std::make_unique<TestBlock>(live, key, 2, 1000), kTenant);
  CHECK(block_of(second).serial() == 2);
  moved = BlockPin();
  CHECK(live == 1);
}

void what_does_not_fit_lives_as_its_pin(const Make& make) {
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  const BlockKey key{1, 0};
  {
    const BlockPin pin =
        cache->insert(key, std::make_unique<TestBlock>(live, key, 1, 2 * kCapacity), kTenant);
    CHECK(block_of(pin).serial() == 1);
  }
  CHECK(live == 0);
  CHECK_FALSE(cache->find(key));
}

void the_first_of_two_readers_wins(const Make& make) {
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  const BlockKey key{1, 4096};
  const BlockPin first =
      cache->insert(key, std::make_unique<TestBlock>(live, key, 1, 100), kTenant);
  const BlockPin second =
      cache->insert(key, std::make_unique<TestBlock>(live, key, 2, 100), kTenant);
  CHECK(second.get() == first.get());
  CHECK(live == 1);
}

// Everything pinned, more than fits; then the pins go.
void pins_may_exceed_the_capacity_for_as_long_as_they_live(const Make& make) {
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  {
    std::vector<BlockPin> pins;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const BlockKey key{1, i};
      pins.push_back(cache->insert(key, std::make_unique<TestBlock>(live, key, i, 10000), kTenant));
    }
    CHECK(live == 300);
    for (std::uint64_t i = 0; i < 300; ++i) CHECK(block_of(pins[i]).serial() == i);
    CHECK(cache->stats().bytes > kCapacity);
  }
  CHECK(cache->stats().bytes <= kCapacity);
  CHECK(cache->stats().pinned_bytes == 0);
}

void resizing_takes_hold_at_once(const Make& make) {
  std::atomic<int> live = 0;
  const auto cache = make(kCapacity);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const BlockKey key{1, i};
    cache->insert(key, std::make_unique<TestBlock>(live, key, i, 4000), TenantId{1});
  }
  const std::uint64_t before = cache->stats().bytes;
  CHECK(cache->tenant_bytes(TenantId{1}) == before);
  CHECK(cache->tenant_bytes(TenantId{2}) == 0);
  cache->resize(before / 2);
  CHECK(cache->stats().bytes <= before / 2);
  CHECK(cache->stats().capacity_bytes <= before / 2);
  cache->resize(0);
  CHECK(live == 0);
  const BlockPin pin =
      cache->insert({2, 0}, std::make_unique<TestBlock>(live, BlockKey{2, 0}, 1, 1), TenantId{1});
  CHECK(pin);
}

void many_threads(const Make& make) {
  std::atomic<int> live = 0;
  std::atomic<int> wrong = 0;
  const auto cache = make(kCapacity / 4);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Rng rng(t + 1);
        std::array<BlockPin, 4> held;
        for (int round = 0; round < 4000; ++round) {
          const BlockKey key{1 + rng.below(3), rng.below(200)};
          BlockPin pin = cache->find(key);
          if (!pin) {
            const std::size_t charge = 100 + key.offset * 50;
            pin = cache->insert(key, std::make_unique<TestBlock>(live, key, key.offset, charge),
                                TenantId{1});
          }
          const TestBlock& block = block_of(pin);
          if (block.serial() != key.offset || !(block.key() == key)) ++wrong;
          held[rng.below(held.size())] = std::move(pin);
          if (rng.chance(0.002)) cache->erase_file(key.file);
          if (rng.chance(0.002)) cache->resize(kCapacity / 8 + rng.below(kCapacity / 4));
          if (rng.chance(0.001)) static_cast<void>(cache->stats());
        }
      });
    }
  }
  CHECK(wrong == 0);
  const BlockCacheStats stats = cache->stats();
  CHECK(stats.pinned_bytes == 0);
  CHECK(stats.bytes <= stats.capacity_bytes);
  cache->resize(0);
  CHECK(live == 0);
}

}  // namespace

void block_cache_contract(const Make& make, bool keeps) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) model_test(make, keeps, seed);
  a_pin_outlives_erasure(make, keeps);
  what_does_not_fit_lives_as_its_pin(make);
  many_threads(make);
  if (!keeps) return;
  the_first_of_two_readers_wins(make);
  pins_may_exceed_the_capacity_for_as_long_as_they_live(make);
  resizing_takes_hold_at_once(make);
}

}  // namespace coppice
