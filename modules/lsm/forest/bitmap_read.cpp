#include "modules/lsm/forest/bitmap_read.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

constexpr std::size_t kKeysAtOnce = 256;         // looked up together
constexpr std::size_t kKeysCountedOneByOne = 8;  // of a range, for an estimate

Status check_node(const BitmapNode& node, std::size_t depth) {
  if (depth > kBitmapDepthMax) return fail(Code::kLimitExceeded, "index conditions too deep");
  const bool leaf = node.kind == BitmapNode::Kind::kLeaf;
  if (!leaf && node.children.empty())
    return fail(Code::kInvalidArgument, "an index condition of nothing");
  return {};
}

// The ranges of a leaf may overlap: ascending by their low ends, a key is met again at once.
std::vector<const KeyRange*> in_order(const std::vector<KeyRange>& ranges) {
  std::vector<const KeyRange*> sorted;
  for (const KeyRange& range : ranges) sorted.push_back(&range);
  std::ranges::sort(sorted, [](const KeyRange* a, const KeyRange* b) {
    return compare_keys(a->low, b->low) < 0;
  });
  return sorted;
}

// Visits the distinct keys of all ranges in order until `visit` says false.
template <class Visit>
Status each_key(IndexRead& index, const BitmapNode& leaf, Visit visit) {
  KeyWalk walk = index.walk();
  std::optional<ByteBuffer> last;
  for (const KeyRange* range : in_order(leaf.ranges)) {
    const bool passed = last && compare_keys(*last, range->low) >= 0;
    auto key = COPPICE_TRY(passed ? walk.next(*last, *range) : walk.first(*range));
    while (key) {
      last = *key;
      const bool more = COPPICE_TRY(visit(*std::move(key)));
      if (!more) return {};
      key = COPPICE_TRY(walk.next(*last, *range));
    }
  }
  return {};
}

}  // namespace

Status BitmapRead::read_ids(IndexRead& index, std::vector<ByteBuffer> keys, Ids& ids) {
  if (index.unique()) {
    const std::vector<ByteView> views(keys.begin(), keys.end());
    const auto rows = COPPICE_TRY(index.find_unique(views));
    for (const auto& row : rows) {
      if (row) ids.push_back(*row);
    }
  } else {
    KeyPostingsSet postings;
    COPPICE_TRY(index.gather(std::move(keys), postings));
    for (const KeyPostings& key : postings) COPPICE_TRY(key.list.decode(read_at_, ids));
  }
  index.forget_blocks();
  return {};
}

Result<PostingNode> BitmapRead::open_leaf(const BitmapNode& node) {
  Leaf& leaf = leaves_.emplace_back();
  leaf.index = COPPICE_TRY(open_(node.index));
  IndexRead& index = *leaf.index;
  const std::size_t in_place = index.unique() ? 0 : kLeafKeysInPlace;
  std::vector<ByteBuffer> keys;
  Ids ids;
  bool folded = false;
  COPPICE_TRY(each_key(index, node, [&](ByteBuffer key) -> Result<bool> {
    keys.push_back(std::move(key));
    if (keys.size() <= in_place) return true;
    if (!folded) {
      folded = true;
      COPPICE_TRY(read_ids(index, std::exchange(keys, {}), ids));
    } else if (keys.size() >= kKeysAtOnce) {
      COPPICE_TRY(read_ids(index, std::exchange(keys, {}), ids));
    }
    return true;
  }));
  if (!folded && !index.unique()) {
    COPPICE_TRY(index.gather(std::move(keys), leaf.keys));
    std::vector<PostingNode> lists;
    for (const KeyPostings& key : leaf.keys) lists.push_back(PostingNode::of(key.list));
    if (lists.size() == 1) return std::move(lists.front());
    return PostingNode::key_range(std::move(lists));
  }
  COPPICE_TRY(read_ids(index, std::move(keys), ids));
  sort_ids(ids);
  leaf.folded.reserve(ids.size());
  for (const Egid id : ids) leaf.folded.push_back({id, Stamp::folded()});
  leaf.list.add_layer(std::span<const PostingOp>(leaf.folded));
  leaf.list.seal();
  return PostingNode::of(leaf.list);
}

Result<PostingNode> BitmapRead::open(const BitmapNode& node, std::size_t depth) {
  COPPICE_TRY(check_node(node, depth));
  if (node.kind == BitmapNode::Kind::kLeaf) return open_leaf(node);
  std::vector<PostingNode> children;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    PostingNode child = COPPICE_TRY(open(node.children[i], depth + 1));
    const bool negated = node.kind == BitmapNode::Kind::kAndNot && i > 0;
    children.push_back(negated ? PostingNode::none_of(std::move(child)) : std::move(child));
  }
  return node.kind == BitmapNode::Kind::kOr ? PostingNode::any_of(std::move(children))
                                            : PostingNode::all_of(std::move(children));
}

Result<RowIds> BitmapRead::rows(const BitmapNode& node) {
  const PostingNode root = COPPICE_TRY(open(node, 1));
  RowIds ids;
  COPPICE_TRY(evaluate(root, read_at_, ids));
  return ids;
}

Result<std::uint64_t> BitmapRead::count(const BitmapNode& node) {
  const PostingNode root = COPPICE_TRY(open(node, 1));
  return lsm::count(root, read_at_);
}

// --- estimates ----------------------------------------------------------------------------------

Result<std::uint64_t> BitmapRead::estimate_leaf(const BitmapNode& node) {
  const auto index = COPPICE_TRY(open_(node.index));
  std::uint64_t limit = 0;
  std::size_t keys = 0;
  bool many = false;
  COPPICE_TRY(each_key(*index, node, [&](const ByteBuffer& key) -> Result<bool> {
    many = ++keys > kKeysCountedOneByOne;
    if (many) return false;
    if (index->unique()) {
      ++limit;
      return true;
    }
    const std::uint64_t more = COPPICE_TRY(index->count_limit(key));
    limit += more;
    return true;
  }));
  if (!many || index->tree() == nullptr) return limit;
  const IndexTreeVersion& tree = *index->tree();
  std::uint64_t total = tree.active.head->operations();
  const auto add_run = [&](const IndexRun& run, const KeyRange& range) {
    const std::size_t from = run.lower_bound(range.low);
    const std::size_t to = range.high ? run.lower_bound(*range.high) : run.keys();
    if (from < to) {
      total += static_cast<std::uint64_t>(run.ops(to - 1).data() + run.ops(to - 1).size() -
                                          run.ops(from).data());
    }
  };
  for (const KeyRange& range : node.ranges) {
    for (const IndexRunRef& run : tree.active.runs) add_run(*run, range);
    for (const FrozenRunsRef& frozen : tree.frozen) {
      for (const IndexRunRef& run : frozen->runs) add_run(*run, range);
    }
    for (const auto* level : {&tree.level0, &tree.bottom}) {
      for (const IndexFileRef& file : *level) total += file->index.ids_limit(range);
    }
  }
  return std::max(total, limit);
}

Result<std::uint64_t> BitmapRead::estimate(const BitmapNode& node, std::size_t depth) {
  COPPICE_TRY(check_node(node, depth));
  if (node.kind == BitmapNode::Kind::kLeaf) return estimate_leaf(node);
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.kind == BitmapNode::Kind::kAndNot && i > 0) break;
    const std::uint64_t child = COPPICE_TRY(estimate(node.children[i], depth + 1));
    if (node.kind == BitmapNode::Kind::kOr) {
      result += child;
    } else {
      result = i == 0 ? child : std::min(result, child);
    }
  }
  return result;
}

}  // namespace coppice::lsm
