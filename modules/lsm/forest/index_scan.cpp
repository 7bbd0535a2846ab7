#include "modules/lsm/forest/index_scan.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

constexpr std::size_t kKeysAtOnceMax = 256;

}  // namespace

Status IndexScan::load_keys() {
  keys_.clear();
  postings_.clear();
  key_ = segment_ = id_ = 0;
  ids_.clear();
  read_->forget_blocks();
  while (!ended_ && keys_.size() < keys_at_once_) {
    std::optional<ByteBuffer> key;
    if (started_) {
      key =
          COPPICE_TRY(forward_ ? walk_.next(last_key_, range_) : walk_.previous(last_key_, range_));
    } else {
      key = COPPICE_TRY(forward_ ? walk_.first(range_) : walk_.last(range_));
    }
    started_ = true;
    ended_ = !key;
    if (!key) break;
    last_key_ = *key;
    keys_.push_back(*std::move(key));
  }
  keys_at_once_ = std::min(keys_at_once_ * 2, kKeysAtOnceMax);
  if (!read_->unique()) COPPICE_TRY(read_->gather(keys_, postings_));
  return {};
}

Status IndexScan::take_unique(Entries& entries) {
  const std::vector<ByteView> views(keys_.begin(), keys_.end());
  const auto rows = COPPICE_TRY(read_->find_unique(views));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    entries.keys.push_back(views[i]);
    entries.rows.push_back(*rows[i]);
  }
  return {};
}

Result<bool> IndexScan::take_segment(Entries& entries) {
  if (id_ == ids_.size()) {
    if (key_ == postings_.size()) return false;
    const PostingList& list = postings_[key_].list;
    if (segment_ == list.segments()) {
      ++key_;
      segment_ = 0;
      return true;
    }
    const std::size_t segment = forward_ ? segment_ : list.segments() - 1 - segment_;
    ++segment_;
    ids_.clear();
    id_ = 0;
    COPPICE_TRY(list.decode_segment(segment, read_->read_at(), ids_));
    if (!forward_) std::ranges::reverse(ids_);
  }
  for (; id_ < ids_.size() && entries.rows.size() < kVectorRows; ++id_) {
    entries.keys.emplace_back(postings_[key_].key);
    entries.rows.push_back(ids_[id_]);
  }
  return true;
}

Result<bool> IndexScan::next(Entries& entries) {
  entries.keys.clear();
  entries.rows.clear();
  for (;;) {
    // Keys already given must stay: what is at hand is finished before more is loaded.
    while (entries.rows.size() < kVectorRows) {
      const bool more = COPPICE_TRY(take_segment(entries));
      if (!more) break;
    }
    if (!entries.rows.empty()) return true;
    if (ended_) return false;
    COPPICE_TRY(load_keys());
    if (read_->unique()) COPPICE_TRY(take_unique(entries));
    if (!entries.rows.empty()) return true;
  }
}

}  // namespace coppice::lsm
