// cache_bench.cpp — what a hit costs, on one thread and on two, and how many hits there are beside
// LRU on a zipf trace.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <list>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernel/base/random.h"
#include "kernel/base/time.h"
#include "modules/cache/sharded_cache.h"

namespace {

using namespace coppice;

constexpr std::size_t kBlockBytes = 8192;

class Block final : public CachedBlock {
 public:
  std::size_t charge() const override { return kBlockBytes - cache::kEntryOverheadBytes; }
};

double hit_ns(cache::ShardedCache& cache, std::uint64_t blocks, unsigned threads) {
  constexpr std::uint64_t kFinds = 4'000'000;
  const SystemClock clock;
  const Instant start = clock.now();
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      workers.emplace_back([&cache, blocks, t] {
        Rng rng(t + 1);
        std::uint64_t missed = 0;
        for (std::uint64_t i = 0; i < kFinds; ++i)
          missed += cache.find({1, rng.below(blocks)}) ? 0 : 1;
        if (missed != 0) std::printf("%llu misses\n", static_cast<unsigned long long>(missed));
      });
    }
  }
  return static_cast<double>((clock.now() - start).count()) / static_cast<double>(kFinds);
}

// Ranks of a zipf distribution with exponent `s`, by inversion over a table.
std::vector<std::uint32_t> zipf_trace(std::size_t items, double s, std::size_t length) {
  std::vector<double> cumulative(items);
  double sum = 0;
  for (std::size_t i = 0; i < items; ++i) {
    sum += 1 / std::pow(static_cast<double>(i + 1), s);
    cumulative[i] = sum;
  }
  Rng rng(42);
  std::vector<std::uint32_t> trace(length);
  for (std::uint32_t& rank : trace) {
    const auto at = std::lower_bound(cumulative.begin(), cumulative.end(), rng.unit() * sum);
    rank = static_cast<std::uint32_t>(at - cumulative.begin());
  }
  return trace;
}

double s3fifo_ratio(const std::vector<std::uint32_t>& trace, std::size_t blocks) {
  cache::ShardedCache cache(blocks * kBlockBytes);
  std::size_t hits = 0;
  for (const std::uint32_t item : trace) {
    if (cache.find({1, item})) {
      ++hits;
    } else {
      cache.insert({1, item}, std::make_unique<Block>(), TenantId{1});
    }
  }
  return static_cast<double>(hits) / static_cast<double>(trace.size());
}

double lru_ratio(const std::vector<std::uint32_t>& trace, std::size_t blocks) {
  std::list<std::uint32_t> order;
  std::unordered_map<std::uint32_t, std::list<std::uint32_t>::iterator> places;
  std::size_t hits = 0;
  for (const std::uint32_t item : trace) {
    const auto found = places.find(item);
    if (found != places.end()) {
      ++hits;
      order.splice(order.begin(), order, found->second);
      continue;
    }
    order.push_front(item);
    places[item] = order.begin();
    if (order.size() <= blocks) continue;
    places.erase(order.back());
    order.pop_back();
  }
  return static_cast<double>(hits) / static_cast<double>(trace.size());
}

}  // namespace

int main() {
  std::printf("%-34s %8s %8s\n", "find + pin + unpin, hit (ns)", "1 thread", "2");
  for (const std::uint64_t blocks : {1'000ULL, 100'000ULL}) {
    cache::ShardedCache cache(2 * blocks * kBlockBytes + (64 << 20));
    for (std::uint64_t i = 0; i < blocks; ++i) {
      cache.insert({1, i}, std::make_unique<Block>(), TenantId{1});
    }
    std::printf("%-34llu %8.1f %8.1f\n", static_cast<unsigned long long>(blocks),
                hit_ns(cache, blocks, 1), hit_ns(cache, blocks, 2));
  }
  std::printf("\n%-34s %8s %8s\n", "hit ratio, zipf, cache 10 % of items", "s3-fifo", "lru");
  for (const double s : {0.7, 0.9, 1.0}) {
    const auto trace = zipf_trace(100'000, s, 2'000'000);
    std::printf("%-34.1f %8.4f %8.4f\n", s, s3fifo_ratio(trace, 10'000), lru_ratio(trace, 10'000));
  }
  return 0;
}
