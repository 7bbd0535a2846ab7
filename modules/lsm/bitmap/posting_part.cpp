// posting_part.cpp — the frame of a part: tag, ids, stamps, deltas. docs/formats/index.md.
#include "modules/lsm/bitmap/posting_part.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

// The tag: bits 0–1 form, 2 stamps, 3 deltas, 4–6 number of inline ids, 7 zero.
constexpr unsigned kStampsBit = 1 << 2;
constexpr unsigned kDeltasBit = 1 << 3;
constexpr unsigned kInlineShift = 4;
constexpr std::size_t kDeltaBytes = 12;
// Fewer ids than this per 65,536 and gaps are smaller and as fast as containers.
constexpr std::uint64_t kDenseIdsPerChunk = 16;

Error bad_part(const char* what) {
  return Error(Code::kCorruption, std::string("posting part: ") + what);
}
Status check(bool fine, const char* what) {
  if (fine) return {};
  return std::unexpected(bad_part(what));
}

std::uint64_t zigzag(std::uint64_t difference) {
  const auto wide = static_cast<std::int64_t>(difference);
  return static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63);
}
std::uint64_t unzigzag(std::uint64_t coded) {
  return coded >> 1 ^ (~(coded & 1) + 1);
}

bool is_dense(std::size_t ids, std::uint64_t span) {
  return ids / (span / kDenseChunkIds + 1) >= kDenseIdsPerChunk;
}

void write_deltas(std::span<const PostingOp> deltas, ByteWriter& to) {
  if (deltas.empty()) return;
  const std::uint64_t base = deltas.front().egid;
  to.varint(deltas.size());
  to.varint(base);
  for (const PostingOp& op : deltas) {
    COPPICE_ASSERT(op.egid - base <= UINT32_MAX);
    to.u32(static_cast<std::uint32_t>(op.egid - base));
  }
  for (const PostingOp& op : deltas) to.u64(op.stamp.value);
}

}  // namespace

// --- view
// ------------------------------------------------------------------------------------------

Result<PartView> PartView::parse(ByteView bytes) {
  PartView part;
  part.bytes_ = bytes;
  ByteReader in(bytes);
  const unsigned tag = in.u8();
  const unsigned form = tag & 3;
  if (form > 2 || (tag & 0x80) != 0) return std::unexpected(bad_part("unknown form"));
  part.form_ = static_cast<Form>(form);
  if (part.form_ == Form::kInline) {
    part.ids_ = tag >> kInlineShift;
    const std::size_t start = in.position();
    for (std::uint32_t i = 0; i < part.ids_; ++i) {
      const std::uint64_t value = in.varint();
      if (i == 0) part.base_ = value;
      if (i > 0) part.span_ += value + 1;
      if (value > kPartEgidMax) in.fail();
    }
    if (!in.ok() || part.ids_ > kInlineIdsMax) return std::unexpected(bad_part("inline ids"));
    part.body_ = bytes.subspan(start, in.position() - start);
  } else {
    const std::uint64_t ids = in.varint();
    part.base_ = in.varint();
    part.span_ = in.varint();
    part.body_ = in.sized_bytes();
    if (ids == 0 || ids > kPartIdsMax || tag >> kInlineShift != 0) in.fail();
    part.ids_ = static_cast<std::uint32_t>(ids);
  }
  if (!in.ok() || part.base_ > kPartEgidMax || part.span_ > UINT32_MAX) {
    return std::unexpected(bad_part("head"));
  }
  part.head_and_ids_ = bytes.first(in.position());
  if ((tag & kStampsBit) != 0) {
    part.newest_base_ = Hlc{in.varint()};
    part.stamps_ = in.sized_bytes();
    if (part.stamps_.empty() || part.newest_base_ > Hlc::max()) in.fail();
  }
  if ((tag & kDeltasBit) != 0) {
    const std::uint64_t count = in.varint();
    const std::uint64_t base = in.varint();
    if (count == 0 || count > kPartDeltasMax || base > kPartEgidMax) in.fail();
    const ByteView body = in.ok() ? in.bytes(count * kDeltaBytes) : ByteView();
    part.deltas_ = DeltaView(body, base, body.empty() ? 0 : static_cast<std::uint32_t>(count));
  }
  if (!in.done()) return std::unexpected(bad_part("stamps or deltas"));
  return part;
}

