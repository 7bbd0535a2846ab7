// index_scan.h — IndexScan: entries of an index in (key, egid) order, either way.
//
// Owns:     the keys at hand; long keys are decoded one segment at a time.
// Threads:  one at a time.   Parks: next().
#pragma once

#include <memory>

#include "modules/lsm/forest/index_read.h"

namespace coppice::lsm {

class IndexScan final : public IndexCursor {
 public:
  IndexScan(std::unique_ptr<IndexRead> read, KeyRange range, Direction direction)
      : read_(std::move(read)),
        walk_(read_->walk()),
        range_(std::move(range)),
        forward_(direction == Direction::kForward) {}

  Result<bool> next(Entries& entries) override;

 private:
  Status load_keys();
  Status take_unique(Entries& entries);
  Result<bool> take_segment(Entries& entries);  // false: the keys at hand are done

  std::unique_ptr<IndexRead> read_;
  KeyWalk walk_;
  KeyRange range_;
  bool forward_;
  bool started_ = false;
  bool ended_ = false;
  std::size_t keys_at_once_ = 4;  // grows: a LIMIT 1 reads little
  ByteBuffer last_key_;
  std::vector<ByteBuffer> keys_;  // at hand, in scan order
  KeyPostingsSet postings_;       // not unique: of keys_
  std::size_t key_ = 0;           // of postings_
  std::size_t segment_ = 0;       // next of that key, counted in scan order
  Ids ids_;                       // decoded, in scan order
  std::size_t id_ = 0;
};

}  // namespace coppice::lsm
