// posting_list_test.cpp — layers and bitmap trees against sets.
#include "modules/lsm/bitmap/posting_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "kernel/base/random.h"
#include "modules/lsm/bitmap/posting_node.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

// A posting list over random layers, and all its operations.
struct Sample {
  std::deque<ByteBuffer> bytes;
  std::deque<std::vector<PostingOp>> runs;
  std::map<std::uint64_t, std::map<std::uint64_t, bool, std::greater<>>> ops;  // egid → at → add
  PostingList list;

  Ids at(Hlc read) const {
    Ids ids;
    for (const auto& [egid, versions] : ops) {
      const auto newest = versions.lower_bound(read.value);
      if (newest != versions.end() && newest->second) ids.push_back(egid);
    }
    return ids;
  }
};

// Older layers have older operations; in about half of the samples new layers have only new rows.
void fill(Sample& sample, Rng& rng, std::uint64_t egids) {
  const std::uint64_t layers = 1 + rng.below(5);
  const bool append_only = rng.chance(0.4);
  std::vector<std::vector<PostingOp>> oldest_first;
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    std::vector<PostingOp> ops;
    const std::uint64_t from = append_only ? layer * egids / layers : rng.below(egids);
    const std::uint64_t to = append_only ? (layer + 1) * egids / layers : from + rng.below(egids);
    for (std::uint64_t egid = from; egid < to; ++egid) {
      if (!rng.chance(layer == 0 || append_only ? 0.5 : 0.05)) continue;
      const Hlc at{layer * 10 + rng.below(10)};
      const bool add = append_only || rng.chance(0.6);
      ops.push_back({egid, add ? Stamp::add(at) : Stamp::remove(at)});
      sample.ops[egid][at.value] = add;
    }
    oldest_first.push_back(std::move(ops));
  }
  for (auto ops = oldest_first.rbegin(); ops != oldest_first.rend(); ++ops) {
    if (rng.chance(0.3) || ops->empty()) {
      sample.runs.push_back(*ops);
      sample.list.add_layer(std::span<const PostingOp>(sample.runs.back()));
      continue;
    }
    std::vector<PartView> parts;
    PartBuilder builder;
    builder.start_key(0);
    const auto take = [&](std::uint64_t next) {
      const EncodedPart part = builder.close(next);
      sample.bytes.emplace_back(part.bytes.begin(), part.bytes.end());
      parts.push_back(*PartView::parse(sample.bytes.back()));
    };
    for (const PostingOp& op : *ops) {
      if (!builder.empty() && rng.chance(0.005)) take(op.egid);
      builder.add(op);
    }
    take(0);
    sample.list.add_layer(parts);
  }
  sample.list.seal();
}

Ids universe(std::uint64_t egids, Rng& rng, double chance) {
  Ids ids;
  for (std::uint64_t id = 0; id < egids * 2; ++id) {
    if (rng.chance(chance)) ids.push_back(id);
  }
  return ids;
}

}  // namespace

TEST_CASE("posting list: decode, count, segments and probe agree with the model") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const std::uint64_t egids = seed % 3 == 0 ? 40 : 3000;
    Sample sample;
    fill(sample, rng, egids);
    for (const std::uint64_t read : {0u, 5u, 15u, 33u, 100u}) {
      const Ids expected = sample.at({read});
      Ids ids, streamed;
      REQUIRE(sample.list.decode({read}, ids));
      REQUIRE(ids == expected);
      CHECK(sample.list.count_limit() >= expected.size());
      CHECK(sample.list.count({read}).value() == expected.size());
      for (std::size_t i = 0; i < sample.list.segments(); ++i) {
        REQUIRE(sample.list.decode_segment(i, {read}, streamed));
      }
      CHECK(streamed == expected);

      const Ids asked = universe(egids, rng, rng.chance(0.5) ? 0.02 : 0.6);
      std::vector<Mark> marks(asked.size(), Mark::kUnknown);
      REQUIRE(sample.list.probe({read}, asked, marks));
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const bool there = std::ranges::binary_search(expected, asked[i]);
        REQUIRE((marks[i] == Mark::kPresent) == there);
      }
    }
  }
}

