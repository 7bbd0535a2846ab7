// posting_list.cpp — pieces to segments, and the newest-wins overlay within a segment.
#include "modules/lsm/bitmap/posting_list.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

// present ∪ (older_present \ removed) and removed ∪ (older_removed \ present), all ascending.
void lay_over(Ids& present, Ids& removed, const Ids& older_present, const Ids& older_removed) {
  const auto minus_then_union = [](const Ids& mine, const Ids& older, const Ids& hidden) {
    Ids both;
    both.reserve(mine.size() + older.size());
    std::size_t at = 0, hide = 0;
    for (const std::uint64_t id : older) {
      while (at < mine.size() && mine[at] < id) both.push_back(mine[at++]);
      while (hide < hidden.size() && hidden[hide] < id) ++hide;
      if (at < mine.size() && mine[at] == id) ++at;
      if (hide == hidden.size() || hidden[hide] != id) both.push_back(id);
    }
    both.insert(both.end(), mine.begin() + static_cast<std::ptrdiff_t>(at), mine.end());
    return both;
  };
  Ids all_present = minus_then_union(present, older_present, removed);
  removed = minus_then_union(removed, older_removed, present);
  present = std::move(all_present);
}

}  // namespace

Status PostingList::Piece::decode(Hlc read, Ids& present, Ids* removed) const {
  if (is_part) return part.decode(read, present, removed);
  for (std::size_t i = 0; i < operations.size();) {
    const std::uint64_t egid = operations[i].egid;
    bool decided = false;
    for (; i < operations.size() && operations[i].egid == egid; ++i) {
      if (decided || !operations[i].stamp.visible_at(read)) continue;
      decided = true;
      if (operations[i].stamp.is_add()) {
        present.push_back(egid);
      } else if (removed != nullptr) {
        removed->push_back(egid);
      }
    }
  }
  return {};
}

Status PostingList::Piece::probe(Hlc read, IdSpan ids, std::span<Mark> marks) const {
  if (is_part) return part.probe(read, ids, marks);
  std::size_t at = 0;
  for (const std::uint64_t& id : ids) {
    // The first operation of that egid, then its newest visible one.
    std::size_t step = 1;
    while (at + step < operations.size() && operations[at + step].egid < id) {
      at += step;
      step *= 2;
    }
    const auto end = operations.begin() +
                     static_cast<std::ptrdiff_t>(std::min(operations.size(), at + step + 1));
    const auto found =
        std::lower_bound(operations.begin() + static_cast<std::ptrdiff_t>(at), end, id,
                         [](const PostingOp& op, std::uint64_t egid) { return op.egid < egid; });
    at = static_cast<std::size_t>(found - operations.begin());
    Mark& mark = marks[static_cast<std::size_t>(&id - ids.data())];
    for (std::size_t i = at; i < operations.size() && operations[i].egid == id; ++i) {
      if (mark != Mark::kUnknown || !operations[i].stamp.visible_at(read)) continue;
      mark = operations[i].stamp.is_add() ? Mark::kPresent : Mark::kAbsent;
    }
  }
  return {};
}

void PostingList::add_layer(std::span<const PartView> parts) {
  for (const PartView& part : parts) {
    if (part.empty()) continue;
    pieces_.push_back({layers_, true, part.first(), part.last(), part, {}});
    count_limit_ += part.ids() + part.deltas();
  }
  ++layers_;
}

void PostingList::add_layer(std::span<const PostingOp> operations) {
  if (!operations.empty()) {
    pieces_.push_back(
        {layers_, false, operations.front().egid, operations.back().egid, {}, operations});
    count_limit_ += operations.size();
  }
  ++layers_;
}