std::uint64_t PartView::first() const {
  if (deltas() == 0) return base_;
  const std::uint64_t delta = deltas_[0].egid;
  return ids_ == 0 ? delta : std::min(base_, delta);
}

std::uint64_t PartView::last() const {
  const std::uint64_t base_last = base_ + span_;
  if (deltas() == 0) return base_last;
  const std::uint64_t delta = deltas_[deltas() - 1].egid;
  return ids_ == 0 ? delta : std::max(base_last, delta);
}

PartStats PartView::stats() const {
  PartStats stats{ids_, deltas(), folded(), newest_base_};
  for (std::uint32_t i = 0; i < deltas(); ++i) {
    stats.newest = std::max(stats.newest, deltas_[i].stamp.at());
  }
  return stats;
}

Status PartView::decode_base(Ids& to) const {
  switch (form_) {
    case Form::kSparse:
      return check(SparseIds(body_, base_, ids_).decode(to), "sparse ids");
    case Form::kDense:
      return check(DenseIds(body_, dense_base(base_), ids_).decode(to), "dense ids");
    case Form::kInline:
      break;
  }
  ByteReader in(body_);
  std::uint64_t id = 0;
  for (std::uint32_t i = 0; i < ids_; ++i) {
    id += in.varint() + (i == 0 ? 0 : 1);
    to.push_back(id);
  }
  return {};
}

Status PartView::probe_base(IdSpan ids, std::span<Mark> marks) const {
  switch (form_) {
    case Form::kSparse:
      return check(SparseIds(body_, base_, ids_).probe(ids, marks), "sparse ids");
    case Form::kDense:
      return check(DenseIds(body_, dense_base(base_), ids_).probe(ids, marks), "dense ids");
    case Form::kInline:
      break;
  }
  ByteReader in(body_);
  std::uint64_t id = 0;
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < ids_; ++i) {
    id += in.varint() + (i == 0 ? 0 : 1);
    at = gallop(ids, at, id);
    if (at < ids.size() && ids[at] == id && marks[at] == Mark::kUnknown) marks[at] = Mark::kPresent;
  }
  return {};
}

Status PartView::stamps(std::vector<Stamp>& to) const {
  if (!has_stamps()) {
    to.assign(ids_, Stamp::folded());
    return {};
  }
  to.clear();
  ByteReader in(stamps_);
  std::uint64_t at = newest_base_.value;
  while (in.remaining() > 0) {
    const std::uint64_t run = in.varint();
    at += unzigzag(in.varint());
    if (!in.ok() || run == 0 || run > ids_ - to.size() || at > newest_base_.value) {
      return std::unexpected(bad_part("stamps"));
    }
    to.insert(to.end(), run, Stamp::add(Hlc{at}));
  }
  return check(to.size() == ids_, "stamps");
}

Status PartView::visible_base(Hlc read, Ids& to) const {
  if (newest_base_ <= read) return decode_base(to);
  const std::size_t start = to.size();
  COPPICE_TRY(decode_base(to));
  std::vector<Stamp> when;
  COPPICE_TRY(stamps(when));
  std::size_t kept = start;
  for (std::size_t i = 0; i < when.size(); ++i) {
    if (when[i].visible_at(read)) to[kept++] = to[start + i];
  }
  to.resize(kept);
  return {};
}

