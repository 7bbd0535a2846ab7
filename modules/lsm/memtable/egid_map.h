// egid_map.h — an ordered map from egid to a number: a B+tree that only grows.
//
// Role:     finds the version chains of a memtable; a memtable never forgets a row.
// Threads:  one writer, or any number of readers, not both.   Parks: never.
// Holds:    leaves are linked in order; nodes are addressed by index, so growth moves none.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "interfaces/types/egid.h"

namespace coppice::lsm {

class EgidMap {
 public:
  EgidMap();

  std::optional<std::uint32_t> find(Egid egid) const;
  // Adds a new key. The key must not be there.
  void insert(Egid egid, std::uint32_t value);

  // Visits keys in [from, to] in order; visit(egid, value) returns false to stop.
  template <class Visit>
  void visit(Egid from, Egid to, Visit visit) const;

  std::uint64_t size() const { return size_; }
  std::size_t memory_bytes() const {
    return leaves_.size() * sizeof(Leaf) + inners_.size() * sizeof(Inner);
  }

 private:
  static constexpr std::uint32_t kFanout = 64;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kHeightMax = 12;
  struct Leaf {
    std::uint32_t count = 0;
    std::uint32_t next = kNone;
    Egid keys[kFanout];
    std::uint32_t values[kFanout];
  };
  struct Inner {              // child i holds keys below keys[i]; the last one the rest
    std::uint32_t count = 0;  // of keys
    Egid keys[kFanout];
    std::uint32_t children[kFanout + 1];
  };
  struct Step {
    std::uint32_t inner;
    std::uint32_t child;
  };
  static std::uint32_t first_above(const Egid* keys, std::uint32_t count, Egid egid);
  std::uint32_t leaf_of(Egid egid) const;
  void insert_into_parent(const Step* path, std::uint32_t depth, Egid key, std::uint32_t right);

  std::deque<Leaf> leaves_;
  std::deque<Inner> inners_;
  std::uint32_t root_ = 0;    // a leaf if height_ is 0
  std::uint32_t height_ = 0;  // levels of inner nodes
  std::uint64_t size_ = 0;
};

template <class Visit>
void EgidMap::visit(Egid from, Egid to, Visit visit) const {
  for (std::uint32_t at = leaf_of(from); at != kNone; at = leaves_[at].next) {
    const Leaf& leaf = leaves_[at];
    for (std::uint32_t i = 0; i < leaf.count; ++i) {
      if (leaf.keys[i] < from) continue;
      if (leaf.keys[i] > to || !visit(leaf.keys[i], leaf.values[i])) return;
    }
  }
}

}  // namespace coppice::lsm
