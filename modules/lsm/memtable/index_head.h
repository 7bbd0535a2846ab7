// index_head.h — IndexHead: the small ordered structure that single index operations go to.
//
// Role:     a skip list over an arena; full at kIndexHeadOpsMax operations, then it becomes a run.
// Owns:     its nodes and their keys.
// Threads:  one writer and any number of readers at once, without locks: a node is complete before
//           a release store links it in, and nothing is ever unlinked. Readers see operations newer
//           than their read timestamp and pass over them.
// Parks:    never.
// Source:   the single-writer skip list of leveldb (db/skiplist.h), as an idea.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "modules/lsm/memtable/index_run.h"

namespace coppice::lsm {

inline constexpr std::size_t kIndexHeadOpsMax = 4096;

class IndexHead {
 public:
  IndexHead();
  IndexHead(const IndexHead&) = delete;
  IndexHead& operator=(const IndexHead&) = delete;

  void add(ByteView key, PostingOp op, bool lossy);  // writer only
  std::size_t operations() const { return size_.load(std::memory_order_relaxed); }
  bool full() const { return operations() >= kIndexHeadOpsMax; }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  IndexRunRef to_run() const;

  // Appends the operations of `key`, in order.
  void collect(ByteView key, std::vector<PostingOp>& to) const;
  // The nearest key at or above / strictly below; nothing if there is none. Valid while the head
  // lives.
  std::optional<ByteView> key_at_or_above(ByteView key) const;
  std::optional<ByteView> key_below(ByteView key) const;
  std::optional<ByteView> last_key() const;

 private:
  static constexpr int kLevels = 6;  // 4^6 = 4,096
  static constexpr std::size_t kChunkBytes = 16 << 10;
  struct Node {
    PostingOp op;
    ByteView key;
    std::array<std::atomic<Node*>, kLevels> next{};
  };
  std::byte* allocate(std::size_t bytes);
  // Around (key, op): the last node before it, and the one after that as the search saw it. Readers
  // must not load it again from `before`: the writer may have put a smaller one in between.
  struct Place {
    const Node* before;
    const Node* at_or_after;  // null: none
  };
  Place find(ByteView key, PostingOp op, std::array<Node*, kLevels>* path) const;

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t chunk_left_ = 0;
  std::byte* chunk_next_ = nullptr;
  Node* root_;
  std::uint64_t levels_seed_ = 0x9e3779b97f4a7c15u;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> lossy_{false};
};

}  // namespace coppice::lsm
