// file_store.h — FileStore: the files of the forest, and their blocks through the cache.
//
// Role:     names, numbers, opens and removes files; makes block sources for readers.
// Owns:     open files by number, as long as a tree refers to them.
// Threads:  any.   Parks: open_*, create, remove, and block sources where they miss the cache.
// Errors:   kCorruption naming file and offset; those of the Vfs.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interfaces/block_cache.h"
#include "interfaces/vfs.h"
#include "modules/lsm/forest/tree_file.h"
#include "modules/lsm/memtable/shared_spin_lock.h"
#include "modules/lsm/sstable/index_block.h"
#include "modules/lsm/sstable/loaded_block.h"
#include "modules/lsm/sstable/sink_writer.h"

namespace coppice::lsm {

inline constexpr std::string_view kFilePrefix = "lsm/";
std::string file_name(std::uint64_t number);  // "lsm/000000000000002a.sst"
std::string numbered_name(std::uint64_t number, std::string_view suffix);
std::uint64_t number_in(std::string_view name, std::string_view suffix);  // 0: another name

// A file being written; as a sink it gathers small appends, and gives others a turn.
class FileWriter final : public ByteSink {
 public:
  FileWriter(std::unique_ptr<AppendFile> file, std::uint64_t number, IoClass io_class)
      : file_(std::move(file)), number_(number), io_class_(io_class) {}

  std::uint64_t number() const { return number_; }
  std::uint64_t size() const { return file_->size() + pending_.size(); }
  Status append(ByteView bytes) override;
  Status finish();  // durable once it returned

 private:
  Status flush();
  std::unique_ptr<AppendFile> file_;
  std::uint64_t number_;
  IoClass io_class_;
  ByteBuffer pending_;
};

class FileStore {
 public:
  FileStore(Vfs& vfs, BlockCache& cache, std::vector<const Codec*> codecs)
      : vfs_(vfs), cache_(cache), codecs_(std::move(codecs)) {}

  Vfs& vfs() const { return vfs_; }
  BlockCache& cache() const { return cache_; }
  CodecSet codecs() const { return codecs_; }

  std::uint64_t next_number() const { return next_.load(std::memory_order_relaxed); }
  // Numbers from `next` on, and above all that are on disk, are given to new files.
  Status begin_numbers(std::uint64_t next);
  Result<std::unique_ptr<FileWriter>> create(IoClass io_class);

  Result<RowFileRef> open_rows(const FileReference& at, bool pin_keys);
  Result<IndexFileRef> open_index(const FileReference& at);
  Status remove(std::uint64_t number);  // readers that have it open go on
  // What is on disk and not in `live` (ascending): left over by a crash.
  Result<std::vector<std::uint64_t>> orphans(const std::vector<std::uint64_t>& live) const;

  std::shared_ptr<const File> find(std::uint64_t number) const;  // null: not open
  Result<ByteBuffer> read(const File& file, std::uint64_t offset, std::uint32_t length) const;

 private:
  Result<std::shared_ptr<const File>> open(std::uint64_t number);

  Vfs& vfs_;
  BlockCache& cache_;
  std::vector<const Codec*> codecs_;
  std::atomic<std::uint64_t> next_ = 1;
  mutable SharedSpinLock lock_;  // guards what follows
  std::unordered_map<std::uint64_t, std::weak_ptr<const File>> open_;
};

// Blocks of row files, for one read. All that one fetch() misses is submitted together.
class StoredRowBlocks final : public BlockSource {
 public:
  StoredRowBlocks(const FileStore& store, IoClass io_class) : store_(store), io_class_(io_class) {}
  Status fetch(std::span<BlockRequest> requests) override;

 private:
  const FileStore& store_;
  IoClass io_class_;
  WideDictionarySet dictionaries_;
  WideDecoder decoder_;
};

// Blocks of index files, for one read, which it keeps pinned.
class StoredIndexBlocks final : public IndexBlocks {
 public:
  StoredIndexBlocks(const FileStore& store, IoClass io_class)
      : store_(store), io_class_(io_class) {}

  BlockPin find(const BlockRef& at) override;
  Result<BlockPin> read(const BlockRef& at) override;
  // Reads what is missing of these, all at once, and keeps it for find().
  Status gather(std::span<const BlockRef> wanted);
  void forget() { held_.clear(); }

 private:
  Result<BlockPin> insert(const BlockRef& at, ByteView stored);
  const FileStore& store_;
  IoClass io_class_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<BlockPin>> held_;
};

}  // namespace coppice::lsm
