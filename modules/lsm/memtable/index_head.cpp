// index_head.cpp — the skip list.
#include "modules/lsm/memtable/index_head.h"

#include <algorithm>
#include <bit>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

// The first operation there could be on a key.
constexpr PostingOp kBeforeAll{0, Stamp{UINT64_MAX}};

}  // namespace

IndexHead::IndexHead()
    : root_(std::construct_at(reinterpret_cast<Node*>(allocate(sizeof(Node))))) {}

std::byte* IndexHead::allocate(std::size_t bytes) {
  bytes = align_up(bytes, alignof(Node));
  if (bytes > chunk_left_) {
    const std::size_t size = std::max(bytes, kChunkBytes);
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    chunk_next_ = chunks_.back().get();
    chunk_left_ = size;
    bytes_.fetch_add(size, std::memory_order_relaxed);
  }
  chunk_left_ -= bytes;
  return std::exchange(chunk_next_, chunk_next_ + bytes);
}

IndexHead::Place IndexHead::find(ByteView key, PostingOp op,
                                 std::array<Node*, kLevels>* path) const {
  Node* at = root_;
  const Node* beyond = nullptr;
  for (int level = kLevels - 1; level >= 0; --level) {
    const auto slot = static_cast<std::size_t>(level);
    Node* next = at->next[slot].load(std::memory_order_acquire);
    for (; next != nullptr; next = at->next[slot].load(std::memory_order_acquire)) {
      const int order = compare_keys(next->key, key);
      if (order > 0 || (order == 0 && !(next->op < op))) break;
      at = next;
    }
    beyond = next;
    if (path != nullptr) (*path)[slot] = at;
  }
  return {at, beyond};
}

void IndexHead::add(ByteView key, PostingOp op, bool lossy) {
  std::array<Node*, kLevels> path{};
  const Node* const at = find(key, op, &path).at_or_after;
  if (at != nullptr && at->op == op && compare_keys(at->key, key) == 0) return;  // replayed

  std::byte* const bytes = allocate(key.size());
  if (!key.empty()) std::memcpy(bytes, key.data(), key.size());
  Node* const node = std::construct_at(reinterpret_cast<Node*>(allocate(sizeof(Node))));
  node->op = op;
  node->key = ByteView(bytes, key.size());
  levels_seed_ ^= levels_seed_ << 13;  // xorshift64: a deterministic one in four per level
  levels_seed_ ^= levels_seed_ >> 7;
  levels_seed_ ^= levels_seed_ << 17;
  const auto height =
      static_cast<std::size_t>(std::min(kLevels, 1 + std::countr_zero(levels_seed_) / 2));
  for (std::size_t level = 0; level < height; ++level) {
    node->next[level].store(path[level]->next[level].load(std::memory_order_relaxed),
                            std::memory_order_relaxed);
    path[level]->next[level].store(node, std::memory_order_release);
  }
  if (lossy) lossy_.store(true, std::memory_order_relaxed);
  size_.fetch_add(1, std::memory_order_relaxed);
}

void IndexHead::collect(ByteView key, std::vector<PostingOp>& to) const {
  const Node* node = find(key, kBeforeAll, nullptr).at_or_after;
  for (; node != nullptr && compare_keys(node->key, key) == 0;
       node = node->next[0].load(std::memory_order_acquire)) {
    to.push_back(node->op);
  }
}

std::optional<ByteView> IndexHead::key_at_or_above(ByteView key) const {
  const Node* const node = find(key, kBeforeAll, nullptr).at_or_after;
  if (node == nullptr) return std::nullopt;
  return node->key;
}

std::optional<ByteView> IndexHead::key_below(ByteView key) const {
  const Node* const node = find(key, kBeforeAll, nullptr).before;
  if (node == root_) return std::nullopt;
  return node->key;
}

std::optional<ByteView> IndexHead::last_key() const {
  const Node* at = root_;
  for (std::size_t level = kLevels; level-- > 0;) {
    while (const Node* next = at->next[level].load(std::memory_order_acquire)) at = next;
  }
  if (at == root_) return std::nullopt;
  return at->key;
}

IndexRunRef IndexHead::to_run() const {
  IndexRunBuilder builder;
  for (const Node* node = root_->next[0].load(std::memory_order_acquire); node != nullptr;
       node = node->next[0].load(std::memory_order_acquire)) {
    builder.add(node->key, node->op);
  }
  if (lossy_.load(std::memory_order_relaxed)) builder.set_lossy();
  return builder.finish();
}

}  // namespace coppice::lsm
