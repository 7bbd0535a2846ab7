// posting_node.cpp — evaluation, smallest first.
#include "modules/lsm/bitmap/posting_node.h"

#include <algorithm>
#include <array>

namespace coppice::lsm {
namespace {

using Kind = PostingNode::Kind;

Status check_depth(unsigned depth) {
  if (depth < kPostingDepthMax) return {};
  return fail(Code::kLimitExceeded, "bitmap conditions are nested too deeply");
}

Status evaluate_at(const PostingNode& node, Hlc read, Ids& to, unsigned depth);

// Drops from `ids` what does (or, with `negate`, does not) fail the node.
Status filter_at(const PostingNode& node, Hlc read, Ids& ids, bool negate, unsigned depth);

void keep(Ids& ids, std::span<const Mark> marks, bool negate) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[kept] = ids[i];
    kept += (marks[i] == Mark::kPresent) != negate ? 1 : 0;
  }
  ids.resize(kept);
}

// Keeps the ids that are (not) among `others`.
void keep_among(Ids& ids, IdSpan others, bool negate) {
  std::size_t kept = 0, at = 0;
  for (const std::uint64_t id : ids) {
    at = gallop(others, at, id);
    const bool found = at < others.size() && others[at] == id;
    if (found != negate) ids[kept++] = id;
  }
  ids.resize(kept);
}

// Marks those that any child has. Each list is asked only about what no other one has yet.
Status mark_any(const PostingNode& node, Hlc read, IdSpan ids, std::span<Mark> found,
                unsigned depth) {
  Ids open(ids.begin(), ids.end());
  for (const PostingNode& child : node.children) {
    if (open.empty()) break;
    Ids hits = open;
    COPPICE_TRY(filter_at(child, read, hits, false, depth + 1));
    keep_among(open, hits, true);
  }
  std::ranges::fill(found, Mark::kPresent);
  std::size_t at = 0;
  for (const std::uint64_t id : open) {
    at = gallop(ids, at, id);
    found[at] = Mark::kAbsent;
  }
  return {};
}

Status filter_at(const PostingNode& node, Hlc read, Ids& ids, bool negate, unsigned depth) {
  COPPICE_TRY(check_depth(depth));
  if (ids.empty()) return {};
  switch (node.kind) {
    case Kind::kNot:
      return filter_at(node.children.front(), read, ids, !negate, depth + 1);
    case Kind::kList: {
      std::vector<Mark> marks(ids.size(), Mark::kUnknown);
      COPPICE_TRY(node.list->probe(read, ids, marks));
      keep(ids, marks, negate);
      return {};
    }
    case Kind::kAnd: {
      Ids matching;
      Ids& subject = negate ? (matching = ids) : ids;
      for (const PostingNode& child : node.children) {
        COPPICE_TRY(filter_at(child, read, subject, false, depth + 1));
      }
      if (negate) keep_among(ids, matching, true);
      return {};
    }
    case Kind::kOr:
      break;
  }
  // Many short lists are cheaper read than asked one by one.
  const std::uint64_t limit = node.count_limit();
  if (limit != UINT64_MAX && limit / 4 <= ids.size()) {
    Ids any;
    COPPICE_TRY(evaluate_at(node, read, any, depth + 1));
    keep_among(ids, any, negate);
    return {};
  }
  std::vector<Mark> marks(ids.size(), Mark::kUnknown);
  COPPICE_TRY(mark_any(node, read, ids, marks, depth));
  keep(ids, marks, negate);
  return {};
}

Status evaluate_at(const PostingNode& node, Hlc read, Ids& to, unsigned depth) {
  COPPICE_TRY(check_depth(depth));
  switch (node.kind) {
    case Kind::kNot:
      return fail(Code::kInvalidArgument, "a NOT over bitmaps stands only under an AND");
    case Kind::kList:
      return node.list->decode(read, to);
    case Kind::kOr: {
      Ids any;
      for (const PostingNode& child : node.children) {
        COPPICE_TRY(evaluate_at(child, read, any, depth + 1));
      }
      if (node.children.size() > 1) sort_ids(any);
      to.insert(to.end(), any.begin(), any.end());
      return {};
    }
    case Kind::kAnd:
      break;
  }
  std::vector<std::pair<std::uint64_t, const PostingNode*>> by_size;
  for (const PostingNode& child : node.children) by_size.emplace_back(child.count_limit(), &child);
  std::ranges::sort(by_size, {}, [](const auto& entry) { return entry.first; });
  if (by_size.empty()) return fail(Code::kInvalidArgument, "an AND over bitmaps needs a child");
  Ids ids;
  COPPICE_TRY(evaluate_at(*by_size.front().second, read, ids, depth + 1));
  for (std::size_t i = 1; i < by_size.size(); ++i) {
    COPPICE_TRY(filter_at(*by_size[i].second, read, ids, false, depth + 1));
  }
  to.insert(to.end(), ids.begin(), ids.end());
  return {};
}

}  // namespace

std::uint64_t PostingNode::count_limit() const {
  switch (kind) {
    case Kind::kNot:
      return UINT64_MAX;
    case Kind::kList:
      return list->count_limit();
    case Kind::kAnd: {
      std::uint64_t least = UINT64_MAX;
      for (const PostingNode& child : children) least = std::min(least, child.count_limit());
      return least;
    }
    case Kind::kOr:
      break;
  }
  std::uint64_t total = 0;
  for (const PostingNode& child : children) {
    if (__builtin_add_overflow(total, child.count_limit(), &total)) return UINT64_MAX;
  }
  return total;
}

Status evaluate(const PostingNode& node, Hlc read, Ids& to) {
  return evaluate_at(node, read, to, 0);
}

Status filter(const PostingNode& node, Hlc read, Ids& ids) {
  return filter_at(node, read, ids, false, 0);
}

Result<std::uint64_t> count(const PostingNode& node, Hlc read) {
  if (node.kind == Kind::kList) return node.list->count(read);
  if (node.kind == Kind::kOr && node.disjoint) {
    std::uint64_t total = 0;
    for (const PostingNode& child : node.children) {
      // One level: keys of a range are lists.
      if (child.kind != Kind::kList) return fail(Code::kInvalidArgument, "a key range has lists");
      total += COPPICE_TRY(child.list->count(read));
    }
    return total;
  }
  Ids ids;
  COPPICE_TRY(evaluate(node, read, ids));
  return ids.size();
}

void sort_ids(Ids& ids) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = 1u << kDigitBits;
  if (ids.size() < 256) {
    std::ranges::sort(ids);
  } else if (!std::ranges::is_sorted(ids)) {
    std::uint64_t ones = 0, zeros = 0;
    for (const std::uint64_t id : ids) {
      ones |= id;
      zeros |= ~id;
    }
    const std::uint64_t varying = ones & zeros;
    Ids other(ids.size());
    for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
      if ((varying >> shift & (kDigits - 1)) == 0) continue;
      std::array<std::size_t, kDigits> start{};
      for (const std::uint64_t id : ids) ++start[id >> shift & (kDigits - 1)];
      std::size_t sum = 0;
      for (std::size_t& slot : start) sum += std::exchange(slot, sum);
      for (const std::uint64_t id : ids) other[start[id >> shift & (kDigits - 1)]++] = id;
      ids.swap(other);
    }
  }
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
}

}  // namespace coppice::lsm
