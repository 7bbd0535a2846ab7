// index_file.h — the frame of an index file: properties, footer, the three-level block index.
//
// Role:     entry blocks → partitions (and their filters) → top. Posting files
//           (index_posting_file.h) and unique files (index_unique.h) differ in their entry blocks.
// Owns:     the writer one block, one partition and the top; an IndexFile its top and properties.
// Errors:   kCorruption naming file and offset; kUnsupportedVersion; what the sink gives.
// Threads:  an IndexFile is const; a writer has one user. Parks: never itself (the sink may).
#pragma once

#include <functional>
#include <vector>

#include "interfaces/types/hlc.h"
#include "interfaces/types/key.h"
#include "modules/lsm/sstable/index_block.h"
#include "modules/lsm/sstable/index_filter.h"

namespace coppice::lsm {

inline constexpr std::size_t kIndexFooterBytes = 64;
inline constexpr std::size_t kEntryBlockTarget = 16 << 10;
inline constexpr std::size_t kPartitionBytesTarget = 16 << 10;
inline constexpr std::size_t kPartitionKeysMax = 8192;

enum class IndexFileKind : std::uint32_t { kPostings = 1, kUnique = 2 };

struct IndexPosition {
  ByteBuffer key;
  Egid egid = 0;
};

// What is known of a file without reading its entries; the manifest keeps a copy.
struct IndexProperties {
  IndexFileKind kind = IndexFileKind::kPostings;
  std::uint64_t keys = 0;     // distinct
  std::uint64_t entries = 0;  // parts, or unique entries
  std::uint64_t ids = 0;      // in the bases of parts
  std::uint64_t deltas = 0;
  Hlc newest = Hlc::zero();          // of all operations that are not folded
  Hlc folded_through = Hlc::zero();  // reads below it are not answered by this file
  bool lossy = false;                // a key may have lost what index-only reads need (types/key.h)
  IndexPosition smallest, largest;   // first and last entry
};

// Takes bytes in file order.
using IndexSink = std::function<Status(ByteView)>;

struct IndexWriterOptions {
  std::uint64_t file = 0;         // seeds checksums
  std::uint64_t base_offset = 0;  // where the section begins in its file
  const Codec* codec = nullptr;   // of entry blocks and parts; null: plain
  IndexFileKind kind = IndexFileKind::kPostings;
};

class IndexFileWriter {
 public:
  IndexFileWriter(const IndexWriterOptions& options, IndexSink sink);

  // A key that the next entry block holds, in order; repetitions are fine.
  void add_key(ByteView key);
  // Writes a block now.
  Result<IndexExtent> write(BlockKind kind, ByteView payload);
  // Writes an entry block, whose first entry is (key, egid).
  Status write_entries(BlockKind kind, ByteView payload, const IndexPosition& first,
                       std::uint64_t ids_limit);
  // Top, properties, footer; nothing may be written afterwards. `keys` is filled in.
  Status finish(IndexProperties& properties);

  std::uint64_t bytes() const { return offset_ - options_.base_offset; }  // so far

 private:
  Status end_partition();

  IndexWriterOptions options_;
  IndexSink sink_;
  std::uint64_t offset_;
  ByteBuffer framed_;
  EntryWriter partition_, top_;
  FilterWriter filter_;
  ByteBuffer last_key_;
  bool has_key_ = false;
  bool key_is_in_filter_ = false;
  std::uint64_t keys_ = 0;
  std::uint64_t partition_ids_ = 0;
  IndexPosition partition_first_;
};

// What an entry of a partition says about a block.
struct IndexBlockEntry {
  IndexExtent extent;
  std::uint64_t ids_limit = 0;  // additions and removals below
};
Result<IndexBlockEntry> parse_block_entry(const BlockRef& partition, ByteView value);

class IndexFile {
 public:
  struct Partition {
    IndexPosition first;
    IndexExtent index, filter;
    std::uint64_t ids_limit = 0;
  };

  // Opening is two reads: the last kIndexFooterBytes of the section, then the tail it names.
  static IndexExtent footer_extent(std::uint64_t base_offset, std::uint64_t length);
  static Result<IndexExtent> tail_extent(std::uint64_t file, const IndexExtent& footer,
                                         ByteView footer_bytes, Verify verify);
  static Result<IndexFile> open(std::uint64_t file, const IndexExtent& footer,
                                ByteView footer_bytes, ByteView tail_bytes, CodecSet codecs,
                                Verify verify);

  const IndexProperties& properties() const { return properties_; }
  std::span<const Partition> partitions() const { return partitions_; }
  std::size_t charge() const { return charge_; }
  BlockRef ref(BlockKind kind, IndexExtent at) const { return {file_, at.offset, at.length, kind}; }
  // The last partition that begins at or before the position, the first if there is none.
  std::size_t partition_of(ByteView key, Egid egid) const;
  // An upper bound of the ids under keys of the range, from the top alone.
  std::uint64_t ids_limit(const KeyRange& range) const;

 private:
  Status read_top(const BlockRef& at, ByteView payload);

  std::uint64_t file_ = 0;
  std::size_t charge_ = 0;
  IndexProperties properties_;
  std::vector<Partition> partitions_;
};

}  // namespace coppice::lsm
