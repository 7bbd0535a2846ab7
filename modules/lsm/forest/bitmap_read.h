// bitmap_read.h — BitmapRead: the planner's tree of index conditions at one view.
//
// Role:     opens the leaves and hands the tree to PostingNode. A leaf of few keys stays as it is
//           stored, so that it can be probed in place; one of many keys is read into a list of ids.
// Owns:     the leaves.
// Threads:  one at a time.   Parks: where leaves are opened.
// Errors:   kInvalidArgument, kLimitExceeded for a tree out of shape.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "modules/lsm/bitmap/posting_node.h"
#include "modules/lsm/forest/index_read.h"

namespace coppice::lsm {

inline constexpr std::size_t kLeafKeysInPlace = 1024;

class BitmapRead {
 public:
  using OpenIndex = std::function<Result<std::unique_ptr<IndexRead>>(TableRef)>;
  BitmapRead(Hlc read_at, OpenIndex open) : read_at_(read_at), open_(std::move(open)) {}

  Result<RowIds> rows(const BitmapNode& node);
  Result<std::uint64_t> count(const BitmapNode& node);
  Result<std::uint64_t> estimate(const BitmapNode& node, std::size_t depth = 1);

 private:
  struct Leaf {
    std::unique_ptr<IndexRead> index;
    KeyPostingsSet keys;
    std::vector<PostingOp> folded;  // of a leaf with many keys, or of a unique index
    PostingList list;               // of `folded`
  };
  Result<PostingNode> open(const BitmapNode& node, std::size_t depth);
  Result<PostingNode> open_leaf(const BitmapNode& node);
  Status read_ids(IndexRead& index, std::vector<ByteBuffer> keys, Ids& ids);
  Result<std::uint64_t> estimate_leaf(const BitmapNode& node);

  Hlc read_at_;
  OpenIndex open_;
  std::deque<Leaf> leaves_;
};

}  // namespace coppice::lsm
