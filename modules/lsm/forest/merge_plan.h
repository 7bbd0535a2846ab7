// merge_plan.h — which files of a tree are to be merged next, if any.
//
// Role:     level 0 is kept in tiers: the newest files that are of one size, or so, become one.
//           Once all of it is a fair part of what it overlaps in the last level, it goes there. So
//           a read looks into few files, and a row is rewritten a few times for each factor of four
//           that its tree grows by.
// Threads:  any.   Parks: never.
#pragma once

#include <cstdint>
#include <optional>

#include "modules/lsm/forest/tree.h"

namespace coppice::lsm {

inline constexpr std::size_t kLevel0Files = 4;      // with so many a tree is to be merged
inline constexpr std::size_t kSmallNeighbours = 8;  // so many small files of the last level, too
inline constexpr std::size_t kNeighboursPerLevel0File = 2;  // as urgent as one file in level 0
inline constexpr std::uint64_t kLastLevelFactor = 4;        // level 0 moves on at a fourth of it
inline constexpr std::uint64_t kTierFactor = 2;

struct MergeLimits {
  std::size_t level0_files = kLevel0Files;
  std::size_t small_neighbours = kSmallNeighbours;
  std::uint64_t file_bytes = 64_MiB;
  bool into_last = false;  // all of level 0, however little it is

  // As far as it goes.
  static MergeLimits everything(std::uint64_t file_bytes) {
    return {.level0_files = 1, .small_neighbours = 2, .file_bytes = file_bytes, .into_last = true};
  }
};

struct MergePick {
  std::size_t level0 = 0;                  // so many of the newest files
  std::size_t last_from = 0, last_to = 0;  // and these of the last level
  bool into_last = false;                  // else level 0 among itself
  std::size_t urgency = 0;                 // beside other trees
};

std::optional<MergePick> pick_merge(const RowTreeVersion& tree, const MergeLimits& limits);
std::optional<MergePick> pick_merge(const IndexTreeVersion& tree, const MergeLimits& limits);

// Bytes that are waiting for a merge.
std::uint64_t merge_debt(const RowTreeVersion& tree);
std::uint64_t merge_debt(const IndexTreeVersion& tree);

}  // namespace coppice::lsm
