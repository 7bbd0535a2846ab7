// key_block.h — which rows a block set has, since when, and where each group's values are.
//
// Role:     absent for the common block (dense egids, one timestamp, all groups, nothing older),
//           of which the index entry says everything. Pinned whole for levels 0 to 2, where the
//           key blocks of a file are its exact egid filter.
// Errors:   open: null when the block's columns are not those of a key block.
#pragma once

#include <optional>
#include <vector>

#include "interfaces/types/hlc.h"
#include "modules/lsm/sstable/row_block.h"

namespace coppice::lsm {

// Columns of key blocks and of history blocks.
inline constexpr ColumnId kEgidColumn{0};
inline constexpr ColumnId kTimestampColumn{1};
inline constexpr ColumnId kMaskColumn{2};
inline constexpr ColumnId kFlagsColumn{3};

inline constexpr std::int64_t kVersionDeleted = 1;   // a tombstone; its mask is 0
inline constexpr std::int64_t kVersionHasOlder = 2;  // key blocks: see the history area

class KeyBlock {
 public:
  // Views vectors of `block`.
  static std::optional<KeyBlock> open(const RowBlock& block);

  std::uint32_t rows() const { return egids_->size(); }
  std::optional<std::uint32_t> find(Egid egid) const;
  std::uint32_t lower_bound(Egid egid) const;  // first row not below; rows() if none
  Egid egid(std::uint32_t row) const { return static_cast<Egid>(egids_->int_at(row)); }
  Hlc timestamp(std::uint32_t row) const {
    return {static_cast<std::uint64_t>(timestamps_->int_at(row))};
  }
  GroupMask mask(std::uint32_t row) const { return static_cast<GroupMask>(masks_->int_at(row)); }
  bool deleted(std::uint32_t row) const { return (flags_->int_at(row) & kVersionDeleted) != 0; }
  bool has_older(std::uint32_t row) const { return (flags_->int_at(row) & kVersionHasOlder) != 0; }

  // Position of a row among those that have `group`: its row in the group's block.
  std::uint32_t position(std::uint32_t row, std::uint32_t group) const;

  const Vector& egids() const { return *egids_; }
  const Vector& timestamps() const { return *timestamps_; }
  std::size_t memory_bytes() const { return ranks_.size() * sizeof(Rank); }

 private:
  struct Rank {
    std::uint32_t group;
    Selection::Mask bits;
    std::array<std::uint16_t, kVectorRows / 64> before;  // bits set in earlier words
  };
  const Vector* egids_ = nullptr;
  const Vector* timestamps_ = nullptr;
  const Vector* masks_ = nullptr;
  const Vector* flags_ = nullptr;
  std::vector<Rank> ranks_;  // of groups that some rows have and others have not
};

// First row of an ascending int64 vector that is not below `value`.
std::uint32_t lower_bound(const Vector& ascending, std::int64_t value);

// The int64 vector of a column, or null.
const Vector* find_int64(const RowBlock& block, ColumnId id);

}  // namespace coppice::lsm