Status PartView::decode(Hlc read, Ids& present, Ids* removed) const {
  if (deltas() == 0) return visible_base(read, present);
  Ids base;
  COPPICE_TRY(visible_base(read, base));
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < deltas();) {
    const std::uint64_t egid = deltas_[i].egid;
    std::optional<Stamp> newest;
    for (; i < deltas() && deltas_[i].egid == egid; ++i) {
      if (!newest && deltas_[i].stamp.visible_at(read)) newest = deltas_[i].stamp;
    }
    if (!newest) continue;
    for (; at < base.size() && base[at] < egid; ++at) present.push_back(base[at]);
    if (at < base.size() && base[at] == egid) ++at;
    if (newest->is_add()) {
      present.push_back(egid);
    } else if (removed != nullptr) {
      removed->push_back(egid);
    }
  }
  present.insert(present.end(), base.begin() + static_cast<std::ptrdiff_t>(at), base.end());
  return {};
}

Status PartView::probe(Hlc read, IdSpan ids, std::span<Mark> marks) const {
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < deltas() && at < ids.size(); ++i) {
    const PostingOp op = deltas_[i];
    at = gallop(ids, at, op.egid);
    if (at == ids.size() || ids[at] != op.egid || !op.stamp.visible_at(read)) continue;
    if (marks[at] == Mark::kUnknown) marks[at] = op.stamp.is_add() ? Mark::kPresent : Mark::kAbsent;
  }
  if (ids_ == 0) return {};
  if (newest_base_ <= read) return probe_base(ids, marks);
  Ids visible;  // a recent part read in the past: rare
  COPPICE_TRY(visible_base(read, visible));
  at = 0;
  for (const std::uint64_t id : visible) {
    at = gallop(ids, at, id);
    if (at == ids.size()) break;
    if (ids[at] == id && marks[at] == Mark::kUnknown) marks[at] = Mark::kPresent;
  }
  return {};
}

Status PartView::operations(std::vector<PostingOp>& to) const {
  Ids base;
  std::vector<Stamp> when;
  COPPICE_TRY(decode_base(base));
  COPPICE_TRY(stamps(when));
  std::uint32_t delta = 0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    for (; delta < deltas() && deltas_[delta].egid <= base[i]; ++delta) {
      to.push_back(deltas_[delta]);
    }
    to.push_back({base[i], when[i]});  // an id's base operation is its oldest
  }
  for (; delta < deltas(); ++delta) to.push_back(deltas_[delta]);
  return {};
}

Status PartView::append_deltas(std::span<const PostingOp> more, ByteBuffer& to) const {
  std::vector<PostingOp> merged;
  merged.reserve(deltas() + more.size());
  std::uint32_t mine = 0;
  for (const PostingOp& op : more) {
    for (; mine < deltas() && deltas_[mine] < op; ++mine) merged.push_back(deltas_[mine]);
    merged.push_back(op);
  }
  for (; mine < deltas(); ++mine) merged.push_back(deltas_[mine]);
  if (merged.size() > kPartDeltasMax || merged.back().egid - merged.front().egid > UINT32_MAX) {
    return fail(Code::kInternal, "too many or too distant deltas for one posting part");
  }
  const std::size_t start = to.size();
  append(to, head_and_ids_);
  to[start] |= static_cast<std::byte>(kDeltasBit);
  ByteWriter out(to);
  if (has_stamps()) {
    out.varint(newest_base_.value);
    out.sized_bytes(stamps_);
  }
  write_deltas(merged, out);
  return {};
}

// --- builder
// ---------------------------------------------------------------------------------------

void PartBuilder::start_key(std::uint64_t first_egid) {
  COPPICE_ASSERT(empty());
  first_egid_ = first_egid;
}

bool PartBuilder::should_close_before(std::uint64_t egid) const {
  if (empty() || egid == last_egid_) return false;
  // One more operation may still be pending.
  if (ids_.size() + 1 >= kPartIdsMax) return true;
  if (egid - lowest_ >= kPartSpanMax) return true;
  const std::size_t extra =
      deltas_.size() * kDeltaBytes + (runs_.size() > 1 ? runs_.size() * 4 : 0);
  if (dense_.bytes() + extra < kPartBytesTarget) return false;
  if (ids_.empty() || is_dense(ids_.size(), ids_.back() - ids_.front())) {
    return dense_.bytes() + extra >= kPartBytesTarget;
  }
  const std::uint64_t gap = (ids_.back() - ids_.front()) / ids_.size();
  const std::size_t bits = static_cast<unsigned>(std::bit_width(gap)) + 2u;
  return ids_.size() * bits / 8 + extra >= kPartBytesTarget;
}

