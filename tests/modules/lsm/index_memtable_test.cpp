// index_memtable_test.cpp — runs, head and tiers against a map of operations.
#include "modules/lsm/memtable/index_memtable.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "kernel/base/random.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

using Model = std::map<std::string, std::set<PostingOp>>;

std::string random_key(Rng& rng, std::uint64_t keys) {
  switch (rng.below(3)) {
    case 0: {  // one length, as an int64 column gives
      std::string key(9, '\1');
      store_be(reinterpret_cast<std::byte*>(key.data() + 1), rng.below(keys));
      return key;
    }
    case 1:
      return "\1k" + std::to_string(rng.below(keys));
    default:
      return "\1" + std::string(rng.below(12), 'a') + std::to_string(rng.below(3));
  }
}

void check_run(const IndexRun& run, const Model& model) {
  REQUIRE(run.keys() == model.size());
  std::size_t i = 0, ops = 0;
  for (const auto& [key, expected] : model) {
    REQUIRE(as_text(run.key(i)) == key);
    REQUIRE(std::ranges::equal(run.ops(i), expected));
    REQUIRE(std::ranges::equal(run.find(as_bytes(key)), expected));
    CHECK(run.lower_bound(as_bytes(key + '\0')) == i + 1);
    ops += expected.size();
    ++i;
  }
  CHECK(run.operations() == ops);
  CHECK(run.find(as_bytes("nothing")).empty());
}

}  // namespace

TEST_CASE("index run: a batch in any order becomes a sorted run") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    IndexRunBuilder builder;
    Model model;
    const std::uint64_t count = rng.below(seed % 4 == 0 ? 3000 : 40);
    const std::uint64_t keys = 1 + rng.below(500);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string key = random_key(rng, keys);
      const Hlc at{1 + rng.below(50)};
      const PostingOp op{rng.below(100), rng.chance(0.5) ? Stamp::add(at) : Stamp::remove(at)};
      builder.add(as_bytes(key), op);
      model[key].insert(op);
    }
    check_run(*builder.finish(), model);
    CHECK(builder.operations() == 0);
  }
}

TEST_CASE("index run: merging keeps all versions that a read can see") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const Hlc snap{rng.below(60)};
    std::vector<IndexRunRef> newest_first;
    Model all;
    for (std::uint64_t layer = 0; layer < 1 + seed % 6; ++layer) {
      IndexRunBuilder builder;
      for (std::uint64_t i = rng.below(400); i > 0; --i) {
        const std::string key = random_key(rng, 30);
        const Hlc at{layer * 10 + 1 + rng.below(10)};
        const PostingOp op{rng.below(20), rng.chance(0.5) ? Stamp::add(at) : Stamp::remove(at)};
        builder.add(as_bytes(key), op);
        all[key].insert(op);
      }
      newest_first.insert(newest_first.begin(), builder.finish());
    }
    Model expected;
    for (const auto& [key, ops] : all) {
      std::set<Egid> hidden;
      for (const PostingOp& op : ops) {
        if (hidden.contains(op.egid)) continue;
        if (op.stamp.visible_at(snap)) hidden.insert(op.egid);
        expected[key].insert(op);
      }
    }
    check_run(*merge_runs(newest_first, snap), expected);
  }
}

