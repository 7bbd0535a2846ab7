// row_file_builder.h — rows in egid order become a row file, in bounded memory.
//
// Role:     flush and compaction write through this. Wide chunks go out as they fill; the narrow
//           blocks of a stripe follow; keys, history and indexes are kept until finish().
// Owns:     at most one stripe of narrow blocks, 2 MiB of values per bytes column, and
//           buffered_bytes() of what is kept to the end: finish when should_finish() says so.
// Threads:  one at a time.   Parks: where the sink does.
// Errors:   the sink's; kInvalidArgument for versions out of order; kLimitExceeded for a value
//           above kValueBytesMax. After an error the builder is of no further use.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interfaces/types/row_batch.h"
#include "modules/lsm/sstable/row_block.h"
#include "modules/lsm/sstable/row_file_format.h"
#include "modules/lsm/sstable/row_file_tail.h"
#include "modules/lsm/sstable/wide_writer.h"

namespace coppice::lsm {

inline constexpr std::uint64_t kTailBytesMax = 64_MiB;  // kept until finish()

// One version of a row: the groups in `mask`, or a tombstone (mask 0).
struct RowVersion {
  Egid egid = 0;
  Hlc timestamp;
  GroupMask mask = 0;
  bool deleted = false;
  std::span<const Datum> values;  // of TableSchema::columns_of(mask)
};

// Chunks of a wide column that are kept as they are, for the rows of one append_rows(): by
// reference, or (`stored` given) as copies that nobody decompressed.
struct KeptChunks {
  struct Chunk {
    std::uint32_t first_row = 0;  // among the rows appended
    BlockRef at;
    Extent extent;    // that it lies in
    ByteView stored;  // its bytes; empty: refer to it
  };
  struct Overflow {
    OverflowPlace place;  // row among the rows appended; extent is ignored
    Extent extent;
  };
  ColumnId column;
  std::vector<Chunk> chunks;
  std::vector<Overflow> overflows;
  Zone zone;  // of the column in the old block
};

struct RowFileOptions {
  std::uint64_t file = 0;
  std::uint64_t start = 0;  // where in the file this section starts
  const TableSchema* schema = nullptr;
  // The first is for new chunks; the others are what kept chunks need.
  std::vector<WideDictionaryRef> dictionaries;
};

class RowFileBuilder {
 public:
  RowFileBuilder(const RowFileOptions& options, ByteSink& sink);

  // Egids ascend; versions of one egid come newest first, one after the other.
  Status add(const RowVersion& version);
  // Whole rows with consecutive egids and one timestamp, the shape of a load. Columns as in the
  // schema; those named in `kept` are not read but for their nulls.
  Status append_rows(Egid first, Hlc timestamp, std::span<const Vector> columns,
                     std::uint32_t from_row, std::uint32_t rows,
                     std::span<const KeptChunks> kept = {});

  std::uint64_t rows() const { return properties_.rows; }
  std::uint64_t written_bytes() const { return out_.offset() - options_.start; }
  std::uint64_t buffered_bytes() const { return tail_.bytes() + stripe_bytes_; }
  bool should_finish(std::uint64_t target_bytes) const {
    return written_bytes() + buffered_bytes() >= target_bytes || tail_.bytes() >= kTailBytesMax;
  }
  // Writes the rest. kInvalidArgument if no row was added.
  Result<RowFileProperties> finish();

 private:
  struct KeptRows {  // rows of the block whose chunks exist already
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::vector<ChunkPlace> chunks;  // rows within the block
  };
  struct ColumnState {  // of the block being filled
    explicit ColumnState(PhysicalType type) : values(type) {}
    VectorBuffer values;  // long and kept values are empty here
    std::vector<OverflowPlace> overflows;
    std::vector<KeptRows> kept;
    Zone zone;  // of long and kept values
  };
  struct PendingBlock {  // of the stripe being filled
    BlockIndexEntry index;
    std::vector<ByteBuffer> groups;  // by group; empty: no row has it
  };

  Status start_row(Egid egid, Hlc timestamp, GroupMask mask, std::uint8_t flags);
  Status add_older(const RowVersion& version);
  Status append_value(std::uint32_t column, const Datum& value);
  Status append_column(std::uint32_t column, const Vector& values, std::uint32_t from_row,
                       std::uint32_t rows, const KeptChunks* kept);
  Status keep_chunks(ColumnState& state, const KeptChunks& kept, std::uint32_t rows);
  Status finish_block();
  Result<ByteBuffer> finish_group(std::uint32_t group);
  Status add_column(RowBlockWriter& writer, std::uint32_t column);
  static bool stands_for_another(const ColumnState& state, std::uint32_t row);
  Result<Zone> add_wide_column(RowBlockWriter& writer, std::uint32_t column);
  Status finish_stripe();
  Status write_dictionaries();

  RowFileOptions options_;
  GroupMask all_groups_;
  std::uint32_t group_count_;
  SinkWriter out_;
  RowFileProperties properties_;
  WideWriter wide_;
  RowFileTail tail_;
  std::vector<ColumnState> columns_;  // as in the schema
  BlockKeys keys_;
  Egid last_egid_ = 0;
  Hlc last_timestamp_;
  std::vector<PendingBlock> stripe_;
  std::uint64_t stripe_bytes_ = 0;
};

}  // namespace coppice::lsm
