// index_merge_test.cpp — the whole life of an index tree against a map of versions: batches,
// flushes, compactions by range, folds, and reads at every timestamp that is still allowed.
#include "modules/lsm/sstable/index_merge.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "kernel/base/random.h"
#include "modules/lsm/bitmap/posting_list.h"
#include "modules/lsm/memtable/index_memtable.h"
#include "tests/modules/lsm/index_file_fixture.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

// key → egid → versions, newest first.
using Model = std::map<std::string, std::map<Egid, std::map<std::uint64_t, bool, std::greater<>>>>;

struct File {
  MemoryBlocks blocks;
  IndexFile file;
};

// A tree of two levels: newest first, the last file set is the bottom. Files of the bottom do not
// overlap.
class Tree {
 public:
  explicit Tree(std::uint64_t seed) : rng_(seed) {}

  void write() {
    IndexRunBuilder batch;
    ++clock_;
    std::set<std::pair<std::string, Egid>> once;
    const bool bulk = rng_.chance(0.3);
    for (std::uint64_t i = bulk ? 100 + rng_.below(2000) : 1 + rng_.below(5); i > 0; --i) {
      const std::string key = "k" + std::to_string(rng_.below(bulk ? 12 : 40));
      // Mostly new rows, some changes of old ones.
      Egid egid = next_egid_;
      bool add = true;
      if (rng_.chance(bulk ? 0.05 : 0.5)) {
        egid = rng_.below(next_egid_);
        add = rng_.chance(0.3);
      } else {
        next_egid_ += 1 + rng_.below(40);
      }
      if (!once.emplace(key, egid).second) continue;
      batch.add(as_bytes(key), {egid, add ? Stamp::add({clock_}) : Stamp::remove({clock_})});
      model_[key][egid][clock_] = add;
    }
    memtable_.apply(batch);
  }

  void advance_snap() {
    snap_ = Hlc{snap_.value + rng_.below(clock_ - snap_.value + 1)};
    memtable_.set_snap(snap_);
  }

  void flush() {
    std::vector<std::unique_ptr<IndexInput>> inputs;
    for (IndexRunRef& run : memtable_.take()) inputs.push_back(run_input(std::move(run)));
    if (inputs.empty()) return;
    auto made = merge(std::move(inputs), {.snap = snap_, .bottom = false, .low = {}, .high = {}});
    level0_.splice(level0_.begin(), made);
  }

