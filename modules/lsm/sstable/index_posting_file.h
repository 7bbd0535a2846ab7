// index_posting_file.h — files of a non-unique index: builder, batched lookup, cursor both ways.
//
// Role:     entry blocks list (key, first egid) → part, short parts inside, long ones as blocks of
//           their own just before, so that counts of any key are known from the directory alone.
// Owns:     lookups and cursors hold the pins of the blocks they show.
// Errors:   kCorruption naming file and offset.
// Threads:  one user each. Parks: IndexFileCursor (through IndexBlocks); IndexLookup never.
#pragma once

#include <deque>
#include <vector>

#include "modules/lsm/bitmap/posting_part.h"
#include "modules/lsm/sstable/index_file.h"

namespace coppice::lsm {

inline constexpr std::size_t kInlinePartBytesMax = 2048;

class IndexFileBuilder {
 public:
  IndexFileBuilder(const IndexWriterOptions& options, IndexSink sink);

  // In (key, egid, newest first) order. add() collects operations into parts; add_part() takes one
  // as it is. Do not mix them within one key.
  Status add(ByteView key, PostingOp op);
  Status add_part(ByteView key, Egid first_egid, ByteView part, const PartStats& stats);

  void set_lossy() { properties_.lossy = true; }
  void set_folded_through(Hlc at) { properties_.folded_through = at; }

  // Gives what the manifest wants to know. A file without entries is the caller's to avoid.
  Result<IndexProperties> finish();
  std::uint64_t bytes() const { return writer_.bytes() + entries_.bytes(); }
  bool empty() const { return properties_.entries == 0 && parts_.empty(); }

 private:
  Status close_part(Egid next_first);
  Status end_block();

  IndexFileWriter writer_;
  IndexProperties properties_;
  PartBuilder parts_;
  ByteBuffer part_key_;
  EntryWriter entries_;
  ByteBuffer value_;
  IndexPosition block_first_;
  std::uint64_t block_ids_ = 0;
};

// An entry of a posting file.
struct PartEntry {
  PartStats stats;
  IndexExtent extent;  // where the part is a block of its own
  ByteView inline_part;
  bool is_inline() const { return extent.length == 0; }
};
Result<PartEntry> parse_part_entry(const BlockRef& block, ByteView value);

// The parts of one key in one file, found without parking: advance() goes as far as the blocks at
// hand allow and says what else it wants, so that many lookups share one submission of reads.
class IndexLookup {
 public:
  enum class Want : std::uint8_t { kCounts, kParts };
  // `file` and `key` must outlive the lookup. Only parts that may hold egids of [low, high].
  IndexLookup(const IndexFile& file, ByteView key, Want want, Egid low = 0, Egid high = UINT64_MAX);

  // True when done; otherwise read missing() into `blocks` and call again.
  Result<bool> advance(IndexBlocks& blocks);
  std::span<const BlockRef> missing() const { return missing_; }

  // Valid once done, while the lookup lives.
  std::span<const PartView> parts() const { return parts_; }
  std::uint64_t ids_limit() const { return ids_limit_; }  // additions and removals
  bool exact() const { return exact_; }                   // ids_limit() is the count

 private:
  enum class Stage : std::uint8_t { kFilter, kPartition, kEntries, kParts, kDone };
  Result<Stage> run(IndexBlocks& blocks);
  Result<Stage> read_filter(IndexBlocks& blocks);
  Result<Stage> read_partitions(IndexBlocks& blocks);
  Result<Stage> read_entries(IndexBlocks& blocks);
  Result<Stage> read_parts(IndexBlocks& blocks);
  bool gather(IndexBlocks& blocks, std::span<const BlockRef> wanted);

  const IndexFile* file_;
  ByteView key_;
  Want want_;
  Egid low_, high_;
  Stage stage_;
  std::vector<BlockRef> missing_;
  std::vector<BlockRef> wanted_;
  std::vector<BlockPin> pins_;  // of the stage at work
  std::vector<BlockPin> kept_;  // of blocks that parts_ view
  std::vector<PartEntry> entries_;
  std::vector<PartView> parts_;
  std::uint64_t ids_limit_ = 0;
  bool exact_ = true;
};

// Walks the parts of one file in order, reading blocks as it goes.
class IndexFileCursor {
 public:
  IndexFileCursor(const IndexFile& file, IndexBlocks& blocks) : file_(&file), blocks_(&blocks) {}

  // Each gives false at the end, and key() and the rest are then void.
  Result<bool> first();
  Result<bool> last();
  // To the last entry at or before the position, or the first entry if there is none.
  Result<bool> seek(ByteView key, Egid egid);
  Result<bool> next();
  Result<bool> previous();

  ByteView key() const { return entries_.key(); }
  Egid first_egid() const { return entries_.egid(); }
  const PartStats& stats() const { return entry_.stats; }
  // The part itself; valid until the cursor moves.
  Result<PartView> part();

 private:
  Result<bool> load_partition(std::size_t i);
  Result<bool> load_entries();
  Result<bool> settle(bool there);
  Status parse();

  const IndexFile* file_;
  IndexBlocks* blocks_;
  std::size_t partition_ = 0;
  BlockPin partition_pin_, entries_pin_, part_pin_;
  BlockRef entries_ref_;
  EntryCursor index_, entries_;
  PartEntry entry_;
};

}  // namespace coppice::lsm
