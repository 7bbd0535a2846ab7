// index_file_test.cpp — posting files: every entry comes back, by lookup and by cursor; damage is
// found.
#include "modules/lsm/sstable/index_posting_file.h"

#include <algorithm>
#include <map>

#include "kernel/base/random.h"
#include "tests/modules/lsm/index_file_fixture.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

using Model = std::map<std::string, std::vector<PostingOp>>;

// Keys of few and of many ids, so that parts are inline, blocks of their own, and several.
Model random_model(Rng& rng, int keys, bool stamped) {
  Model model;
  for (int i = 0; i < keys; ++i) {
    std::string key = "key" + std::to_string(rng.below(1'000'000));
    if (rng.chance(0.1)) key += std::string(rng.below(200), 'x');
    const std::uint64_t ids = rng.chance(0.02)   ? 60'000 + rng.below(60'000)
                              : rng.chance(0.05) ? 3000
                                                 : 1 + rng.below(100);
    std::vector<PostingOp> ops;
    std::uint64_t egid = rng.below(1000);
    for (std::uint64_t n = 0; n < ids; ++n) {
      egid += 1 + rng.below(5000);
      ops.push_back({egid, stamped ? Stamp::add({100 + n / 10}) : Stamp::folded()});
    }
    model[key] = std::move(ops);
  }
  return model;
}

IndexProperties build(const Model& model, MemoryBlocks& blocks, IndexWriterOptions options) {
  blocks.base = options.base_offset;
  IndexFileBuilder builder(options, blocks.sink());
  for (const auto& [key, ops] : model) {
    for (const PostingOp& op : ops) REQUIRE(builder.add(as_bytes(key), op));
  }
  auto properties = builder.finish();
  REQUIRE(properties);
  CHECK(builder.bytes() >= blocks.bytes.size());
  return std::move(*properties);
}

std::vector<PostingOp> operations(std::span<const PartView> parts) {
  std::vector<PostingOp> ops;
  for (const PartView& part : parts) REQUIRE(part.operations(ops));
  return ops;
}

}  // namespace

TEST_CASE("index file: lookups find every key, and filters spare most others") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    MemoryBlocks blocks;
    const Model model = random_model(rng, 700, seed % 2 == 0);
    const IndexProperties built =
        build(model, blocks, {.file = 7, .base_offset = seed * 4096, .codec = nullptr});
    const auto file = blocks.open(7);
    REQUIRE(file);
    CHECK(file->properties().keys == model.size());
    CHECK(file->properties().entries == built.entries);
    CHECK(as_text(file->properties().smallest.key) == model.begin()->first);
    CHECK(as_text(file->properties().largest.key) == model.rbegin()->first);
    CHECK(file->partitions().size() >= 1);
    std::uint64_t total = 0;
    for (const auto& [key, ops] : model) {
      total += ops.size();
      IndexLookup lookup(*file, as_bytes(key), IndexLookup::Want::kParts);
      REQUIRE(run_lookup(lookup, blocks));
      REQUIRE(operations(lookup.parts()) == ops);
      IndexLookup counts(*file, as_bytes(key), IndexLookup::Want::kCounts);
      REQUIRE(run_lookup(counts, blocks));
      CHECK(counts.ids_limit() == ops.size());
      CHECK(counts.exact() == (seed % 2 != 0));
      CHECK(counts.parts().empty());

      // A window of egids: all of it is there, and long lists are not read whole.
      const std::uint64_t low = ops[rng.below(ops.size())].egid;
      const std::uint64_t high = low + rng.below(100'000);
      IndexLookup window(*file, as_bytes(key), IndexLookup::Want::kParts, low, high);
      REQUIRE(run_lookup(window, blocks));
      const auto some = operations(window.parts());
      for (const PostingOp& op : ops) {
        if (op.egid >= low && op.egid <= high) REQUIRE(std::ranges::binary_search(some, op));
      }
      if (ops.size() > 60'000) CHECK(some.size() < ops.size());
    }
    CHECK(file->properties().ids == total);
    CHECK(file->ids_limit(key_prefix_range(as_bytes("key"))) == total);
    CHECK(file->ids_limit(key_prefix_range(as_bytes("zzz"))) <= total);

    blocks.forget();
    blocks.reads = 0;
    int unknown = 0, past_filter = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::string key = "key" + std::to_string(rng.below(1'000'000)) + "?";
      IndexLookup lookup(*file, as_bytes(key), IndexLookup::Want::kParts);
      const auto rounds = run_lookup(lookup, blocks);
      REQUIRE(rounds);
      CHECK(lookup.parts().empty());
      ++unknown;
      past_filter += *rounds > 1 ? 1 : 0;
    }
    CHECK(past_filter < unknown / 30);
  }
}

TEST_CASE("index file: a cold lookup takes four rounds of reads at most") {
  Rng rng(1);
  MemoryBlocks blocks;
  const Model model = random_model(rng, 700, false);
  build(model, blocks, {.file = 7});
  const auto file = blocks.open(7);
  REQUIRE(file);
  for (const auto& [key, ops] : model) {
    blocks.forget();
    IndexLookup lookup(*file, as_bytes(key), IndexLookup::Want::kParts);
    const auto rounds = run_lookup(lookup, blocks);
    REQUIRE(rounds);
    CHECK(*rounds <= 4);
  }
}

