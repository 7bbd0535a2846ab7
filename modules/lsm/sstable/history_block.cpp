#include "modules/lsm/sstable/history_block.h"

namespace coppice::lsm {

std::optional<HistoryBlock> HistoryBlock::open(const RowBlock& block) {
  HistoryBlock history;
  history.egids_ = find_int64(block, kEgidColumn);
  history.timestamps_ = find_int64(block, kTimestampColumn);
  history.masks_ = find_int64(block, kMaskColumn);
  history.flags_ = find_int64(block, kFlagsColumn);
  history.long_offset_ = find_int64(block, kHistoryLongOffset);
  history.long_length_ = find_int64(block, kHistoryLongLength);
  history.long_bytes_ = find_int64(block, kHistoryLongBytes);
  history.long_chain_ = find_int64(block, kHistoryLongChain);
  const Minipage* tuples = block.find(kHistoryTuple);
  if (history.egids_ == nullptr || history.timestamps_ == nullptr || history.masks_ == nullptr ||
      history.flags_ == nullptr || history.long_offset_ == nullptr ||
      history.long_length_ == nullptr || history.long_bytes_ == nullptr ||
      history.long_chain_ == nullptr || tuples == nullptr || tuples->wide ||
      !is_bytes(tuples->header.type) || tuples->header.null_count != 0)
    return std::nullopt;
  history.tuples_ = &tuples->values;
  return history;
}

std::uint32_t HistoryBlock::lower_bound(Egid wanted, Hlc read_at) const {
  std::uint32_t low = 0;
  std::uint32_t count = rows();
  while (count > 0) {
    const std::uint32_t half = count / 2;
    const std::uint32_t middle = low + half;
    const bool before =
        egid(middle) < wanted || (egid(middle) == wanted && timestamp(middle) > read_at);
    if (before) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

std::optional<HistoryBlock::Long> HistoryBlock::long_tuple(std::uint32_t row,
                                                           std::uint64_t file) const {
  const auto length = static_cast<std::uint64_t>(long_length_->int_at(row));
  if (length == 0 || length > UINT32_MAX) return std::nullopt;
  const bool chain = long_chain_->int_at(row) != 0;
  return Long{
      {file, static_cast<std::uint64_t>(long_offset_->int_at(row)),
       static_cast<std::uint32_t>(length), chain ? BlockKind::kChain : BlockKind::kOverflow},
      static_cast<std::uint64_t>(long_bytes_->int_at(row))};
}

}  // namespace coppice::lsm
