// posting_list.h — all that is known about one key, from every layer, as one set at a read.
//
// Role:     a layer is a source of operations: a memtable run, or the parts of one level. Where
//           layers do not meet (new rows get higher egids than all before) their pieces are used
//           one by one; where they meet, the newest visible operation of an egid decides.
// Owns:     nothing but the list of pieces; bytes and operations stay the caller's, pinned.
// Errors:   kCorruption from the parts.
// Holds:    segments ascend and do not overlap, so that decoding them in turn streams in egid
//           order with one part's worth of memory.
// Threads:  const after seal(). Parks: never.
#pragma once

#include <vector>

#include "modules/lsm/bitmap/posting_part.h"

namespace coppice::lsm {

class PostingList {
 public:
  // Newest layer first. Parts ascend; operations are in order. Empty layers may be left out.
  void add_layer(std::span<const PartView> parts);
  void add_layer(std::span<const PostingOp> operations);
  void seal();  // after the last layer; before any read

  bool empty() const { return pieces_.empty(); }
  // At least as many as are present at any read; exact when nothing is deleted or overwritten.
  std::uint64_t count_limit() const { return count_limit_; }

  Result<std::uint64_t> count(Hlc read) const;
  Status decode(Hlc read, Ids& to) const;
  // Marks every id of the ascending `ids` that is present; the others are left or marked absent.
  Status probe(Hlc read, IdSpan ids, std::span<Mark> marks) const;

  std::size_t segments() const { return segments_.size(); }
  std::uint64_t segment_first(std::size_t i) const { return segments_[i].first; }
  Status decode_segment(std::size_t i, Hlc read, Ids& to) const;

 private:
  struct Piece {
    std::uint32_t layer = 0;
    bool is_part = false;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    PartView part;
    std::span<const PostingOp> operations;

    Status decode(Hlc read, Ids& present, Ids* removed) const;
    Status probe(Hlc read, IdSpan ids, std::span<Mark> marks) const;
  };
  struct Segment {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint32_t begin = 0;  // pieces [begin, end), newest layer first
    std::uint32_t end = 0;
  };
  void split_operations();

  std::uint32_t layers_ = 0;
  std::uint64_t count_limit_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Segment> segments_;
};

}  // namespace coppice::lsm
