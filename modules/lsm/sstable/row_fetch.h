// row_fetch.h — some rows, looked up together: sources claim what they have, one read gets it all.
//
// Role:     the point-read path. Newest source first, each is asked to claim() the rows that still
//           lack a group; claiming reads keys only. Then read() fetches the blocks of all sources
//           in one submission (and wide chunks, then long values, in one more each).
// Owns:     the values; what they view is kept alive with it.
// Threads:  one at a time.   Parks: read(), where the block source does.
// Holds:    sources outlive it.
#pragma once

#include <span>
#include <vector>

#include "interfaces/types/egid.h"
#include "interfaces/types/hlc.h"
#include "interfaces/types/row_batch.h"
#include "interfaces/types/schema.h"
#include "interfaces/types/tuple.h"
#include "interfaces/types/vector_buffer.h"
#include "modules/lsm/sstable/loaded_block.h"

namespace coppice::lsm {

class RowFileReader;

class RowFetch {
 public:
  // `columns` are positions in `schema`; `egids` ascend. Both schema and spans are copied or kept
  // by the caller as long as the fetch: schema kept, spans copied.
  RowFetch(const TableSchema& schema, Hlc read_at, std::span<const std::uint32_t> columns,
           std::span<const Egid> egids);

  std::uint32_t rows() const { return static_cast<std::uint32_t>(rows_.size()); }
  Hlc read_at() const { return read_at_; }
  Egid egid(std::uint32_t row) const { return rows_[row].egid; }

  // After read():
  bool exists(std::uint32_t row) const { return rows_[row].seen && !rows_[row].deleted; }
  Hlc timestamp(std::uint32_t row) const { return rows_[row].newest; }  // newest version's; if seen
  const Datum& value(std::uint32_t row, std::uint32_t column) const {   // by position in `columns`
    return values_[row * columns_.size() + column];
  }
  // The rows that exist, as a batch that owns its values.
  RowBatch to_batch() const;

  // --- for sources --------------------------------------------------------------------------
  // Whether older sources still matter for the row.
  bool wants(std::uint32_t row) const {
    return !rows_[row].deleted && (!rows_[row].seen || rows_[row].missing != 0);
  }
  GroupMask missing(std::uint32_t row) const { return rows_[row].missing; }
  // A visible version, newer ones were claimed before. Gives the groups whose values the source is
  // to supply.
  GroupMask found(std::uint32_t row, Hlc timestamp, GroupMask mask);
  void found_deleted(std::uint32_t row, Hlc timestamp);
  // Values of a group are at `position` of a block; read() gets them.
  void claim(std::uint32_t row, std::uint32_t group, const RowFileReader& file, const BlockRef& at,
             std::uint32_t position);
  // Values from a version's tuple, whose columns are those of `mask` among `columns`.
  template <class ColumnList>  // items with id, type and group, in tuple order
  void set_from_tuple(std::uint32_t row, const TupleView& tuple, GroupMask mask, GroupMask groups,
                      const ColumnList& columns);
  std::span<const std::uint32_t> columns() const { return columns_; }
  // Whether a wanted column of these groups is of bytes, whose storage must be kept.
  bool wants_bytes(GroupMask groups) const { return (groups & wanted_bytes_) != 0; }
  const TableSchema& schema() const { return schema_; }
  void set(std::uint32_t row, std::uint32_t column, const Datum& value) {
    values_[row * columns_.size() + column] = value;
  }
  ByteView keep_copy(ByteView bytes);  // a copy that lives as long as the fetch
  void keep(StorageOwner owner) { owners_.push_back(std::move(owner)); }

  Status read(BlockSource& source);

 private:
  struct Row {
    Egid egid = 0;
    GroupMask missing = 0;
    Hlc newest;
    bool seen = false;
    bool deleted = false;
  };
  struct GroupClaim {
    std::uint32_t row, group, request, position;
    const RowFileReader* file;
  };
  struct ValueClaim {  // one value in a chunk, or a long one
    std::uint32_t row, column, request, position;
    bool is_long = false;
    OverflowPlace overflow;
    const RowFileReader* file = nullptr;
  };
  std::uint32_t request(std::vector<BlockRequest>& requests, const BlockRef& at);
  Status resolve(const GroupClaim& claim);
  Status resolve_wide(const GroupClaim& claim, std::uint32_t column, const Minipage& minipage);
  Status read_chunks(BlockSource& source);
  Status read_long(BlockSource& source, const ValueClaim& claim);

  const TableSchema& schema_;
  Hlc read_at_;
  std::vector<std::uint32_t> columns_;
  GroupMask wanted_ = 0;
  GroupMask wanted_bytes_ = 0;
  std::vector<Row> rows_;
  std::vector<Datum> values_;
  std::vector<GroupClaim> claims_;
  std::vector<ValueClaim> value_claims_;
  std::vector<BlockRequest> requests_;
  std::vector<BlockRequest> chunk_requests_;
  std::vector<StorageOwner> owners_;
  std::vector<ByteBuffer> copies_;  // moving a buffer leaves its bytes where they are
};

template <class ColumnList>
void RowFetch::set_from_tuple(std::uint32_t row, const TupleView& tuple, GroupMask mask,
                              GroupMask groups, const ColumnList& columns) {
  std::uint32_t at = 0;
  for (const auto& stored : columns) {
    if ((mask >> stored.group & 1) == 0) continue;
    const std::uint32_t position = at++;
    if ((groups >> stored.group & 1) == 0 || position >= tuple.count()) continue;
    for (std::uint32_t i = 0; i < columns_.size(); ++i)
      if (schema_.columns[columns_[i]].id == stored.id)
        set(row, i, tuple.at(position, stored.type));
  }
}

// The bytes of a long value, from its overflow chunk or its chain.
Result<ByteBuffer> read_long_value(const BlockRef& at, std::uint64_t value_bytes,
                                   BlockSource& source);

}  // namespace coppice::lsm
