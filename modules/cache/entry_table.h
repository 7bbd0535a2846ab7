// entry_table.h — from key to entry: open addressing, linear probing, no tombstones.
//
// Owns:     the slots, not the entries.
// Threads:  one at a time (the shard's lock).   Parks: never.
// Holds:    at most half full, so that a probe for an absent key ends soon.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/base/assert.h"
#include "modules/cache/cache_entry.h"

namespace coppice::cache {

class EntryTable {
 public:
  EntryTable() : slots_(kSlotsMin) {}

  CacheEntry* find(const BlockKey& key, std::uint64_t hash) const {
    for (std::size_t i = home(hash); slots_[i].entry != nullptr; i = after(i)) {
      if (slots_[i].hash == hash && slots_[i].entry->key == key) return slots_[i].entry;
    }
    return nullptr;
  }

  void insert(CacheEntry& entry) {  // the key must be absent
    if ((count_ + 1) * 2 > slots_.size()) resize(slots_.size() * 2);
    place(entry);
    ++count_;
  }

  void erase(const CacheEntry& entry) {
    std::size_t hole = home(entry.hash);
    while (slots_[hole].entry != &entry) {
      COPPICE_ASSERT(slots_[hole].entry != nullptr);
      hole = after(hole);
    }
    // What follows in the same run moves up where its home allows it (Knuth 6.4, algorithm R).
    for (std::size_t i = after(hole); slots_[i].entry != nullptr; i = after(i)) {
      const std::size_t distance = (i - home(slots_[i].hash)) & mask();
      if (distance >= ((i - hole) & mask())) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole] = {};
    --count_;
    if (slots_.size() > kSlotsMin && count_ * 8 < slots_.size()) resize(slots_.size() / 2);
  }

  // For walks in pieces: slots may have moved since the last piece.
  std::size_t slot_count() const { return slots_.size(); }
  CacheEntry* at_slot(std::size_t i) const { return slots_[i].entry; }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kSlotsMin = 16;
  struct Slot {
    std::uint64_t hash = 0;
    CacheEntry* entry = nullptr;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(std::uint64_t hash) const { return hash & mask(); }
  std::size_t after(std::size_t i) const { return (i + 1) & mask(); }
  void place(CacheEntry& entry) {
    std::size_t i = home(entry.hash);
    while (slots_[i].entry != nullptr) i = after(i);
    slots_[i] = {entry.hash, &entry};
  }
  void resize(std::size_t slots) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot& slot : old) {
      if (slot.entry != nullptr) place(*slot.entry);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace coppice::cache
