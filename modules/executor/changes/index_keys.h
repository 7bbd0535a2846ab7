// index_keys.h — the keys that rows have in an index.
//
// Errors:   54000 for a key above kIndexKeyBytesMax; XX000 where a column is not at hand.
// Threads:  one at a time.
#pragma once

#include <vector>

#include "modules/executor/changes/row_image.h"
#include "modules/executor/execution.h"

namespace coppice::executor {

struct KeyBatch {
  struct Key {
    std::uint32_t row = 0;  // position in the batch
    std::size_t begin = 0, end = 0;
    bool has_null = false;
  };
  ByteBuffer bytes;
  std::vector<Key> keys;  // in order of rows

  ByteView view(const Key& key) const {
    return ByteView(bytes).subspan(key.begin, key.end - key.begin);
  }
};

// Of the selected rows.
Status make_keys(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                 const RowImage& image, KeyBatch& to);

// Whether an equal key of another row is allowed.
inline bool may_repeat(const IndexInfo& index, const KeyBatch::Key& key) {
  return !index.unique || (key.has_null && !index.nulls_not_distinct);
}

// Whether writers must keep the index up to date.
inline bool is_maintained(const IndexInfo& index) {
  return index.state != IndexState::kInvalid;
}

}  // namespace coppice::executor
