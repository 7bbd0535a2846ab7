// index_merge.cpp — key by key, range by range.
#include "modules/lsm/sstable/index_merge.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

// Long lists come in pieces, so that none has to be copied whole.
constexpr std::size_t kRunPieceOps = 32 << 10;

class RunInput final : public IndexInput {
 public:
  RunInput(IndexRunRef run, ByteView low)
      : run_(std::move(run)), next_key_(run_->lower_bound(low)) {}
  Result<bool> next() override {
    rest_ = rest_.subspan(piece_.size());
    if (rest_.empty()) {
      at_ = next_key_;
      if (at_ == run_->keys()) return false;
      ++next_key_;
      rest_ = run_->ops(at_);
      first_ = 0;
    } else {
      first_ = rest_.front().egid;
    }
    std::size_t size = std::min(rest_.size(), kRunPieceOps);
    while (size < rest_.size() && rest_[size].egid == rest_[size - 1].egid) ++size;
    piece_ = rest_.first(size);
    return true;
  }
  ByteView key() const override { return run_->key(at_); }
  Egid first_egid() const override { return first_; }
  Result<Piece> piece() override { return Piece{std::nullopt, piece_}; }

 private:
  IndexRunRef run_;
  std::size_t at_ = 0;
  std::size_t next_key_;
  std::span<const PostingOp> rest_, piece_;
  Egid first_ = 0;
};

class FileInput final : public IndexInput {
 public:
  FileInput(const IndexFile& file, IndexBlocks& blocks, IndexPosition low, Hlc cap)
      : cursor_(file, blocks), low_(std::move(low)), cap_(cap) {}
  Result<bool> next() override {
    if (started_) return cursor_.next();
    started_ = true;
    bool there = COPPICE_TRY(cursor_.seek(low_.key, low_.egid));
    // The seek stops at or before: an earlier key's last part does not matter.
    if (there && compare_keys(cursor_.key(), low_.key) < 0) there = COPPICE_TRY(cursor_.next());
    return there;
  }
  ByteView key() const override { return cursor_.key(); }
  Egid first_egid() const override { return cursor_.first_egid(); }
  Result<Piece> piece() override {
    const PartView part = COPPICE_TRY(cursor_.part());
    if (part.stats().newest <= cap_) return Piece{part, {}};
    operations_.clear();
    COPPICE_TRY(part.operations(operations_));
    std::erase_if(operations_, [&](const PostingOp& op) { return !op.stamp.visible_at(cap_); });
    return Piece{std::nullopt, operations_};
  }

 private:
  IndexFileCursor cursor_;
  IndexPosition low_;
  Hlc cap_;
  bool started_ = false;
  std::vector<PostingOp> operations_;
};

}  // namespace

std::unique_ptr<IndexInput> run_input(IndexRunRef run, ByteView low) {
  return std::make_unique<RunInput>(std::move(run), low);
}
std::unique_ptr<IndexInput> file_input(const IndexFile& file, IndexBlocks& blocks,
                                       IndexPosition low, Hlc cap) {
  return std::make_unique<FileInput>(file, blocks, std::move(low), cap);
}

IndexMerge::IndexMerge(std::vector<std::unique_ptr<IndexInput>> newest_first,
                       IndexMergeOptions options)
    : options_(std::move(options)) {
  sources_.resize(newest_first.size());
  for (std::size_t i = 0; i < newest_first.size(); ++i) {
    sources_[i].input = std::move(newest_first[i]);
  }
}

void IndexMerge::emit(Egid first_egid, ByteView bytes, const PartStats& stats) {
  out_.push_back({first_egid, ByteBuffer(bytes.begin(), bytes.end()), stats});
}

Result<bool> IndexMerge::next() {
  if (!started_) {
    started_ = true;
    for (Source& source : sources_) source.more = COPPICE_TRY(source.input->next());
  } else if (!out_.empty()) {
    out_.pop_front();
  }
  while (out_.empty()) {
    if (rebuilding_) {
      COPPICE_TRY(rebuild());
    } else if (range_open_) {
      COPPICE_TRY(decide());
    } else if (key_open_) {
      COPPICE_TRY(start_range());
    } else {
      const bool there = COPPICE_TRY(start_key());
      if (!there) return false;
    }
  }
  return true;
}