  // All of level 0 with the bottom, in ranges cut anywhere, also within a key.
  void compact() {
    std::vector<IndexPosition> cuts;
    for (std::uint64_t i = rng_.below(4); i > 0; --i) {
      cuts.push_back({text_key("k" + std::to_string(rng_.below(45))),
                      rng_.chance(0.7) ? rng_.below(next_egid_ + 1) : 0});
    }
    std::ranges::sort(cuts, [](const IndexPosition& a, const IndexPosition& b) {
      return compare_entries(a.key, a.egid, b.key, b.egid) < 0;
    });
    std::list<File> made;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      IndexMergeOptions options{.snap = snap_, .bottom = true, .low = {}, .high = {}};
      if (i > 0) options.low = cuts[i - 1];
      if (i < cuts.size()) options.high = cuts[i];
      std::vector<std::unique_ptr<IndexInput>> inputs;
      for (File& file : level0_) {
        inputs.push_back(file_input(file.file, file.blocks, options.low));
      }
      // The files of the bottom are one source after the other.
      for (File& file : bottom_) {
        inputs.push_back(file_input(file.file, file.blocks, options.low));
      }
      auto part = merge(std::move(inputs), options);
      made.splice(made.end(), part);
    }
    level0_.clear();
    bottom_ = std::move(made);
  }

  // Level 0 among itself: removals must stay.
  void compact_level0() {
    if (level0_.size() < 2) return;
    std::vector<std::unique_ptr<IndexInput>> inputs;
    for (File& file : level0_) inputs.push_back(file_input(file.file, file.blocks));
    auto made = merge(std::move(inputs), {.snap = snap_, .bottom = false, .low = {}, .high = {}});
    level0_ = std::move(made);
  }

  void check() {
    const IndexMemtableView view = memtable_.view();
    for (int probe = 0; probe < 8; ++probe) {
      const std::string key = "k" + std::to_string(rng_.below(42));
      const Hlc read{snap_.value + rng_.below(clock_ - snap_.value + 1)};
      Ids expected;
      const auto known = model_.find(key);
      if (known != model_.end()) {
        for (const auto& [egid, versions] : known->second) {
          const auto newest = versions.lower_bound(read.value);
          if (newest != versions.end() && newest->second) expected.push_back(egid);
        }
      }
      PostingList list;
      std::deque<std::vector<PostingOp>> copies;
      std::list<IndexLookup> lookups;
      view.add_layers(as_bytes(key), list, copies);
      for (File& file : level0_) add_file(file, key, lookups, list);
      std::vector<PartView> bottom;
      for (File& file : bottom_) {
        lookups.emplace_back(file.file, as_bytes(key), IndexLookup::Want::kParts);
        REQUIRE(run_lookup(lookups.back(), file.blocks));
        const auto parts = lookups.back().parts();
        bottom.insert(bottom.end(), parts.begin(), parts.end());
      }
      list.add_layer(std::span<const PartView>(bottom));
      list.seal();
      Ids ids;
      REQUIRE(list.decode(read, ids));
      REQUIRE(ids == expected);
      CHECK(list.count(read).value() == expected.size());
    }
  }

  // Folded and quiet, a tree is its present state and nothing else.
  void check_settled() {
    flush();
    snap_ = Hlc{clock_};
    compact();
    compact();
    std::uint64_t present = 0;
    for (const auto& [key, egids] : model_) {
      for (const auto& [egid, versions] : egids) present += versions.begin()->second ? 1 : 0;
    }
    std::uint64_t ids = 0, deltas = 0;
    for (const File& file : bottom_) {
      ids += file.file.properties().ids;
      deltas += file.file.properties().deltas;
    }
    CHECK(ids + deltas >= present);  // a delta may add a row or remove one
    CHECK(present + deltas >= ids);
    CHECK(copied_ > 0);
  }

  Rng& rng() { return rng_; }

 private:
  static void add_file(File& file, const std::string& key, std::list<IndexLookup>& lookups,
                       PostingList& list) {
    lookups.emplace_back(file.file, as_bytes(key), IndexLookup::Want::kParts);
    REQUIRE(run_lookup(lookups.back(), file.blocks));
    list.add_layer(lookups.back().parts());
  }

  std::list<File> merge(std::vector<std::unique_ptr<IndexInput>> inputs,
                        const IndexMergeOptions& options) {
    std::list<File> made;
    IndexMerge merge(std::move(inputs), options);
    std::unique_ptr<IndexFileBuilder> builder;
    const auto finish = [&] {
      REQUIRE(builder->finish());
      auto file = made.back().blocks.open(made.back().blocks.base);
      REQUIRE(file);
      made.back().file = std::move(*file);
      builder.reset();
    };
    auto more = merge.next();
    for (; more && *more; more = merge.next()) {
      if (builder && builder->bytes() > 20'000) finish();
      if (!builder) {
        made.emplace_back();
        made.back().blocks.base = ++file_number_;
        builder = std::make_unique<IndexFileBuilder>(
            IndexWriterOptions{.file = file_number_, .base_offset = file_number_},
            made.back().blocks.sink());
      }
      REQUIRE(builder->add_part(merge.key(), merge.first_egid(), merge.part(), merge.stats()));
    }
    REQUIRE(more);
    if (builder) finish();
    copied_ += merge.counters().copied + merge.counters().appended;
    return made;
  }

  Rng rng_;
  Model model_;
  std::uint64_t clock_ = 1;
  Egid next_egid_ = 1;
  Hlc snap_ = Hlc::zero();
  IndexMemtable memtable_;
  std::list<File> level0_, bottom_;
  std::uint64_t file_number_ = 0;
  std::uint64_t copied_ = 0;
};

}  // namespace

TEST_CASE("index tree: reads at or above T_snap are exact through flush, fold and merge") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Tree tree(seed);
    for (int step = 0; step < 250; ++step) {
      CAPTURE(step);
      const std::uint64_t what = tree.rng().below(100);
      if (what < 70) tree.write();
      if (what >= 70 && what < 80) tree.advance_snap();
      if (what >= 80 && what < 88) tree.flush();
      if (what >= 88 && what < 91) tree.compact_level0();
      if (what >= 91 && what < 95) tree.compact();
      if (what >= 95) tree.check();
    }
    tree.check();
    tree.check_settled();
    tree.check();
  }
}

