// posting_part_test.cpp — parts against a plain map of operations, at every timestamp.
#include "modules/lsm/bitmap/posting_part.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernel/base/random.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

ByteBuffer build(const std::vector<PostingOp>& ops) {
  PartBuilder builder;
  builder.start_key(0);
  for (const PostingOp& op : ops) builder.add(op);
  const EncodedPart part = builder.close(0);
  return {part.bytes.begin(), part.bytes.end()};
}

std::vector<PostingOp> folded(const Ids& ids) {
  std::vector<PostingOp> ops;
  for (const std::uint64_t id : ids) ops.push_back({id, Stamp::folded()});
  return ops;
}

Ids random_ids(Rng& rng, std::size_t count, std::uint64_t start, std::uint64_t gap) {
  Ids ids;
  std::uint64_t id = start;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(id += 1 + rng.below(gap));
  return ids;
}

std::vector<PostingOp> random_ops(Rng& rng, std::size_t egids, std::uint64_t gap) {
  std::vector<PostingOp> ops;
  for (const std::uint64_t id : random_ids(rng, egids, rng.below(1u << 20), gap)) {
    std::uint64_t at = 1 + rng.below(100);
    std::vector<PostingOp> versions;
    do {
      versions.push_back({id, rng.chance(0.7) ? Stamp::add({at}) : Stamp::remove({at})});
      at += 1 + rng.below(20);
    } while (rng.chance(0.2));
    ops.insert(ops.end(), versions.rbegin(), versions.rend());
  }
  return ops;
}

// What the operations say, the plain way.
std::map<std::uint64_t, bool> state_at(const std::vector<PostingOp>& ops, Hlc read) {
  std::map<std::uint64_t, bool> state;
  for (const PostingOp& op : ops) {
    if (op.stamp.visible_at(read)) state.try_emplace(op.egid, op.stamp.is_add());
  }
  return state;
}

void check_part(const std::vector<PostingOp>& ops, ByteView bytes, Rng& rng) {
  const auto part = PartView::parse(bytes);
  REQUIRE(part);
  CHECK(part->first() == ops.front().egid);
  CHECK(part->last() == ops.back().egid);
  std::vector<PostingOp> back;
  REQUIRE(part->operations(back));
  REQUIRE(back == ops);
  for (const std::uint64_t read : {0u, 1u, 30u, 60u, 100u, 1000u}) {
    const auto state = state_at(ops, {read});
    Ids present, removed, expected_present, expected_removed;
    for (const auto& [id, there] : state) {
      (there ? expected_present : expected_removed).push_back(id);
    }
    REQUIRE(part->decode({read}, present, &removed));
    REQUIRE(present == expected_present);
    REQUIRE(removed == expected_removed);

    std::set<std::uint64_t> asked;
    for (int i = 0; i < 50; ++i) asked.insert(ops[rng.below(ops.size())].egid + rng.below(3) - 1);
    asked.insert(0);
    asked.insert(UINT64_MAX);
    const Ids ids(asked.begin(), asked.end());
    std::vector<Mark> marks(ids.size(), Mark::kUnknown);
    marks[0] = Mark::kAbsent;  // decided by a newer layer: must stay
    REQUIRE(part->probe({read}, ids, marks));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto known = state.find(ids[i]);
      Mark mark = Mark::kUnknown;
      if (known != state.end()) mark = known->second ? Mark::kPresent : Mark::kAbsent;
      if (i == 0) mark = Mark::kAbsent;
      REQUIRE(marks[i] == mark);
    }
  }
}

}  // namespace

TEST_CASE("part: every density comes back and answers probes") {
  Rng rng(11);
  for (const std::uint64_t gap : {1ull, 2ull, 3ull, 30ull, 2000ull, 100'000ull, 20'000'000ull}) {
    for (const std::size_t count : {1u, 2u, 4u, 5u, 100u, 128u, 129u, 1000u, 20'000u}) {
      if (count * gap > kPartSpanMax) continue;
      CAPTURE(gap);
      CAPTURE(count);
      const auto ops = folded(random_ids(rng, count, rng.below(1ull << 40), gap));
      const ByteBuffer bytes = build(ops);
      const auto part = PartView::parse(bytes);
      REQUIRE(part);
      CHECK(part->folded());
      CHECK(part->ids() == count);
      check_part(ops, bytes, rng);
    }
  }
}

TEST_CASE("part: runs, arrays and bitmaps side by side") {
  Rng rng(12);
  Ids ids;
  for (std::uint64_t id = 0; id < 65536; ++id) ids.push_back(id);  // a full container
  for (std::uint64_t id = 65536; id < 131072; id += 2) ids.push_back(id);
  for (std::uint64_t id = 131072 + 10; id < 131072 + 40; id += 7) ids.push_back(id);
  for (std::uint64_t id = 200'000; id < 230'000; ++id) ids.push_back(id + id / 1000);
  const auto ops = folded(ids);
  const ByteBuffer bytes = build(ops);
  CHECK(bytes.size() < 10'000);
  check_part(ops, bytes, rng);
}

TEST_CASE("part: versions are exact at every read") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const std::size_t egids = 1 + rng.below(rng.chance(0.5) ? 6 : 600);
    const auto ops = random_ops(rng, egids, rng.chance(0.5) ? 3 : 5000);
    check_part(ops, build(ops), rng);
  }
}

TEST_CASE("part: deltas are added without touching ids") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const auto all = random_ops(rng, 1 + rng.below(300), 50);
    std::vector<PostingOp> old, recent;
    for (const PostingOp& op : all) (op.stamp.at().value < 50 ? old : recent).push_back(op);
    if (old.empty() || recent.empty()) continue;
    const ByteBuffer bytes = build(old);
    ByteBuffer joined;
    REQUIRE(PartView::parse(bytes)->append_deltas(recent, joined));
    check_part(all, joined, rng);
  }
}