TEST_CASE("posting node: trees of AND, OR and NOT agree with sets") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    constexpr std::uint64_t kEgids = 400;
    std::deque<Sample> samples;
    const Hlc read{rng.below(60)};

    struct Built {
      PostingNode node;
      Ids ids;
    };
    const auto leaf = [&]() -> Built {
      samples.emplace_back();
      fill(samples.back(), rng, kEgids);
      return {PostingNode::of(samples.back().list), samples.back().at(read)};
    };
    const auto build = [&](auto& self, int depth) -> Built {
      const std::uint64_t kind = depth == 0 ? 0 : rng.below(3);
      if (kind == 0) return leaf();
      std::vector<PostingNode> children;
      Ids ids;
      const std::uint64_t count = 1 + rng.below(4);
      for (std::uint64_t i = 0; i < count; ++i) {
        Built child = self(self, depth - 1);
        const bool negated = kind == 1 && i > 0 && rng.chance(0.4);
        Ids next;
        if (i == 0) {
          next = child.ids;
        } else if (kind == 2) {
          std::ranges::set_union(ids, child.ids, std::back_inserter(next));
        } else if (negated) {
          std::ranges::set_difference(ids, child.ids, std::back_inserter(next));
        } else {
          std::ranges::set_intersection(ids, child.ids, std::back_inserter(next));
        }
        ids = std::move(next);
        children.push_back(negated ? PostingNode::none_of(std::move(child.node))
                                   : std::move(child.node));
      }
      return {kind == 1 ? PostingNode::all_of(std::move(children))
                        : PostingNode::any_of(std::move(children)),
              std::move(ids)};
    };
    const Built built = build(build, 3);
    Ids ids;
    REQUIRE(evaluate(built.node, read, ids));
    REQUIRE(ids == built.ids);
    CHECK(count(built.node, read).value() == built.ids.size());
    CHECK(built.node.count_limit() >= built.ids.size());

    Ids asked = universe(kEgids, rng, 0.3), expected;
    std::ranges::set_intersection(asked, built.ids, std::back_inserter(expected));
    REQUIRE(filter(built.node, read, asked));
    REQUIRE(asked == expected);
  }
}

TEST_CASE("posting node: a NOT alone and bottomless trees are refused") {
  PostingList list;
  list.seal();
  Ids ids;
  const auto alone = evaluate(PostingNode::none_of(PostingNode::of(list)), Hlc::max(), ids);
  REQUIRE_FALSE(alone.has_value());
  CHECK(alone.error().code() == Code::kInvalidArgument);
  PostingNode deep = PostingNode::of(list);
  for (unsigned i = 0; i < kPostingDepthMax + 1; ++i) {
    std::vector<PostingNode> one;
    one.push_back(std::move(deep));
    deep = PostingNode::any_of(std::move(one));
  }
  const auto refused = evaluate(deep, Hlc::max(), ids);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code() == Code::kLimitExceeded);
}

TEST_CASE("posting node: counts of a key range add up without reading") {
  Rng rng(3);
  std::deque<Sample> samples(3);
  std::vector<PostingNode> keys;
  std::uint64_t total = 0;
  for (Sample& sample : samples) {
    fill(sample, rng, 500);
    total += sample.at(Hlc::max()).size();
    keys.push_back(PostingNode::of(sample.list));
  }
  CHECK(count(PostingNode::key_range(std::move(keys)), Hlc::max()).value() == total);
}

TEST_CASE("sort_ids sorts and drops repetitions") {
  Rng rng(4);
  for (const std::size_t size : {0u, 1u, 100u, 5000u}) {
    for (const unsigned bits : {3u, 20u, 44u, 64u}) {
      Ids ids;
      for (std::size_t i = 0; i < size; ++i) ids.push_back(rng.next() >> (64 - bits));
      std::vector<std::uint64_t> expected = ids;
      std::ranges::sort(expected);
      expected.erase(std::ranges::unique(expected).begin(), expected.end());
      sort_ids(ids);
      CHECK(ids == expected);
    }
  }
}