TEST_CASE("index file: the cursor walks both ways and seeks") {
  Rng rng(2);
  MemoryBlocks blocks;
  const Model model = random_model(rng, 900, true);
  build(model, blocks, {.file = 9});
  const auto file = blocks.open(9);
  REQUIRE(file);
  IndexFileCursor cursor(*file, blocks);
  std::vector<std::pair<std::string, Egid>> forward, backward;
  std::map<std::string, std::vector<PostingOp>> seen;
  for (auto more = cursor.first(); more && *more; more = cursor.next()) {
    const std::string key(as_text(cursor.key()));
    forward.emplace_back(key, cursor.first_egid());
    const auto part = cursor.part();
    REQUIRE(part);
    CHECK(part->ids() == cursor.stats().ids);
    REQUIRE(part->operations(seen[key]));
  }
  CHECK(seen == model);
  CHECK(std::ranges::is_sorted(forward));
  for (auto more = cursor.last(); more && *more; more = cursor.previous()) {
    backward.emplace_back(as_text(cursor.key()), cursor.first_egid());
  }
  std::ranges::reverse(backward);
  CHECK(backward == forward);

  for (int i = 0; i < 500; ++i) {
    const auto target = rng.chance(0.5)
                            ? forward[rng.below(forward.size())]
                            : std::pair("key" + std::to_string(rng.below(1'000'000)), Egid{5});
    const auto there = cursor.seek(as_bytes(target.first), target.second);
    REQUIRE(there);
    REQUIRE(*there);
    auto expected = std::ranges::upper_bound(forward, target);
    if (expected != forward.begin()) --expected;
    CHECK(as_text(cursor.key()) == expected->first);
    CHECK(cursor.first_egid() == expected->second);
    const auto back = cursor.previous();
    REQUIRE(back);
    CHECK(*back == (expected != forward.begin()));
    if (*back) CHECK(as_text(cursor.key()) == (expected - 1)->first);
  }
}

TEST_CASE("index file: every flipped bit is found, every truncation refused") {
  Rng rng(3);
  MemoryBlocks blocks;
  Model model = random_model(rng, 40, true);
  model["long"] = random_model(rng, 1, false).begin()->second;
  build(model, blocks, {.file = 3});
  const ByteBuffer good = blocks.bytes;
  const auto walk = [&](MemoryBlocks& from) -> Status {
    const auto file = COPPICE_TRY(from.open(3));
    IndexFileCursor cursor(file, from);
    bool more = COPPICE_TRY(cursor.first());
    while (more) {
      COPPICE_TRY(cursor.part());
      more = COPPICE_TRY(cursor.next());
    }
    for (const auto& partition : file.partitions()) {
      COPPICE_TRY(from.read(file.ref(BlockKind::kFilter, partition.filter)));
    }
    return {};
  };
  REQUIRE(walk(blocks));
  for (std::size_t at = 0; at < good.size(); at += 1 + rng.below(97)) {
    MemoryBlocks bad;
    bad.bytes = good;
    bad.bytes[at] ^= std::byte{1} << rng.below(8);
    const Status found = walk(bad);
    CAPTURE(at);
    REQUIRE_FALSE(found.has_value());
    const Code code = found.error().code();
    CHECK((code == Code::kCorruption || code == Code::kUnsupportedVersion));
  }
  for (std::size_t size = 0; size < good.size(); size += 1 + rng.below(997)) {
    MemoryBlocks bad;
    bad.bytes.assign(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(walk(bad).has_value());
  }
  // The same bytes under another file's name or at another place are not the same blocks.
  MemoryBlocks moved;
  moved.bytes = good;
  CHECK_FALSE(moved.open(4).has_value());
  moved.base = 4096;
  CHECK_FALSE(moved.open(3).has_value());
}

TEST_CASE("index file: bytes that pass the checksum are still not trusted") {
  Rng rng(4);
  MemoryBlocks blocks;
  build(random_model(rng, 60, true), blocks, {.file = 3});
  for (int i = 0; i < 3000; ++i) {
    MemoryBlocks bad({}, Verify::kStructureOnly);
    bad.bytes = blocks.bytes;
    // Mostly the part that says where things are.
    const std::size_t at =
        rng.chance(0.5) ? bad.bytes.size() - 1 - rng.below(400) : rng.below(bad.bytes.size());
    bad.bytes[at] ^= std::byte{1} << rng.below(8);
    const auto file = bad.open(3);
    if (!file) continue;
    IndexFileCursor cursor(*file, bad);
    int steps = 0;
    for (auto more = cursor.first(); more && *more && steps < 5000; more = cursor.next()) ++steps;
    for (auto more = cursor.last(); more && *more && steps < 9000; more = cursor.previous())
      ++steps;
    IndexLookup lookup(*file, as_bytes("key5"), IndexLookup::Want::kParts);
    (void)run_lookup(lookup, bad);
  }
}