TEST_CASE("part: stamps of rows inserted in order take a few bytes a commit") {
  std::vector<PostingOp> ops;
  for (std::uint64_t id = 0; id < 10'000; ++id) {
    ops.push_back({1000 + id * 3, Stamp::add({(1ull << 60) + id / 1000 * 5000})});
  }
  const std::size_t stamped = build(ops).size();
  for (PostingOp& op : ops) op.stamp = Stamp::folded();
  CHECK(stamped - build(ops).size() < 80);
}

TEST_CASE("part: the builder closes at its size, and at 2^32 egids") {
  Rng rng(13);
  for (const std::uint64_t gap : {1ull, 2ull, 700ull, 60'000ull, 200'000'000ull}) {
    CAPTURE(gap);
    PartBuilder builder;
    builder.start_key(0);
    std::vector<ByteBuffer> parts;
    Ids all = random_ids(rng, 300'000, 5, gap), back;
    std::uint64_t expected_first = 0;
    const auto take = [&](std::uint64_t next) {
      const EncodedPart part = builder.close(next);
      CHECK(part.first_egid == expected_first);
      expected_first = next;
      parts.emplace_back(part.bytes.begin(), part.bytes.end());
    };
    for (const std::uint64_t id : all) {
      if (builder.should_close_before(id)) take(id);
      builder.add({id, Stamp::folded()});
    }
    take(0);
    for (const ByteBuffer& bytes : parts) {
      const auto part = PartView::parse(bytes);
      REQUIRE(part);
      CHECK(bytes.size() <= 64 << 10);
      if (gap > 1 && gap < 100'000 && &bytes != &parts.back()) CHECK(bytes.size() >= 32 << 10);
      REQUIRE(part->decode(Hlc::zero(), back, nullptr));
    }
    CHECK(back == all);
  }
}

TEST_CASE("part: one egid may have many versions") {
  Rng rng(14);
  std::vector<PostingOp> ops;
  for (std::uint64_t at = 20'000; at > 0; --at) {
    ops.push_back({7, at % 2 == 0 ? Stamp::remove({at}) : Stamp::add({at})});
  }
  PartBuilder builder;
  builder.start_key(0);
  for (const PostingOp& op : ops) {
    CHECK_FALSE(builder.should_close_before(op.egid));
    builder.add(op);
  }
  CHECK(builder.should_close_before(8));
  const EncodedPart part = builder.close(8);
  check_part(ops, ByteBuffer(part.bytes.begin(), part.bytes.end()), rng);
}

TEST_CASE("part: truncated or altered bytes are refused or read within bounds") {
  Rng rng(15);
  for (int round = 0; round < 40; ++round) {
    const auto ops = round % 2 == 0 ? folded(random_ids(rng, 400, 9, round % 4 == 0 ? 5 : 90'000))
                                    : random_ops(rng, 200, 20'000);
    const ByteBuffer bytes = build(ops);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + rng.below(20)) {
      // On the heap at its exact size: ASan sees a read past the end.
      const ByteBuffer cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      CHECK_FALSE(PartView::parse(cut).has_value());
    }
    for (int flip = 0; flip < 200; ++flip) {
      ByteBuffer altered = bytes;
      altered[rng.below(altered.size())] ^= std::byte{1} << rng.below(8);
      const auto part = PartView::parse(altered);
      if (!part) continue;
      Ids present, removed;
      std::vector<PostingOp> back;
      (void)part->decode({50}, present, &removed);
      (void)part->operations(back);
      Ids ids = {0, 1, 100, 5000, 70'000, 1'000'000};
      std::vector<Mark> marks(ids.size(), Mark::kUnknown);
      (void)part->probe({50}, ids, marks);
    }
  }
}
