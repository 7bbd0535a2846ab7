// postings_bench.cpp — sizes and speeds of posting parts, set operations, index memtable and merge.
//
// Ids are uniform over 600 M, as in the orders benchmark: 75 (a customer), 3,000 (a sku), 820,000
// (a day). Prints tables; docs/adr/0060-posting-format.md has a copy.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <deque>
#include <functional>

#include "kernel/base/random.h"
#include "modules/lsm/bitmap/posting_node.h"
#include "modules/lsm/memtable/index_memtable.h"
#include "modules/lsm/sstable/index_merge.h"
#include "modules/lsm/sstable/index_unique.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

constexpr std::uint64_t kUniverse = 600'000'000;
std::uint64_t sink = 0;  // keeps results alive

Ids uniform_ids(Rng& rng, std::size_t count) {
  Ids ids;
  while (ids.size() < count) {
    for (std::size_t n = ids.size(); n < count; ++n) ids.push_back(rng.below(kUniverse));
    sort_ids(ids);
  }
  return ids;
}

struct List {
  std::deque<ByteBuffer> bytes;
  std::vector<PartView> parts;
  PostingList list;
  std::size_t total = 0;
};

void encode(const Ids& ids, List& to) {
  PartBuilder builder;
  builder.start_key(0);
  const auto take = [&](Egid next) {
    const EncodedPart part = builder.close(next);
    to.bytes.emplace_back(part.bytes.begin(), part.bytes.end());
    to.total += part.bytes.size();
  };
  for (const Egid id : ids) {
    if (builder.should_close_before(id)) take(id);
    builder.add({id, Stamp::folded()});
  }
  take(0);
  for (const ByteBuffer& bytes : to.bytes) to.parts.push_back(*PartView::parse(bytes));
  to.list.add_layer(std::span<const PartView>(to.parts));
  to.list.seal();
}

// CPU time of this process in nanoseconds: other work disturbs it less than it does wall time.
double cpu_ns() {
  return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC);
}

// Best of five rounds, in nanoseconds per call.
double measure(int calls, const std::function<void()>& call) {
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const double start = cpu_ns();
    for (int i = 0; i < calls; ++i) call();
    best = std::min(best, (cpu_ns() - start) / calls);
  }
  return best;
}

void report(const char* name, double ns) {
  std::printf("%-40s %12.3f us\n", name, ns / 1000);
}

PostingNode all(const List& a, const List& b) {
  std::vector<PostingNode> both;
  both.push_back(PostingNode::of(a.list));
  both.push_back(PostingNode::of(b.list));
  return PostingNode::all_of(std::move(both));
}

