// index_unique.h — files of a unique index: key → the row that holds it, with versions.
//
// Role:     blocks of up to kUniqueEntries entries in columns: keys (as numbers when short and of
//           one length, else bytes), egids, stamps only where not all are folded. A key with a NULL
//           was stored with its egid appended (types/key.h) and so collides with nothing.
// Owns:     lookups and cursors hold the pins of the blocks they show.
// Errors:   kCorruption naming file and offset.
// Holds:    entries ascend by key; versions of a key newest first, all in one block. The newest
//           visible version of a key decides: an addition names the row, a removal says none.
// Threads:  one user each. Parks: UniqueFileCursor, UniqueMerge (through IndexBlocks).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "modules/lsm/memtable/index_run.h"
#include "modules/lsm/sstable/index_file.h"
#include "modules/lsm/sstable/index_linear.h"

namespace coppice::lsm {

inline constexpr std::size_t kUniqueEntries = 1024;
inline constexpr std::size_t kUniqueEntriesMax = 1 << 17;  // versions of one key may go beyond

class UniqueBlock {
 public:
  static Result<UniqueBlock> parse(const BlockRef& at, ByteView payload);

  std::size_t size() const { return size_; }
  // `scratch` holds the key until it is used again.
  ByteView key(std::size_t i, ByteBuffer& scratch) const;
  PostingOp entry(std::size_t i) const {
    return {egids_[i], stamps_ ? Stamp{(*stamps_)[i]} : Stamp::folded()};
  }
  std::size_t lower_bound(ByteView key, ByteBuffer& scratch) const;

 private:
  int compare(std::size_t i, ByteView key, ByteBuffer& scratch) const;

  std::size_t size_ = 0;
  ByteView prefix_;
  bool numbers_ = false;
  unsigned suffix_bytes_ = 0;  // numbers_
  ByteView suffixes_;          // otherwise
  LinearColumn keys_;          // numbers, or ends of suffixes
  LinearColumn egids_;
  std::optional<LinearColumn> stamps_;
};

class UniqueFileBuilder {
 public:
  UniqueFileBuilder(IndexWriterOptions options, IndexSink sink);
  // All versions of a key, newest first; keys ascend.
  Status add(ByteView key, std::span<const PostingOp> versions);
  void set_lossy() { properties_.lossy = true; }
  void set_folded_through(Hlc at) { properties_.folded_through = at; }
  Result<IndexProperties> finish();
  std::uint64_t bytes() const { return writer_.bytes() + arena_.size() + entries_.size() * 8; }

 private:
  Status end_block();
  ByteBuffer encode() const;

  IndexFileWriter writer_;
  IndexProperties properties_;
  ByteBuffer arena_;                 // of the block's keys, one after the other
  std::vector<std::uint64_t> ends_;  // of each entry's key in arena_
  std::vector<PostingOp> entries_;
};

// One key in one file, without parking; see IndexLookup.
class UniqueLookup {
 public:
  UniqueLookup(const IndexFile& file, ByteView key, Hlc read);
  Result<bool> advance(IndexBlocks& blocks);
  std::span<const BlockRef> missing() const {
    return wanted_ ? std::span(&*wanted_, 1) : std::span<const BlockRef>();
  }
  // The newest visible version, if the file has one: a removal means that older files do not count.
  const std::optional<PostingOp>& found() const { return found_; }

 private:
  enum class Stage : std::uint8_t { kFilter, kPartition, kEntries, kDone };
  Status run(const BlockRef& at, ByteView payload);

  const IndexFile* file_;
  ByteView key_;
  Hlc read_;
  Stage stage_ = Stage::kDone;
  std::size_t partition_ = 0;
  std::optional<BlockRef> wanted_;
  std::optional<PostingOp> found_;
};

// Walks the keys of one file in order, each with its versions.
class UniqueFileCursor {
 public:
  UniqueFileCursor(const IndexFile& file, IndexBlocks& blocks) : file_(&file), blocks_(&blocks) {}

  Result<bool> first();
  Result<bool> last();
  Result<bool> seek(ByteView key);  // the first key at or above
  Result<bool> next();
  Result<bool> previous();

  ByteView key() const { return key_; }
  std::span<const PostingOp> versions() const { return versions_; }

 private:
  Result<bool> load_partition(std::size_t i);
  Status load_block();
  Result<bool> next_block();
  Result<bool> previous_block();
  void group_from(std::size_t i);

  const IndexFile* file_;
  IndexBlocks* blocks_;
  std::size_t partition_ = 0;
  BlockPin partition_pin_, block_pin_;
  EntryCursor index_;
  UniqueBlock block_;
  std::size_t begin_ = 0, end_ = 0;  // entries of the key
  ByteBuffer key_, scratch_;
  std::vector<PostingOp> versions_;
};

// Sources of a unique tree merged key by key.
class UniqueInput {
 public:
  virtual ~UniqueInput() = default;
  virtual Result<bool> next() = 0;  // starts before the first
  virtual ByteView key() const = 0;
  virtual std::span<const PostingOp> versions() const = 0;  // in any order
};
std::unique_ptr<UniqueInput> unique_run_input(IndexRunRef run, ByteView low = {});
std::unique_ptr<UniqueInput> unique_file_input(const IndexFile& file, IndexBlocks& blocks,
                                               ByteBuffer low = {}, Hlc cap = Hlc::max());

struct UniqueMergeOptions {
  Hlc snap = Hlc::zero();
  bool bottom = false;
  std::optional<ByteBuffer> high;  // exclusive
};

class UniqueMerge {
 public:
  UniqueMerge(std::vector<std::unique_ptr<UniqueInput>> inputs, UniqueMergeOptions options)
      : inputs_(std::move(inputs)), options_(std::move(options)) {}
  Result<bool> next();
  ByteView key() const { return key_; }
  std::span<const PostingOp> versions() const { return versions_; }  // newest first

 private:
  void fold();

  std::vector<std::unique_ptr<UniqueInput>> inputs_;
  std::vector<char> more_;
  UniqueMergeOptions options_;
  ByteBuffer key_;
  std::vector<PostingOp> versions_;
};

}  // namespace coppice::lsm