TEST_CASE("index merge: a part that nothing touches is copied byte by byte") {
  MemoryBlocks blocks;
  IndexFileBuilder builder({.file = 1}, blocks.sink());
  for (Egid egid = 0; egid < 200'000; ++egid) {
    REQUIRE(builder.add(as_bytes("a"), {egid * 7, Stamp::folded()}));
  }
  REQUIRE(builder.finish());
  const auto file = blocks.open(1);
  REQUIRE(file);
  REQUIRE(file->properties().entries > 3);

  IndexRunBuilder batch;
  for (Egid egid = 0; egid < 100; ++egid) {  // new rows: only the last part is theirs
    batch.add(as_bytes("a"), {2'000'000 + egid, Stamp::add({50})});
  }
  std::vector<std::unique_ptr<IndexInput>> inputs;
  inputs.push_back(run_input(batch.finish()));
  inputs.push_back(file_input(*file, blocks));
  IndexMerge merge(std::move(inputs), {.snap = {60}, .bottom = true, .low = {}, .high = {}});
  Ids ids;
  for (auto more = merge.next(); more && *more; more = merge.next()) {
    const auto part = PartView::parse(merge.part());
    REQUIRE(part);
    CHECK(part->folded());
    REQUIRE(part->decode(Hlc::max(), ids, nullptr));
  }
  CHECK(ids.size() == 200'100);
  CHECK(merge.counters().copied == file->properties().entries - 1);
  CHECK(merge.counters().rebuilt == 1);
}

TEST_CASE("index merge: a few changes become deltas of the part, many are folded in") {
  for (const std::uint64_t changes : {3u, 64u, 65u, 500u}) {
    CAPTURE(changes);
    MemoryBlocks blocks;
    IndexFileBuilder builder({.file = 1}, blocks.sink());
    for (Egid egid = 0; egid < 5000; ++egid) {
      REQUIRE(builder.add(as_bytes("a"), {egid * 3, Stamp::folded()}));
    }
    REQUIRE(builder.finish());
    const auto file = blocks.open(1);
    REQUIRE(file);
    IndexRunBuilder batch;
    for (Egid i = 0; i < changes; ++i) batch.add(as_bytes("a"), {i * 3, Stamp::remove({9})});
    std::vector<std::unique_ptr<IndexInput>> inputs;
    inputs.push_back(run_input(batch.finish()));
    inputs.push_back(file_input(*file, blocks));
    IndexMerge merge(std::move(inputs), {.snap = {60}, .bottom = true, .low = {}, .high = {}});
    const auto more = merge.next();
    REQUIRE(more);
    REQUIRE(*more);
    CHECK(merge.counters().appended == (changes <= kDeltasBeforeFold ? 1 : 0));
    CHECK(merge.stats().deltas == (changes <= kDeltasBeforeFold ? changes : 0));
    Ids ids;
    REQUIRE(PartView::parse(merge.part())->decode({60}, ids, nullptr));
    CHECK(ids.size() == 5000 - changes);
    CHECK(ids.front() == changes * 3);
  }
}

TEST_CASE("index merge: a branch at a past time does not see what came after its cap") {
  MemoryBlocks blocks;
  IndexFileBuilder builder({.file = 1}, blocks.sink());
  for (Egid egid = 0; egid < 1000; ++egid) {
    REQUIRE(builder.add(as_bytes("a"), {egid, Stamp::add({egid})}));
  }
  REQUIRE(builder.finish());
  const auto file = blocks.open(1);
  REQUIRE(file);
  std::vector<std::unique_ptr<IndexInput>> inputs;
  inputs.push_back(file_input(*file, blocks, {}, Hlc{99}));
  IndexMerge merge(std::move(inputs), {.snap = {0}, .bottom = true, .low = {}, .high = {}});
  const auto more = merge.next();
  REQUIRE(more);
  REQUIRE(*more);
  CHECK(merge.stats().ids == 100);
  CHECK(merge.stats().newest == Hlc{99});
}
