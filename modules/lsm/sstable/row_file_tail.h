// row_file_tail.h — what a row file keeps to its end: key blocks, history, and the indexes of both.
//
// Role:     part of RowFileBuilder.
// Owns:     the finished blocks; bytes() of them.
#pragma once

#include <optional>
#include <vector>

#include "interfaces/types/vector_buffer.h"
#include "modules/lsm/sstable/row_file_format.h"
#include "modules/lsm/sstable/sink_writer.h"

namespace coppice::lsm {

// The keys of the block being filled.
struct BlockKeys {
  std::vector<Egid> egids;
  std::vector<Hlc> timestamps;
  std::vector<GroupMask> masks;
  std::vector<std::uint8_t> flags;

  std::uint32_t rows() const { return static_cast<std::uint32_t>(egids.size()); }
  void clear();
  // Dense, one timestamp, every row whole, nothing deleted or older: needs no key block.
  bool is_plain(GroupMask all_groups) const;
  ByteBuffer to_block(std::uint32_t schema_version) const;  // unsealed
};

struct BlockIndexEntry {
  Egid first_egid = 0, last_egid = 0;
  std::uint32_t rows = 0;
  Hlc min_timestamp, max_timestamp;
  std::optional<std::size_t> keys;  // position among the tail's key blocks
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
  };
  std::vector<Place> groups;
};

class RowFileTail {
 public:
  explicit RowFileTail(std::uint32_t schema_version);

  std::size_t add_keys(ByteBuffer block);  // its position
  void add_index(BlockIndexEntry entry);
  // `long_at`: the tuple is not inline but there (absolute).
  void add_history(Egid egid, Hlc timestamp, GroupMask mask, std::uint8_t flags, ByteView tuple,
                   const std::optional<BlockRef>& long_at, std::uint64_t long_bytes, bool chain);

  std::uint64_t bytes() const { return bytes_ + tuples_.heap_bytes(); }
  // Writes it all; fills the places in `properties`.
  Status finish(SinkWriter& out, RowFileProperties& properties);

 private:
  struct HistoryBlock {
    Egid first_egid;
    Hlc first_timestamp;
    ByteBuffer bytes;
  };
  void finish_history_block();
  Status write_index(SinkWriter& out, std::vector<BlockRef>& to,
                     std::span<const BlockIndexEntry::Place> keys);
  Status write_history(SinkWriter& out, std::vector<BlockRef>& to);

  std::uint32_t schema_version_;
  std::uint64_t bytes_ = 0;
  std::vector<ByteBuffer> keys_;
  std::vector<BlockIndexEntry> index_;
  std::vector<HistoryBlock> history_;
  // The history block being filled.
  std::vector<VectorBuffer> numbers_;  // all columns but the tuple, in column order
  VectorBuffer tuples_;
};

}  // namespace coppice::lsm
