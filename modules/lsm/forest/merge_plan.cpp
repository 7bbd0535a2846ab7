#include "modules/lsm/forest/merge_plan.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

template <class Files>
std::uint64_t bytes_of(const Files& files, std::size_t from, std::size_t to) {
  std::uint64_t total = 0;
  for (std::size_t i = from; i < to; ++i) total += files[i]->at.length;
  return total;
}

// So many of the newest as are not much larger than what is newer than they are; two at least.
template <class Files>
std::size_t newest_tier(const Files& files) {
  std::uint64_t total = files[0]->at.length;
  std::size_t count = 1;
  while (count < files.size() && (count < 2 || files[count]->at.length <= kTierFactor * total))
    total += files[count++]->at.length;
  return count;
}

// Neighbours of the last level that are small enough to become one: the newest tier of the last
// such stretch.
template <class Files>
std::optional<MergePick> pick_neighbours(const Files& last, const MergeLimits& limits) {
  const auto small = [&](std::size_t i) { return last[i]->at.length < limits.file_bytes / 2; };
  for (std::size_t end = last.size(); end > 0;) {
    if (!small(end - 1)) {
      --end;
      continue;
    }
    std::size_t begin = end;
    while (begin > 0 && small(begin - 1)) --begin;
    if (end - begin >= limits.small_neighbours) {
      std::uint64_t total = last[end - 1]->at.length;
      std::size_t from = end - 1;
      while (from > begin && total < limits.file_bytes &&
             (end - from < 2 || last[from - 1]->at.length <= kTierFactor * total))
        total += last[--from]->at.length;
      return MergePick{.level0 = 0,
                       .last_from = from,
                       .last_to = end,
                       .into_last = true,
                       .urgency = (end - begin) / kNeighboursPerLevel0File};
    }
    end = begin;
  }
  return std::nullopt;
}

// `overlapped`: bytes of the last level that would have to be read.
template <class Files>
bool is_for_last(const Files& level0, std::uint64_t overlapped, const MergeLimits& limits) {
  return limits.into_last || bytes_of(level0, 0, level0.size()) * kLastLevelFactor >= overlapped;
}

}  // namespace

std::optional<MergePick> pick_merge(const RowTreeVersion& tree, const MergeLimits& limits) {
  if (tree.level0.size() < limits.level0_files || tree.level0.empty())
    return pick_neighbours(tree.last, limits);
  Egid low = UINT64_MAX, high = 0;
  for (const RowFileRef& file : tree.level0) {
    low = std::min(low, file->reader->properties().min_egid);
    high = std::max(high, file->reader->properties().max_egid);
  }
  MergePick pick{.level0 = tree.level0.size(),
                 .last_from = 0,
                 .last_to = 0,
                 .into_last = true,
                 .urgency = tree.level0.size()};
  while (pick.last_from < tree.last.size() &&
         tree.last[pick.last_from]->reader->properties().max_egid < low)
    ++pick.last_from;
  pick.last_to = pick.last_from;
  while (pick.last_to < tree.last.size() &&
         tree.last[pick.last_to]->reader->properties().min_egid <= high)
    ++pick.last_to;
  if (is_for_last(tree.level0, bytes_of(tree.last, pick.last_from, pick.last_to), limits))
    return pick;
  pick.level0 = newest_tier(tree.level0);
  pick.last_from = pick.last_to = 0;
  pick.into_last = false;
  return pick;
}

std::optional<MergePick> pick_merge(const IndexTreeVersion& tree, const MergeLimits& limits) {
  if (tree.level0.size() < limits.level0_files || tree.level0.empty())
    return pick_neighbours(tree.bottom, limits);
  const auto smallest = [](const IndexFileRef& file) -> ByteView {
    return file->index.properties().smallest.key;
  };
  const auto largest = [](const IndexFileRef& file) -> ByteView {
    return file->index.properties().largest.key;
  };
  ByteView low = smallest(tree.level0[0]), high = largest(tree.level0[0]);
  for (const IndexFileRef& file : tree.level0) {
    if (compare_keys(smallest(file), low) < 0) low = smallest(file);
    if (compare_keys(largest(file), high) > 0) high = largest(file);
  }
  MergePick pick{.level0 = tree.level0.size(),
                 .last_from = 0,
                 .last_to = 0,
                 .into_last = true,
                 .urgency = tree.level0.size()};
  while (pick.last_from < tree.bottom.size() &&
         compare_keys(largest(tree.bottom[pick.last_from]), low) < 0)
    ++pick.last_from;
  pick.last_to = pick.last_from;
  while (pick.last_to < tree.bottom.size() &&
         compare_keys(smallest(tree.bottom[pick.last_to]), high) <= 0)
    ++pick.last_to;
  if (is_for_last(tree.level0, bytes_of(tree.bottom, pick.last_from, pick.last_to), limits))
    return pick;
  pick.level0 = newest_tier(tree.level0);
  pick.last_from = pick.last_to = 0;
  pick.into_last = false;
  return pick;
}

std::uint64_t merge_debt(const RowTreeVersion& tree) {
  return tree.level0.size() < kLevel0Files ? 0 : bytes_of(tree.level0, 0, tree.level0.size());
}

std::uint64_t merge_debt(const IndexTreeVersion& tree) {
  return tree.level0.size() < kLevel0Files ? 0 : bytes_of(tree.level0, 0, tree.level0.size());
}

}  // namespace coppice::lsm