// Finds the least key and who has it.
Result<bool> IndexMerge::start_key() {
  if (finished_) return false;
  const Source* least = nullptr;
  for (const Source& source : sources_) {
    if (!source.more) continue;
    if (least == nullptr || compare_keys(source.input->key(), least->input->key()) < 0) {
      least = &source;
    }
  }
  if (least == nullptr) return false;
  const ByteView key = least->input->key();
  const auto bound = [&](const IndexPosition& position) { return compare_keys(key, position.key); };
  const int against_high = options_.high ? bound(*options_.high) : -1;
  if (against_high > 0 || (against_high == 0 && options_.high->egid == 0)) return false;
  key_.assign(key.begin(), key.end());
  low_egid_ = bound(options_.low) == 0 ? options_.low.egid : 0;
  high_egid_ = against_high == 0 ? options_.high->egid : UINT64_MAX;
  key_open_ = true;
  base_ = nullptr;
  for (Source& source : sources_) {
    source.on_key = source.more && compare_keys(source.input->key(), key_) == 0;
    source.ops.clear();
    source.at = 0;
    if (source.on_key) base_ = &source;
  }
  last_.reset();
  range_end_ = low_egid_;
  return true;
}

void IndexMerge::end_range() {
  range_open_ = false;
  key_open_ = range_end_ < high_egid_;
  // Inputs may go on beyond the upper bound; the merge does not.
  if (!key_open_ && high_egid_ != UINT64_MAX) finished_ = true;
}

// Takes the base's next piece of this key as a range, up to where the one after it begins.
Status IndexMerge::start_range() {
  part_.reset();
  base_ops_.clear();
  base_at_ = 0;
  range_first_ = range_end_;
  range_end_ = UINT64_MAX;
  bool is_part = false;
  if (base_->on_key) {
    const IndexInput::Piece piece = COPPICE_TRY(base_->input->piece());
    is_part = piece.part.has_value();
    if (is_part) {
      // The input moves on to learn where the range ends.
      part_bytes_.assign(piece.part->bytes().begin(), piece.part->bytes().end());
      part_ = COPPICE_TRY(PartView::parse(part_bytes_));
    } else {
      base_ops_.assign(piece.operations.begin(), piece.operations.end());
    }
    base_->more = COPPICE_TRY(base_->input->next());
    base_->on_key = base_->more && compare_keys(base_->input->key(), key_) == 0;
    if (base_->on_key) range_end_ = base_->input->first_egid();
  }
  if (range_end_ <= low_egid_ && range_end_ != UINT64_MAX) {
    range_end_ = std::max(range_end_, low_egid_);
    return {};  // wholly below the bound: the next piece
  }
  range_first_ = std::max(range_first_, low_egid_);
  range_open_ = true;
  pending_.clear();
  pending_at_ = 0;
  return {};
}

// Makes sure that the source's next operation of this key is at hand, if there is one.
Status IndexMerge::fill(Source& source) {
  while (source.at == source.ops.size() && source.on_key) {
    const IndexInput::Piece piece = COPPICE_TRY(source.input->piece());
    source.ops.clear();
    source.at = 0;
    if (piece.part) {
      COPPICE_TRY(piece.part->operations(source.ops));
    } else {
      source.ops.assign(piece.operations.begin(), piece.operations.end());
    }
    std::erase_if(source.ops, [&](const PostingOp& op) { return !inside(op.egid); });
    source.more = COPPICE_TRY(source.input->next());
    source.on_key = source.more && compare_keys(source.input->key(), key_) == 0;
  }
  return {};
}

// The least operation below `end` of all sources but the base.
Result<std::optional<PostingOp>> IndexMerge::pop_overlay(Egid end) {
  Source* least = nullptr;
  for (Source& source : sources_) {
    if (&source == base_) continue;
    COPPICE_TRY(fill(source));
    if (source.at == source.ops.size()) continue;
    if (least == nullptr || source.ops[source.at] < least->ops[least->at]) least = &source;
  }
  if (least == nullptr) return std::nullopt;
  const PostingOp op = least->ops[least->at];
  if (op.egid >= end && end != UINT64_MAX) return std::nullopt;
  ++least->at;
  return op;
}

