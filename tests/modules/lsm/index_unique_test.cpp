// index_unique_test.cpp — unique files against a map of versions.
#include "modules/lsm/sstable/index_unique.h"

#include <algorithm>
#include <map>

#include "kernel/base/random.h"
#include "tests/modules/lsm/index_file_fixture.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

struct ByBytes {
  bool operator()(const ByteBuffer& a, const ByteBuffer& b) const { return compare_keys(a, b) < 0; }
};
using Model = std::map<ByteBuffer, std::vector<PostingOp>, ByBytes>;  // newest first

ByteBuffer int_key(std::int64_t value) {
  ByteBuffer key;
  KeyWriter(key).int64(value, {});
  return key;
}
ByteBuffer random_key(Rng& rng, bool numbers) {
  if (numbers) return int_key(static_cast<std::int64_t>(rng.next()));
  ByteBuffer key;
  KeyWriter(key).bytes(as_bytes("user" + std::to_string(rng.below(1'000'000'000))), {});
  return key;
}

void build(const Model& model, MemoryBlocks& blocks) {
  UniqueFileBuilder builder({.file = 5}, blocks.sink());
  for (const auto& [key, versions] : model) REQUIRE(builder.add(key, versions));
  REQUIRE(builder.finish());
}

Model random_model(Rng& rng, bool numbers, bool versions) {
  Model model;
  for (int i = 0; i < 5000; ++i) {
    auto& list = model[random_key(rng, numbers)];
    if (!list.empty()) continue;
    if (!versions) {
      list = {{rng.below(1u << 30), Stamp::folded()}};
      continue;
    }
    std::uint64_t at = 1000;
    do {
      const Egid egid = rng.below(1u << 30);
      list.push_back({egid, rng.chance(0.8) ? Stamp::add({at}) : Stamp::remove({at})});
      at -= 1 + rng.below(100);
    } while (rng.chance(0.3));
  }
  return model;
}

std::optional<PostingOp> newest(std::span<const PostingOp> versions, Hlc read) {
  for (const PostingOp& op : versions) {
    if (op.stamp.visible_at(read)) return op;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("unique file: lookups and cursors agree with the model") {
  for (const bool numbers : {true, false}) {
    for (const bool versions : {true, false}) {
      Rng rng(numbers * 2 + versions);
      MemoryBlocks blocks;
      const Model model = random_model(rng, numbers, versions);
      build(model, blocks);
      const auto file = blocks.open(5);
      REQUIRE(file);
      CHECK(file->properties().kind == IndexFileKind::kUnique);
      CHECK(file->properties().keys == model.size());
      for (const auto& [key, list] : model) {
        for (const Hlc read : {Hlc::max(), Hlc{950}, Hlc{500}}) {
          UniqueLookup lookup(*file, key, read);
          REQUIRE(run_lookup(lookup, blocks));
          CHECK(lookup.found() == newest(list, read));
        }
      }
      for (int i = 0; i < 1000; ++i) {
        const ByteBuffer key = random_key(rng, i % 2 == 0);
        UniqueLookup lookup(*file, key, Hlc::max());
        REQUIRE(run_lookup(lookup, blocks));
        CHECK(lookup.found().has_value() == model.contains(key));
      }
      UniqueFileCursor cursor(*file, blocks);
      auto expected = model.begin();
      for (auto more = cursor.first(); more && *more; more = cursor.next(), ++expected) {
        REQUIRE(expected != model.end());
        REQUIRE(compare_keys(cursor.key(), expected->first) == 0);
        REQUIRE(std::ranges::equal(cursor.versions(), expected->second));
      }
      CHECK(expected == model.end());
      auto back = model.rbegin();
      for (auto more = cursor.last(); more && *more; more = cursor.previous(), ++back) {
        REQUIRE(back != model.rend());
        REQUIRE(compare_keys(cursor.key(), back->first) == 0);
      }
      CHECK(back == model.rend());
      for (int i = 0; i < 300; ++i) {
        const ByteBuffer key = random_key(rng, i % 2 == 0);
        const auto there = cursor.seek(key);
        REQUIRE(there);
        const auto above = model.lower_bound(key);
        REQUIRE(*there == (above != model.end()));
        if (*there) CHECK(compare_keys(cursor.key(), above->first) == 0);
      }
    }
  }
}

TEST_CASE("unique file: sequential keys of sequential rows take a fraction of a byte each") {
  MemoryBlocks blocks;
  UniqueFileBuilder builder({.file = 5}, blocks.sink());
  constexpr std::int64_t kRows = 200'000;
  for (std::int64_t id = 1; id <= kRows; ++id) {
    const PostingOp op{static_cast<Egid>(id + 40), Stamp::folded()};
    REQUIRE(builder.add(int_key(id), {&op, 1}));
  }
  const auto properties = builder.finish();
  REQUIRE(properties);
  // Without the filter, which random keys need and these could do without.
  const std::size_t filter = kRows * 10 / 8;
  CHECK(blocks.bytes.size() < filter + filter / 10 + kRows * 15 / 100);
}

TEST_CASE("unique file: keys with a NULL stand beside each other") {
  MemoryBlocks blocks;
  UniqueFileBuilder builder({.file = 5}, blocks.sink());
  for (Egid egid = 1; egid <= 10; ++egid) {
    ByteBuffer key;
    KeyWriter writer(key);
    writer.null({});
    if (writer.has_null()) append_egid(key, egid);
    const PostingOp op{egid, Stamp::folded()};
    REQUIRE(builder.add(key, {&op, 1}));
  }
  REQUIRE(builder.finish());
  CHECK(blocks.open(5)->properties().keys == 10);
}

TEST_CASE("unique merge: newest version wins, old ones go, and the bottom forgets removals") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    std::map<ByteBuffer, std::vector<PostingOp>, ByBytes> all;
    std::vector<std::unique_ptr<UniqueInput>> inputs;
    std::vector<std::unique_ptr<MemoryBlocks>> disks;
    std::vector<std::unique_ptr<IndexFile>> files;
    const bool bottom = seed % 2 == 0;
    const Hlc snap{rng.below(50)};
    for (std::uint64_t layer = 0; layer < 4; ++layer) {
      Model part;
      IndexRunBuilder run;
      for (std::uint64_t i = rng.below(200); i > 0; --i) {
        const ByteBuffer key = int_key(rng.between(0, 60));
        const Hlc at{layer * 12 + 1 + rng.below(12)};
        const PostingOp op{rng.below(9), rng.chance(0.7) ? Stamp::add(at) : Stamp::remove(at)};
        auto& versions = part[key];
        if (std::ranges::any_of(versions, [&](auto& v) { return v.stamp == op.stamp; })) continue;
        versions.push_back(op);
        all[key].push_back(op);
        run.add(key, op);
      }
      if (rng.chance(0.5)) {
        inputs.push_back(unique_run_input(run.finish()));
        continue;
      }
      for (auto& [key, versions] : part) {
        std::ranges::sort(versions, std::greater<>(), &PostingOp::stamp);
      }
      disks.push_back(std::make_unique<MemoryBlocks>());
      build(part, *disks.back());
      files.push_back(std::make_unique<IndexFile>(*disks.back()->open(5)));
      inputs.push_back(unique_file_input(*files.back(), *disks.back()));
    }
    UniqueMerge merge(std::move(inputs), {.snap = snap, .bottom = bottom, .high = {}});
    Model result;
    auto more = merge.next();
    for (; more && *more; more = merge.next()) {
      result[ByteBuffer(merge.key().begin(), merge.key().end())].assign(merge.versions().begin(),
                                                                        merge.versions().end());
    }
    REQUIRE(more);
    for (auto& [key, versions] : all) {
      std::ranges::sort(versions, std::greater<>(), &PostingOp::stamp);
      for (std::uint64_t read = snap.value; read < 60; ++read) {
        const auto wanted = newest(versions, {read});
        const auto got = newest(result[key], {read});
        const bool wants_row = wanted && wanted->stamp.is_add();
        REQUIRE((got && got->stamp.is_add()) == wants_row);
        if (wants_row) CHECK(got->egid == wanted->egid);
        if (!bottom) REQUIRE(got.has_value() == wanted.has_value());
      }
      std::size_t old = 0;
      for (const PostingOp& op : result[key]) {
        old += op.stamp.visible_at(snap) ? 1 : 0;
        if (bottom) CHECK((!op.stamp.visible_at(snap) || op.stamp == Stamp::folded()));
      }
      CHECK(old <= 1);
    }
  }
}

TEST_CASE("unique file: every flipped bit is found") {
  Rng rng(8);
  MemoryBlocks blocks;
  build(random_model(rng, false, true), blocks);
  for (int i = 0; i < 300; ++i) {
    MemoryBlocks bad;
    bad.bytes = blocks.bytes;
    bad.bytes[rng.below(bad.bytes.size())] ^= std::byte{1} << rng.below(8);
    Status found;
    const auto file = bad.open(5);
    if (!file) continue;
    UniqueFileCursor cursor(*file, bad);
    auto more = cursor.first();
    while (more && *more) more = cursor.next();
    bool filters = true;
    for (const auto& partition : file->partitions()) {
      filters &= bad.read(file->ref(BlockKind::kFilter, partition.filter)).has_value();
    }
    CHECK((!more.has_value() || !filters));
  }
}