void PartBuilder::add(PostingOp op) {
  COPPICE_DEBUG_ASSERT(!pending_ || *pending_ < op);
  if (empty()) lowest_ = op.egid;
  if (pending_) {
    if (pending_->egid == op.egid) {
      deltas_.push_back(*pending_);
      pending_.reset();
    } else {
      settle();
    }
  }
  pending_ = op;
  last_egid_ = op.egid;
}

void PartBuilder::settle() {
  if (!pending_) return;
  const PostingOp op = *pending_;
  pending_.reset();
  if (!op.stamp.is_add()) {
    deltas_.push_back(op);
    return;
  }
  ids_.push_back(op.egid);
  dense_.add(op.egid);
  if (runs_.empty() || runs_.back().stamp != op.stamp) runs_.push_back({0, op.stamp});
  ++runs_.back().ids;
}

EncodedPart PartBuilder::close(std::uint64_t next_first_egid) {
  settle();
  COPPICE_ASSERT(!ids_.empty() || !deltas_.empty());
  COPPICE_ASSERT(ids_.size() <= kPartIdsMax && deltas_.size() <= kPartDeltasMax);
  bytes_.clear();
  ByteWriter out(bytes_);
  const bool stamped = !runs_.empty() && (runs_.size() > 1 || runs_[0].stamp != Stamp::folded());
  unsigned tag = (stamped ? kStampsBit : 0) | (deltas_.empty() ? 0 : kDeltasBit);
  if (ids_.size() <= kInlineIdsMax) {
    out.u8(static_cast<std::uint8_t>(tag | static_cast<unsigned>(ids_.size()) << kInlineShift));
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      out.varint(i == 0 ? ids_[0] : ids_[i] - ids_[i - 1] - 1);
    }
  } else {
    const std::uint64_t span = ids_.back() - ids_.front();
    const bool dense = is_dense(ids_.size(), span);
    const std::uint64_t base = dense ? dense_base(ids_.front()) : ids_.front();
    relative_.clear();
    for (const std::uint64_t id : ids_) relative_.push_back(static_cast<std::uint32_t>(id - base));
    ByteBuffer body;
    dense ? encode_dense(relative_, body) : encode_sparse(relative_, body);
    out.u8(static_cast<std::uint8_t>(tag | (dense ? 2u : 1u)));
    out.varint(ids_.size());
    out.varint(ids_.front());
    out.varint(span);
    out.sized_bytes(body);
  }
  Hlc newest = Hlc::zero();
  for (const StampRun& run : runs_) newest = std::max(newest, run.stamp.at());
  if (stamped) {
    ByteBuffer column;
    ByteWriter stamps(column);
    std::uint64_t previous = newest.value;
    for (const StampRun& run : runs_) {
      stamps.varint(run.ids);
      stamps.varint(zigzag(run.stamp.at().value - previous));
      previous = run.stamp.at().value;
    }
    out.varint(newest.value);
    out.sized_bytes(column);
  }
  write_deltas(deltas_, out);
  for (const PostingOp& op : deltas_) newest = std::max(newest, op.stamp.at());
  const PartStats stats{static_cast<std::uint32_t>(ids_.size()),
                        static_cast<std::uint32_t>(deltas_.size()), !stamped && deltas_.empty(),
                        newest};
  const EncodedPart part{first_egid_, bytes_, stats};
  ids_.clear();
  runs_.clear();
  deltas_.clear();
  dense_ = DenseSize();
  first_egid_ = next_first_egid;
  return part;
}

}  // namespace coppice::lsm
