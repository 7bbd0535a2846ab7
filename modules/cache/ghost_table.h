// ghost_table.h — what was lately evicted from the small queue: keys without blocks.
//
// Role:     a key that comes back while it is remembered was dropped too early, and goes to the
//           main queue. The ghost queue of S3-FIFO, as a hash table of fingerprints with the
//           eviction time, where time is the number of bytes evicted so far: an entry is forgotten
//           when as many bytes have followed it as the main queue holds. Lossy by design: a full
//           bucket drops its oldest, a fingerprint may lie once in some hundred million times.
// Threads:  one at a time (the shard's lock).   Parks: never.
// Source:   Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023, section 4.2.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace coppice::cache {

class GhostTable {
 public:
  // Remembers about `window_bytes` of evicted blocks from now on. Forgets everything when the table
  // has to grow or can shrink to a quarter.
  void resize(std::uint64_t window_bytes) {
    window_units_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(window_bytes / kUnitBytes, UINT32_MAX / 2));
    const std::uint64_t keys = window_bytes / kTypicalBlockBytes;
    const std::size_t wanted = std::bit_ceil(std::max<std::uint64_t>(1, keys / kBucketSlots));
    if (wanted > buckets_.size() || wanted * 4 <= buckets_.size()) buckets_.assign(wanted, {});
  }

  void add(std::uint64_t hash, std::uint64_t evicted_bytes) {
    evicted_bytes_ += evicted_bytes;
    Bucket& bucket = bucket_of(hash);
    Slot* oldest = &bucket.front();
    for (Slot& slot : bucket) {
      if (age(slot) > age(*oldest)) oldest = &slot;
    }
    *oldest = {fingerprint(hash), now()};
  }

  // Whether the key is remembered; it is not afterwards.
  bool take(std::uint64_t hash) {
    for (Slot& slot : bucket_of(hash)) {
      if (slot.fingerprint != fingerprint(hash) || age(slot) >= window_units_) continue;
      slot = {};
      return true;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kUnitBytes = 1024;
  static constexpr std::uint64_t kTypicalBlockBytes = 4096;
  static constexpr std::size_t kBucketSlots = 8;  // a cache line
  struct Slot {
    std::uint32_t fingerprint = 0;  // 0: empty
    std::uint32_t time = 0;
  };
  using Bucket = std::array<Slot, kBucketSlots>;

  static std::uint32_t fingerprint(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32) | 1U;
  }
  std::uint32_t now() const { return static_cast<std::uint32_t>(evicted_bytes_ / kUnitBytes); }
  std::uint32_t age(const Slot& slot) const {  // wraps with the clock
    return slot.fingerprint == 0 ? UINT32_MAX : now() - slot.time;
  }
  Bucket& bucket_of(std::uint64_t hash) { return buckets_[hash & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_ = std::vector<Bucket>(1);
  std::uint64_t evicted_bytes_ = 0;
  std::uint32_t window_units_ = 0;
};

}  // namespace coppice::cache
