#include "modules/lsm/sstable/key_block.h"

#include "kernel/base/assert.h"

namespace coppice::lsm {

std::uint32_t lower_bound(const Vector& ascending, std::int64_t value) {
  if (ascending.encoding() == Encoding::kSequence && ascending.step() > 0) {
    const Int128 from = ascending.base();
    if (value <= from) return 0;
    const Int128 row = (value - from + ascending.step() - 1) / ascending.step();
    return row < ascending.size() ? static_cast<std::uint32_t>(row) : ascending.size();
  }
  std::uint32_t low = 0;
  std::uint32_t count = ascending.size();
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (ascending.int_at(low + half) < value) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

const Vector* find_int64(const RowBlock& block, ColumnId id) {
  const Minipage* minipage = block.find(id);
  if (minipage == nullptr || minipage->wide || minipage->header.type != PhysicalType::kInt64 ||
      minipage->header.null_count != 0)
    return nullptr;
  return &minipage->values;
}

std::optional<KeyBlock> KeyBlock::open(const RowBlock& block) {
  KeyBlock keys;
  keys.egids_ = find_int64(block, kEgidColumn);
  keys.timestamps_ = find_int64(block, kTimestampColumn);
  keys.masks_ = find_int64(block, kMaskColumn);
  keys.flags_ = find_int64(block, kFlagsColumn);
  if (keys.egids_ == nullptr || keys.timestamps_ == nullptr || keys.masks_ == nullptr ||
      keys.flags_ == nullptr)
    return std::nullopt;
  for (std::uint32_t row = 1; row < keys.rows(); ++row)
    if (keys.egid(row) <= keys.egid(row - 1)) return std::nullopt;
  GroupMask some = 0;
  GroupMask all = ~GroupMask{0};
  for (std::uint32_t row = 0; row < keys.rows(); ++row) {
    some |= keys.mask(row);
    all &= keys.mask(row);
  }
  for (std::uint32_t group = 0; group < kGroupsMax; ++group) {
    if (((some & ~all) >> group & 1) == 0) continue;
    Rank rank{group, {}, {}};
    for (std::uint32_t row = 0; row < keys.rows(); ++row)
      rank.bits[row / 64] |= (keys.mask(row) >> group & 1) << (row % 64);
    for (std::uint32_t word = 1; word < rank.bits.size(); ++word)
      rank.before[word] =
          static_cast<std::uint16_t>(rank.before[word - 1] + std::popcount(rank.bits[word - 1]));
    keys.ranks_.push_back(rank);
  }
  return keys;
}

std::uint32_t KeyBlock::lower_bound(Egid egid) const {
  return lsm::lower_bound(*egids_, static_cast<std::int64_t>(egid));
}

std::optional<std::uint32_t> KeyBlock::find(Egid wanted) const {
  const std::uint32_t row = lower_bound(wanted);
  if (row == rows() || egid(row) != wanted) return std::nullopt;
  return row;
}

std::uint32_t KeyBlock::position(std::uint32_t row, std::uint32_t group) const {
  for (const Rank& rank : ranks_) {
    if (rank.group != group) continue;
    const std::uint64_t below = rank.bits[row / 64] & ((std::uint64_t{1} << (row % 64)) - 1);
    return rank.before[row / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
  return row;
}

}  // namespace coppice::lsm