// Cuts runs of operations where parts begin, so that one removed old row does not make one segment
// of the whole list.
void PostingList::split_operations() {
  std::vector<std::uint64_t> cuts;
  for (const Piece& piece : pieces_) {
    if (!piece.is_part) continue;
    cuts.push_back(piece.first);
    cuts.push_back(piece.last + 1);
  }
  if (cuts.empty()) return;
  std::ranges::sort(cuts);
  std::vector<Piece> split;
  split.reserve(pieces_.size());
  for (Piece& piece : pieces_) {
    if (piece.is_part) {
      split.push_back(piece);
      continue;
    }
    auto rest = piece.operations;
    for (auto cut = std::ranges::upper_bound(cuts, piece.first);
         !rest.empty() && cut != cuts.end() && *cut <= piece.last; ++cut) {
      if (rest.front().egid >= *cut) continue;
      const auto at = std::ranges::lower_bound(rest, *cut, {}, &PostingOp::egid);
      const auto head = rest.first(static_cast<std::size_t>(at - rest.begin()));
      split.push_back({piece.layer, false, head.front().egid, head.back().egid, {}, head});
      rest = rest.subspan(head.size());
    }
    if (!rest.empty()) {
      split.push_back({piece.layer, false, rest.front().egid, rest.back().egid, {}, rest});
    }
  }
  pieces_ = std::move(split);
}

void PostingList::seal() {
  COPPICE_ASSERT(segments_.empty());
  split_operations();
  std::ranges::sort(pieces_, {}, &Piece::first);
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (segments_.empty() || piece.first > segments_.back().last) {
      segments_.push_back({piece.first, piece.last, i, i + 1});
    } else {
      segments_.back().last = std::max(segments_.back().last, piece.last);
      segments_.back().end = i + 1;
    }
  }
  for (const Segment& segment : segments_) {
    std::sort(pieces_.begin() + segment.begin, pieces_.begin() + segment.end,
              [](const Piece& a, const Piece& b) {
                return a.layer != b.layer ? a.layer < b.layer : a.first < b.first;
              });
  }
}

Status PostingList::decode_segment(std::size_t i, Hlc read, Ids& to) const {
  const Segment& segment = segments_[i];
  if (segment.end - segment.begin == 1) return pieces_[segment.begin].decode(read, to, nullptr);
  Ids present, removed, older_present, older_removed;
  for (std::uint32_t p = segment.begin; p < segment.end;) {
    older_present.clear();
    older_removed.clear();
    const std::uint32_t layer = pieces_[p].layer;
    for (; p < segment.end && pieces_[p].layer == layer; ++p) {
      COPPICE_TRY(pieces_[p].decode(read, older_present, &older_removed));
    }
    lay_over(present, removed, older_present, older_removed);
  }
  to.insert(to.end(), present.begin(), present.end());
  return {};
}

Status PostingList::decode(Hlc read, Ids& to) const {
  for (std::size_t i = 0; i < segments_.size(); ++i) COPPICE_TRY(decode_segment(i, read, to));
  return {};
}

Result<std::uint64_t> PostingList::count(Hlc read) const {
  std::uint64_t total = 0;
  Ids scratch;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    const Piece& piece = pieces_[segment.begin];
    const bool alone = segment.end - segment.begin == 1;
    if (alone && piece.is_part && piece.part.deltas() == 0 && piece.part.newest_base() <= read) {
      total += piece.part.ids();
      continue;
    }
    scratch.clear();
    COPPICE_TRY(decode_segment(i, read, scratch));
    total += scratch.size();
  }
  return total;
}

Status PostingList::probe(Hlc read, IdSpan ids, std::span<Mark> marks) const {
  COPPICE_ASSERT(ids.size() == marks.size());
  std::size_t at = 0;
  for (const Segment& segment : segments_) {
    if (at == ids.size()) break;
    if (ids[at] > segment.last) continue;
    at = gallop(ids, at, segment.first);
    const std::size_t end = gallop(ids, at, segment.last + 1);
    if (end == at) continue;
    for (std::uint32_t p = segment.begin; p < segment.end; ++p) {
      COPPICE_TRY(pieces_[p].probe(read, ids.subspan(at, end - at), marks.subspan(at, end - at)));
    }
    at = end;
  }
  return {};
}

}  // namespace coppice::lsm
