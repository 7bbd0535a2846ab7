// index_run.h — IndexRun: an immutable sorted batch of index operations in memory.
//
// Role:     what an index memtable is made of, and what a sealed part of a transaction becomes.
// Owns:     keys (each once, in one arena) and operations (16 bytes each, grouped by key).
// Holds:    keys ascend; operations of a key in PostingOp order, without repetitions.
// Threads:  const, shared. Parks: never.
#pragma once

#include <memory>
#include <vector>

#include "interfaces/types/key.h"
#include "modules/lsm/bitmap/stamp.h"

namespace coppice::lsm {

class IndexRun;
using IndexRunRef = std::shared_ptr<const IndexRun>;

class IndexRun {
 public:
  std::size_t keys() const { return slots_.size() - 1; }
  std::size_t operations() const { return ops_.size(); }
  ByteView key(std::size_t i) const {
    return ByteView(arena_).subspan(slots_[i].key_at, slots_[i + 1].key_at - slots_[i].key_at);
  }
  std::span<const PostingOp> ops(std::size_t i) const {
    return std::span(ops_).subspan(slots_[i].first_op, slots_[i + 1].first_op - slots_[i].first_op);
  }
  // The first key at or above `key`; keys() if there is none.
  std::size_t lower_bound(ByteView key) const;
  std::span<const PostingOp> find(ByteView key) const;  // empty when absent
  bool lossy() const { return lossy_; }
  std::size_t bytes() const;

 private:
  friend class IndexRunWriter;
  struct Slot {
    std::uint64_t prefix = 0;  // 8 bytes after the common ones, big-endian, zeros beyond the end
    std::uint32_t key_at = 0;
    std::uint32_t first_op = 0;
  };
  std::size_t common_ = 0;              // bytes that all keys begin with
  std::vector<Slot> slots_ = {Slot{}};  // one more than keys
  ByteBuffer arena_;
  std::vector<PostingOp> ops_;
  bool lossy_ = false;
};

inline constexpr std::size_t kIndexRunOpsMax = 1u << 31;
inline constexpr std::size_t kIndexRunKeyBytesMax = UINT32_MAX;

// Collects operations in any order and sorts them once: least significant digit radix sort on the
// eight bytes after the common prefix, comparisons only among equals.
class IndexRunBuilder {
 public:
  void add(ByteView key, PostingOp op);
  void set_lossy() { lossy_ = true; }
  std::size_t operations() const { return entries_.size(); }
  bool full() const;     // start another one
  IndexRunRef finish();  // the builder is empty again

  struct Entry {
    std::uint32_t key_at = 0;
    std::uint32_t key_size = 0;
    PostingOp op;
  };
  // What was added, in that order: a small batch goes to the head instead.
  std::span<const Entry> entries() const { return entries_; }
  ByteView key_of(const Entry& entry) const {
    return ByteView(arena_).subspan(entry.key_at, entry.key_size);
  }
  bool lossy() const { return lossy_; }
  void clear();

 private:
  std::size_t common_prefix() const;

  ByteBuffer arena_;
  std::vector<Entry> entries_;
  bool lossy_ = false;
};

// One run of several, newest first. What no read at or above `snap` can see is dropped; removals
// stay, since older data lies below.
IndexRunRef merge_runs(std::span<const IndexRunRef> newest_first, Hlc snap);

}  // namespace coppice::lsm
