#include "modules/lsm/memtable/egid_map.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

template <class T>
void insert_at(T* items, std::uint32_t count, std::uint32_t at, T item) {
  std::copy_backward(items + at, items + count, items + count + 1);
  items[at] = item;
}

}  // namespace

EgidMap::EgidMap() {
  leaves_.emplace_back();
}

std::uint32_t EgidMap::first_above(const Egid* keys, std::uint32_t count, Egid egid) {
  std::uint32_t low = 0;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    const bool skip = keys[low + half] <= egid;
    low = skip ? low + half + 1 : low;
    count = skip ? count - half - 1 : half;
  }
  return low;
}

std::uint32_t EgidMap::leaf_of(Egid egid) const {
  std::uint32_t at = root_;
  for (std::uint32_t level = height_; level > 0; --level) {
    const Inner& inner = inners_[at];
    at = inner.children[first_above(inner.keys, inner.count, egid)];
  }
  return at;
}

std::optional<std::uint32_t> EgidMap::find(Egid egid) const {
  const Leaf& leaf = leaves_[leaf_of(egid)];
  const std::uint32_t above = first_above(leaf.keys, leaf.count, egid);
  if (above == 0 || leaf.keys[above - 1] != egid) return std::nullopt;
  return leaf.values[above - 1];
}

void EgidMap::insert(Egid egid, std::uint32_t value) {
  Step path[kHeightMax];
  std::uint32_t at = root_;
  for (std::uint32_t level = 0; level < height_; ++level) {
    const Inner& inner = inners_[at];
    path[level] = {at, first_above(inner.keys, inner.count, egid)};
    at = inner.children[path[level].child];
  }
  ++size_;
  if (leaves_[at].count == kFanout) {
    // Keys that only ascend fill their leaves: the right half stays empty then.
    const bool ascending = leaves_[at].next == kNone && egid > leaves_[at].keys[kFanout - 1];
    const std::uint32_t kept = ascending ? kFanout : kFanout / 2;
    const auto right = static_cast<std::uint32_t>(leaves_.size());
    leaves_.emplace_back();
    Leaf& from = leaves_[at];
    Leaf& to = leaves_[right];
    std::copy(from.keys + kept, from.keys + kFanout, to.keys);
    std::copy(from.values + kept, from.values + kFanout, to.values);
    to.count = kFanout - kept;
    from.count = kept;
    to.next = from.next;
    from.next = right;
    const Egid key = ascending ? egid : to.keys[0];
    insert_into_parent(path, height_, key, right);
    if (egid >= key) at = right;
  }
  Leaf& leaf = leaves_[at];
  const std::uint32_t position = first_above(leaf.keys, leaf.count, egid);
  COPPICE_DEBUG_ASSERT(position == 0 || leaf.keys[position - 1] != egid);
  insert_at(leaf.keys, leaf.count, position, egid);
  insert_at(leaf.values, leaf.count, position, value);
  ++leaf.count;
}

void EgidMap::insert_into_parent(const Step* path, std::uint32_t depth, Egid key,
                                 std::uint32_t right) {
  if (depth == 0) {
    const auto root = static_cast<std::uint32_t>(inners_.size());
    Inner& inner = inners_.emplace_back();
    inner.count = 1;
    inner.keys[0] = key;
    inner.children[0] = root_;
    inner.children[1] = right;
    root_ = root;
    ++height_;
    COPPICE_ASSERT(height_ < kHeightMax);
    return;
  }
  const Step step = path[depth - 1];
  if (inners_[step.inner].count < kFanout) {
    Inner& inner = inners_[step.inner];
    insert_at(inner.keys, inner.count, step.child, key);
    insert_at(inner.children, inner.count + 1, step.child + 1, right);
    ++inner.count;
    return;
  }
  const auto sibling = static_cast<std::uint32_t>(inners_.size());
  inners_.emplace_back();
  Inner& from = inners_[step.inner];
  Inner& to = inners_[sibling];
  constexpr std::uint32_t kMiddle = kFanout / 2;
  const Egid middle = from.keys[kMiddle];
  std::copy(from.keys + kMiddle + 1, from.keys + kFanout, to.keys);
  std::copy(from.children + kMiddle + 1, from.children + kFanout + 1, to.children);
  to.count = kFanout - kMiddle - 1;
  from.count = kMiddle;
  const bool left = step.child <= kMiddle;
  Inner& target = left ? from : to;
  const std::uint32_t child = left ? step.child : step.child - kMiddle - 1;
  insert_at(target.keys, target.count, child, key);
  insert_at(target.children, target.count + 1, child + 1, right);
  ++target.count;
  insert_into_parent(path, depth - 1, middle, sibling);
}

}  // namespace coppice::lsm