TEST_CASE("index memtable: reads at any timestamp agree with the model through seals and merges") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    IndexMemtable memtable;
    Model model;
    std::uint64_t clock = 0;
    std::optional<IndexMemtable::MergePlan> plan;
    IndexRunRef merged;
    for (int entry = 0; entry < 400; ++entry) {
      IndexRunBuilder batch;
      const std::uint64_t count = rng.chance(0.1) ? 64 + rng.below(200) : 1 + rng.below(5);
      ++clock;
      std::set<std::pair<std::string, Egid>> once;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::string key = random_key(rng, 40);
        const PostingOp op{rng.below(300),
                           rng.chance(0.7) ? Stamp::add({clock}) : Stamp::remove({clock})};
        if (!once.emplace(key, op.egid).second) continue;
        batch.add(as_bytes(key), op);
        model[key].insert(op);
      }
      memtable.apply(batch);
      // A merge that runs elsewhere while entries go on being applied.
      if (plan && rng.chance(0.3)) {
        memtable.install(*plan, merged);
        plan.reset();
      } else if (!plan && rng.chance(0.2)) {
        plan = memtable.plan_merge();
        if (plan) merged = plan->run();
      }
      if (entry % 20 != 0) continue;
      const IndexMemtableView view = memtable.view();
      for (int probe = 0; probe < 20; ++probe) {
        const std::string key = random_key(rng, 45);
        const Hlc read{rng.below(clock + 2)};
        std::map<Egid, bool> state;
        std::optional<PostingOp> newest;
        const auto known = model.find(key);
        if (known != model.end()) {
          for (const PostingOp& op : known->second) {
            if (!op.stamp.visible_at(read)) continue;
            state.try_emplace(op.egid, op.stamp.is_add());
            if (!newest || op.stamp > newest->stamp) newest = op;
          }
        }
        Ids expected, ids;
        for (const auto& [egid, there] : state) {
          if (there) expected.push_back(egid);
        }
        PostingList list;
        std::deque<std::vector<PostingOp>> copies;
        view.add_layers(as_bytes(key), list, copies);
        list.seal();
        REQUIRE(list.decode(read, ids));
        REQUIRE(ids == expected);
        const auto found = view.newest(as_bytes(key), read);
        REQUIRE(found.has_value() == newest.has_value());
        if (found) REQUIRE(found->stamp == newest->stamp);

        const auto above = model.lower_bound(key);
        const auto next = view.key_at_or_above(as_bytes(key));
        REQUIRE(next.has_value() == (above != model.end()));
        if (next) REQUIRE(as_text(*next) == above->first);
        const auto previous = view.key_below(as_bytes(key));
        REQUIRE(previous.has_value() == (above != model.begin()));
        if (previous) REQUIRE(as_text(*previous) == std::prev(above)->first);
      }
      CHECK(as_text(*view.last_key()) == model.rbegin()->first);
      CHECK(view.runs.size() < 40);
    }
    check_run(*merge_runs(memtable.take(), Hlc::zero()), model);
    CHECK(memtable.empty());
  }
}

TEST_CASE("index memtable: what no read can see does not pile up") {
  IndexMemtable memtable;
  Rng rng(1);
  for (std::uint64_t at = 1; at <= 200'000; ++at) {
    IndexRunBuilder batch;  // one hot row changes its value back and forth
    batch.add(as_bytes("a"), {1, at % 2 == 0 ? Stamp::add({at}) : Stamp::remove({at})});
    memtable.set_snap({at - 1});
    memtable.apply(batch);
  }
  CHECK(memtable.operations() < 50'000);
  const auto newest = memtable.view().newest(as_bytes("a"), Hlc::max());
  REQUIRE(newest);
  CHECK(newest->stamp == Stamp::add({200'000}));
}

TEST_CASE("index head: readers walk while the writer adds") {
  IndexHead head;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    Rng rng(9);
    for (std::uint64_t i = 1; i <= kIndexHeadOpsMax; ++i) {
      head.add(as_bytes(random_key(rng, 200)), {i, Stamp::add({i})}, false);
    }
    done = true;
  });
  Rng rng(10);
  std::uint64_t seen = 0;
  do {
    std::vector<PostingOp> ops;
    head.collect(as_bytes(random_key(rng, 200)), ops);
    CHECK(std::ranges::is_sorted(ops));
    std::string last;
    for (auto key = head.key_at_or_above({}); key;
         key = head.key_at_or_above(as_bytes(last + '\0'))) {
      CHECK(as_text(*key) > last);
      last = as_text(*key);
      ++seen;
      if (rng.chance(0.05)) break;
    }
  } while (!done || seen == 0);
  writer.join();
  CHECK(seen > 0);
  CHECK(head.to_run()->operations() == kIndexHeadOpsMax);
}
