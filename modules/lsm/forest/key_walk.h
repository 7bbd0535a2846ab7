// key_walk.h — KeyWalk: the distinct keys of an index tree in order, from all of its sources.
//
// Role:     memtable, frozen runs, files and the transaction's own entries, as one ordered set. A
//           key may turn out to have no visible entry.
// Owns:     cursors; views the tree version and the own entries.
// Threads:  one at a time.   Parks: where files are read.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/tree.h"
#include "modules/lsm/forest/write_set.h"

namespace coppice::lsm {

// Keys of one source. Views are valid until the next call.
class KeySource {
 public:
  virtual ~KeySource() = default;
  virtual Result<std::optional<ByteView>> at_or_above(ByteView key) = 0;
  virtual Result<std::optional<ByteView>> below(ByteView key) = 0;  // strictly
  virtual Result<std::optional<ByteView>> last() = 0;
};

class KeyWalk {
 public:
  // `tree` and `own` may be null. All outlive the walk.
  KeyWalk(const IndexTreeVersion* tree, bool unique, const OwnEntries* own, IndexBlocks& blocks);

  // Each gives the key, or nothing at the end of the range.
  Result<std::optional<ByteBuffer>> first(const KeyRange& range);
  Result<std::optional<ByteBuffer>> next(ByteView after, const KeyRange& range);
  Result<std::optional<ByteBuffer>> last(const KeyRange& range);
  Result<std::optional<ByteBuffer>> previous(ByteView before, const KeyRange& range);

 private:
  Result<std::optional<ByteBuffer>> least(ByteView key, const KeyRange& range);
  Result<std::optional<ByteBuffer>> greatest(std::optional<ByteView> below, const KeyRange& range);

  std::vector<std::unique_ptr<KeySource>> sources_;
};

}  // namespace coppice::lsm
