// index_read.h — IndexRead: one index tree at one view: posting lists and unique keys.
//
// Role:     gathers what every layer says of some keys. The layers of a key, newest first: own
//           writes, memtable, frozen runs, level 0, bottom.
// Owns:     the tree version that it took, and the blocks that it read.
// Threads:  one at a time.   Parks: gather(), find_unique(), and key walks.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "modules/lsm/bitmap/posting_list.h"
#include "modules/lsm/forest/key_walk.h"
#include "modules/lsm/sstable/index_posting_file.h"

namespace coppice::lsm {

// All that is known of one key. Its list views blocks of the IndexRead, and itself: it stays put.
struct KeyPostings {
  ByteBuffer key;
  std::vector<PostingOp> own;
  std::deque<std::vector<PostingOp>> copies;
  std::deque<IndexLookup> lookups;  // level 0 newest first, then bottom
  PostingList list;
};
using KeyPostingsSet = std::deque<KeyPostings>;

class IndexRead {
 public:
  // `table` may be null: created by the view's own transaction.
  IndexRead(const FileStore& store, const ReadView& view, TableRef ref, TablePtr table,
            bool unique);

  bool unique() const { return unique_; }
  Hlc read_at() const { return read_at_; }
  const IndexTreeVersion* tree() const { return tree_.get(); }
  KeyWalk walk() { return {tree_.get(), unique_, own_, blocks_}; }

  // Not unique: the lists of these keys, all blocks of all of them read in few rounds.
  Status gather(std::vector<ByteBuffer> keys, KeyPostingsSet& to);
  // At least as many as the key has.
  Result<std::uint64_t> count_limit(ByteView key);

  // Unique: the row of each key, or none.
  Result<std::vector<std::optional<Egid>>> find_unique(std::span<const ByteView> keys);

  // Blocks read so far may go: no KeyPostings is in use any more.
  void forget_blocks() { blocks_.forget(); }

 private:
  void add_lookups(ByteView key, IndexLookup::Want want, std::deque<IndexLookup>& to) const;
  std::optional<PostingOp> newest_in_memory(ByteView key) const;

  TablePtr table_;
  IndexTreeRef tree_;
  const OwnEntries* own_ = nullptr;
  bool unique_;
  Hlc read_at_;
  StoredIndexBlocks blocks_;
};

}  // namespace coppice::lsm
