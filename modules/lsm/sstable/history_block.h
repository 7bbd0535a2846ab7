// history_block.h — older versions of rows, by (egid ascending, timestamp descending).
//
// Role:     the area of a row file that scans pass by. A version is a tuple of its groups' columns.
#pragma once

#include <optional>

#include "interfaces/types/tuple.h"
#include "modules/lsm/sstable/key_block.h"
#include "modules/lsm/sstable/row_file_format.h"

namespace coppice::lsm {

class HistoryBlock {
 public:
  // Views vectors of `block`; nothing when they are not those of a history block.
  static std::optional<HistoryBlock> open(const RowBlock& block);

  std::uint32_t rows() const { return egids_->size(); }
  Egid egid(std::uint32_t row) const { return static_cast<Egid>(egids_->int_at(row)); }
  Hlc timestamp(std::uint32_t row) const {
    return {static_cast<std::uint64_t>(timestamps_->int_at(row))};
  }
  GroupMask mask(std::uint32_t row) const { return static_cast<GroupMask>(masks_->int_at(row)); }
  bool deleted(std::uint32_t row) const { return (flags_->int_at(row) & kVersionDeleted) != 0; }
  // First entry of this egid at or below `read_at`, or of a greater egid; rows() if none.
  std::uint32_t lower_bound(Egid egid, Hlc read_at) const;
  ByteView tuple(std::uint32_t row) const { return tuples_->bytes_at(row); }
  struct Long {
    BlockRef at;
    std::uint64_t bytes = 0;
  };
  std::optional<Long> long_tuple(std::uint32_t row, std::uint64_t file) const;

 private:
  const Vector *egids_ = nullptr, *timestamps_ = nullptr, *masks_ = nullptr, *flags_ = nullptr;
  const Vector *long_offset_ = nullptr, *long_length_ = nullptr, *long_bytes_ = nullptr;
  const Vector *long_chain_ = nullptr, *tuples_ = nullptr;
};

}  // namespace coppice::lsm
