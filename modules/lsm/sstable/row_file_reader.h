// row_file_reader.h — an open row file: its properties and indexes, pinned; lookups and scans.
//
// Role:     one per referenced file (or section of a bundle).
// Owns:     properties, block index, history index, and in levels 0 to 2 all key blocks: the exact
//           egid filter, which also answers which version is visible without reading.
// Threads:  immutable once open.   Parks: where the callbacks do.
// Errors:   kCorruption naming file and offset; kUnsupportedVersion.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "modules/lsm/sstable/loaded_block.h"
#include "modules/lsm/sstable/row_fetch.h"
#include "modules/lsm/sstable/row_file_format.h"

namespace coppice::lsm {

// Gives `length` bytes at `offset` of the file on disk.
using ReadBytes = std::function<Result<ByteBuffer>(std::uint64_t offset, std::uint32_t length)>;

struct RowFileOpen {
  std::uint64_t file = 0;
  std::uint64_t start = 0;  // of the section
  std::uint64_t end = 0;    // of the section: where its footer ends
  bool pin_keys = false;
  Verify verify = Verify::kChecksum;
};

// What of a file a reference means: splits clip the rows, branches cap the versions.
struct FileClip {
  Egid from = 0;
  Egid to = kProvisionalBit - 1;
  Hlc cap = Hlc::max();
  bool holds(Egid egid) const { return from <= egid && egid <= to; }
};

class RowFileReader {
 public:
  static Result<std::unique_ptr<RowFileReader>> open(const RowFileOpen& options,
                                                     const ReadBytes& read);

  const RowFileProperties& properties() const { return properties_; }
  const WideDictionarySet& dictionaries() const { return dictionaries_; }
  std::size_t memory_bytes() const { return memory_bytes_; }  // pinned

  // Claims what this file has of the rows of `fetch` that want something.
  Status claim(RowFetch& fetch, BlockSource& source, const FileClip& clip = {}) const;
  // Whether the file has any version of the row, visible or not. Reads nothing with pinned keys.
  Result<bool> has_egid(Egid egid, BlockSource& source) const;
  // Appends the egids in [from, to] that have versions here; ascending.
  Status collect_egids(Egid from, Egid to, BlockSource& source, std::vector<Egid>& egids) const;

  // --- for scans and compaction ---------------------------------------------------------------
  struct Entry {  // of the block index
    Egid first_egid = 0, last_egid = 0;
    std::uint32_t rows = 0;
    Hlc min_timestamp, max_timestamp;
    BlockRef keys;  // length 0: none needed
  };
  std::uint32_t block_count() const { return block_count_; }
  Entry entry(std::uint32_t block) const;
  BlockRef group_block(std::uint32_t block, std::uint32_t group) const;  // length 0: no row has it
  GroupMask groups_of(std::uint32_t block) const;
  std::uint32_t find_block(
      Egid egid) const;  // first whose last egid is not below; or block_count()
  // Pinned key block of a block, or null.
  LoadedBlockRef pinned_keys(std::uint32_t block) const {
    return pinned_.empty() ? nullptr : pinned_[block];
  }
  // Absolute place of something in a wide extent. kCorruption if it lies outside.
  Result<BlockRef> place_of(std::uint32_t extent, std::uint64_t offset, std::uint32_t length,
                            BlockKind kind) const;
  std::uint32_t history_count() const { return history_count_; }
  BlockRef history_block(std::uint32_t block) const;
  // The block in which the version of `egid` at `read_at` is, if it is not at the next one's start.
  std::uint32_t first_history_block(Egid egid, Hlc read_at) const;

 private:
  struct HistoryWant {
    std::uint32_t row;
    std::uint32_t block;  // next history block to look into
  };
  struct KeyedRow {  // of a block that has a key block
    std::uint32_t row;
    std::uint32_t block;
    std::size_t request;
  };
  struct IndexBlock {
    LoadedBlockRef block;
    const Vector *first_egid, *last_egid, *rows, *min_timestamp, *max_timestamp;
    const Vector *keys_offset, *keys_length;
    std::vector<const Vector*> group_offset, group_length;
  };
  struct HistoryIndexBlock {
    LoadedBlockRef block;
    const Vector *first_egid, *first_timestamp, *offset, *length;
  };
  RowFileReader() = default;
  Status load_dictionaries(const ReadBytes& read, Verify verify);
  Status load_index(const ReadBytes& read, Verify verify);
  Status load_history_index(const ReadBytes& read, Verify verify);
  Status load_keys(const ReadBytes& read, Verify verify);
  Status check_place(const BlockRef& at) const;
  Result<LoadedBlockRef> load(const ReadBytes& read, const BlockRef& at, WideDecoder& decoder,
                              Verify verify) const;
  void claim_groups(RowFetch& fetch, std::uint32_t row, std::uint32_t block, GroupMask groups,
                    std::uint32_t key_row, const KeyBlock* keys) const;
  void claim_plain(RowFetch& fetch, std::uint32_t row, std::uint32_t block, const Entry& entry,
                   Hlc read_at) const;
  void claim_keyed(RowFetch& fetch, std::uint32_t row, std::uint32_t block, const KeyBlock& keys,
                   Hlc read_at, std::vector<HistoryWant>& history) const;
  Status claim_history(RowFetch& fetch, std::vector<HistoryWant> wants, Hlc read_at,
                       BlockSource& source) const;
  Result<bool> claim_versions(RowFetch& fetch, std::uint32_t row, Hlc read_at,
                              const LoadedBlock& block, BlockSource& source) const;

  RowFileProperties properties_;
  std::uint64_t end_ = 0;
  WideDictionarySet dictionaries_;
  std::vector<IndexBlock> index_;
  std::vector<Egid> index_last_;  // last egid of each index block
  std::vector<HistoryIndexBlock> history_;
  std::uint32_t block_count_ = 0;
  std::uint32_t history_count_ = 0;
  std::vector<LoadedBlockRef> pinned_;  // by block; null where none is needed
  std::size_t memory_bytes_ = 0;
};

}  // namespace coppice::lsm