void sets() {
  Rng rng(1);
  List small, middle, big, other;
  encode(uniform_ids(rng, 75), small);
  encode(uniform_ids(rng, 3000), middle);
  encode(uniform_ids(rng, 820'000), big);
  encode(uniform_ids(rng, 820'000), other);
  std::printf("%-20s %12s %8s %6s\n", "ids", "bytes", "per id", "parts");
  for (const List* list : {&small, &middle, &big}) {
    const auto ids = static_cast<double>(list->list.count_limit());
    std::printf("%-20.0f %12zu %8.2f %6zu\n", ids, list->total,
                static_cast<double>(list->total) / ids, list->parts.size());
  }
  std::printf("\n");
  const auto decode = [](const List& list) {
    Ids out;
    out.reserve(list.list.count_limit());
    (void)list.list.decode(Hlc::max(), out);
    sink += out.size();
  };
  const auto run = [](const PostingNode& node) {
    Ids out;
    (void)evaluate(node, Hlc::max(), out);
    sink += out.size();
  };
  report("decode 75", measure(20'000, [&] { decode(small); }));
  report("decode 3,000", measure(2000, [&] { decode(middle); }));
  report("decode 820,000", measure(5, [&] { decode(big); }));
  const PostingNode small_big = all(small, big), middle_big = all(middle, big);
  const PostingNode big_big = all(big, other);
  report("75 AND 820,000", measure(2000, [&] { run(small_big); }));
  report("3,000 AND 820,000", measure(500, [&] { run(middle_big); }));
  report("820,000 AND 820,000", measure(3, [&] { run(big_big); }));
  std::vector<PostingNode> either;
  either.push_back(PostingNode::of(big.list));
  either.push_back(PostingNode::of(other.list));
  const PostingNode any = PostingNode::any_of(std::move(either));
  report("820,000 OR 820,000", measure(3, [&] { run(any); }));
  report("count 820,000", measure(2000, [&] { sink += *big.list.count(Hlc::max()); }));
}

void make_key(std::uint64_t value, std::byte (&key)[9]) {
  key[0] = std::byte{1};
  store_be(key + 1, (std::uint64_t{1} << 63) + value);
}

void memtable(std::size_t batch_size, bool random) {
  constexpr std::size_t kOps = 1'000'000;
  Rng rng(7);
  IndexMemtable table;
  IndexRunBuilder batch;
  std::byte key[9];
  const double start = cpu_ns();
  for (std::size_t i = 0; i < kOps;) {
    for (std::size_t n = 0; n < batch_size; ++n, ++i) {
      make_key(random ? rng.below(8'000'000) : i, key);
      batch.add(key, {i, Stamp::add({i / batch_size + 1})});
    }
    table.apply(batch);
    while (const auto plan = table.plan_merge()) table.install(*plan, plan->run());
  }
  const double each = (cpu_ns() - start) / kOps;
  const IndexMemtableView view = table.view();
  Rng again(7);
  const double lookup = measure(200'000, [&] {
    make_key(again.below(random ? 8'000'000 : kOps), key);
    sink += view.newest(key, Hlc::max()).has_value() ? 1 : 0;
  });
  std::printf("%-10zu %-10s %12.1f %12.1f %12.1f %6zu\n", batch_size,
              random ? "random" : "ascending", each, static_cast<double>(table.bytes()) / kOps,
              lookup, view.runs.size());
}

ByteBuffer merge(std::vector<std::unique_ptr<IndexInput>> inputs) {
  ByteBuffer out;
  IndexMerge merged(std::move(inputs), {.snap = Hlc::max(), .bottom = true, .low = {}, .high = {}});
  IndexFileBuilder builder({.file = 1}, [&](ByteView more) -> Status {
    append(out, more);
    return {};
  });
  for (auto more = merged.next(); more && *more; more = merged.next()) {
    (void)builder.add_part(merged.key(), merged.first_egid(), merged.part(), merged.stats());
  }
  (void)builder.finish();
  return out;
}

// A flush of one run, then five runs merged, 8,000 keys.
void merging() {
  Rng rng(9);
  const auto make_run = [&](Egid from, Egid to, std::uint64_t at) {
    IndexRunBuilder batch;
    std::byte key[9];
    for (Egid egid = from; egid < to; ++egid) {
      make_key(rng.below(8000), key);
      batch.add(key, {egid, Stamp::add({at})});
    }
    return batch.finish();
  };
  std::vector<std::unique_ptr<IndexInput>> inputs;
  inputs.push_back(run_input(make_run(0, 2'000'000, 1)));
  double start = cpu_ns();
  const ByteBuffer flushed = merge(std::move(inputs));
  std::printf("\nflush of 2 M operations: %.1f ns and %.2f bytes each\n", (cpu_ns() - start) / 2e6,
              static_cast<double>(flushed.size()) / 2e6);
  inputs.clear();
  for (std::uint64_t run = 4; run > 0; --run) {
    const Egid from = 2'000'000 + (run - 1) * 250'000;
    inputs.push_back(run_input(make_run(from, from + 250'000, run + 1)));
  }
  inputs.push_back(run_input(make_run(0, 2'000'000, 1)));
  start = cpu_ns();
  sink += merge(std::move(inputs)).size();
  std::printf("merge of 5 runs, 3 M operations: %.1f ns each\n", (cpu_ns() - start) / 3e6);
}

}  // namespace

int main() {
  sets();
  std::printf("\n%-10s %-10s %12s %12s %12s %6s\n", "per entry", "keys", "ns each", "bytes each",
              "lookup ns", "runs");
  for (const std::size_t batch_size : {1000, 100, 1}) {
    memtable(batch_size, true);
    memtable(batch_size, false);
  }
  merging();
  return sink == 0 ? 1 : 0;
}