bool IndexMerge::worth_folding(const PartView& part) const {
  if (part.folded()) return false;
  if (part.deltas() > kDeltasBeforeFold || part.deltas() * 4 > part.ids()) return true;
  return options_.bottom && part.stats().newest <= options_.snap;
}

// Copy, append, or rebuild?
Status IndexMerge::decide() {
  while (pending_.size() <= kDeltasBeforeFold) {
    const auto op = COPPICE_TRY(pop_overlay(range_end_));
    if (!op) break;
    pending_.push_back(*op);
  }
  const bool clipped =
      part_ && !part_->empty() && (part_->first() < low_egid_ || part_->last() >= high_egid_);
  if (part_ && !clipped && pending_.empty() && !worth_folding(*part_)) {
    emit(range_first_, part_bytes_, part_->stats());
    ++counters_.copied;
    end_range();
    return {};
  }
  const std::size_t deltas = part_ ? part_->deltas() + pending_.size() : 0;
  if (part_ && !clipped && !pending_.empty() && deltas <= kDeltasBeforeFold &&
      deltas * 4 <= part_->ids() &&
      std::max(part_->last(), pending_.back().egid) - part_->first() <= kPartSpanMax) {
    std::vector<PostingOp> kept;
    for (const PostingOp& op : pending_) {
      // Removals must stay even at the bottom: they hide ids of the part.
      const bool same = last_ && last_->egid == op.egid;
      if (same && (sealed_ || *last_ == op)) continue;
      last_ = op;
      sealed_ = op.stamp.visible_at(options_.snap);
      kept.push_back(op);
    }
    ByteBuffer bytes;
    COPPICE_TRY(part_->append_deltas(kept, bytes));
    const PartView joined = COPPICE_TRY(PartView::parse(bytes));
    emit(range_first_, bytes, joined.stats());
    ++counters_.appended;
    end_range();
    return {};
  }
  if (part_) {
    COPPICE_TRY(part_->operations(base_ops_));
    ++counters_.rebuilt;
  }
  std::erase_if(base_ops_, [&](const PostingOp& op) { return !inside(op.egid); });
  builder_.start_key(range_first_);
  last_.reset();
  rebuilding_ = true;
  return {};
}

// What of an operation is to be kept, in the order of PostingOp.
std::optional<PostingOp> IndexMerge::fold(PostingOp op) {
  const bool same = last_ && last_->egid == op.egid;
  if (same && (sealed_ || *last_ == op)) return std::nullopt;
  last_ = op;
  sealed_ = op.stamp.visible_at(options_.snap);
  if (!sealed_ || !options_.bottom) return op;
  if (!op.stamp.is_add()) return std::nullopt;
  op.stamp = Stamp::folded();
  return op;
}

// Until a part is full or the range ends.
Status IndexMerge::rebuild() {
  while (true) {
    if (pending_at_ == pending_.size()) {
      pending_.clear();
      pending_at_ = 0;
      const auto op = COPPICE_TRY(pop_overlay(range_end_));
      if (op) pending_.push_back(*op);
    }
    const bool has_base = base_at_ < base_ops_.size();
    const bool has_overlay = pending_at_ < pending_.size();
    if (!has_base && !has_overlay) break;
    const bool from_base =
        has_base && (!has_overlay || base_ops_[base_at_] < pending_[pending_at_]);
    const auto kept = fold(from_base ? base_ops_[base_at_++] : pending_[pending_at_++]);
    if (!kept) continue;
    const bool full = builder_.should_close_before(kept->egid);
    if (full) {
      const EncodedPart part = builder_.close(kept->egid);
      emit(part.first_egid, part.bytes, part.stats);
    }
    builder_.add(*kept);
    if (full) return {};
  }
  if (!builder_.empty()) {
    const EncodedPart part = builder_.close(range_end_);
    emit(part.first_egid, part.bytes, part.stats);
  }
  rebuilding_ = false;
  end_range();
  return {};
}

}  // namespace coppice::lsm
