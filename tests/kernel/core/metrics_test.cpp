// metrics_test.cpp — instruments, quantiles, and the text format.
#include "kernel/core/metrics.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/base/random.h"

namespace coppice {
namespace {

TEST_CASE("the same name and labels give the same instrument") {
  Metrics metrics;
  Counter& flushed = metrics.counter("lsm_flush_total", "Flushes.");
  flushed.add();
  metrics.counter("lsm_flush_total", "Flushes.").add(2);
  CHECK(flushed.value() == 3);
  CHECK(&flushed != &metrics.counter("lsm_flush_total", "Flushes.", "instance=\"a\""));
}

TEST_CASE("exposed as Prometheus reads it, by name") {
  Metrics metrics;
  metrics.gauge("b_bytes", "Bytes now.").set(-5);
  metrics.counter("a_total", "All of a.", "instance=\"x\"").add(7);
  metrics.counter("a_total", "All of a.", "instance=\"y\"").add(8);
  Histogram& took = metrics.histogram("c_ns", "Time.", "instance=\"x\"");
  took.record(3);
  took.record(3);
  took.record(100);
  Attachment observed = metrics.observe("d_live", "Alive.", [] { return 42; });
  CHECK(metrics.expose() ==
        "# HELP a_total All of a.\n# TYPE a_total counter\n"
        "a_total{instance=\"x\"} 7\na_total{instance=\"y\"} 8\n"
        "# HELP b_bytes Bytes now.\n# TYPE b_bytes gauge\nb_bytes -5\n"
        "# HELP c_ns Time.\n# TYPE c_ns histogram\n"
        "c_ns_bucket{instance=\"x\",le=\"3\"} 2\n"
        "c_ns_bucket{instance=\"x\",le=\"111\"} 3\n"
        "c_ns_bucket{instance=\"x\",le=\"+Inf\"} 3\n"
        "c_ns_sum{instance=\"x\"} 106\nc_ns_count{instance=\"x\"} 3\n"
        "# HELP d_live Alive.\n# TYPE d_live gauge\nd_live 42\n");
  observed.detach();
  CHECK(metrics.expose().find("d_live 42") == std::string::npos);
  observed = metrics.observe("d_live", "Alive.", [] { return 43; });  // a second time is fine
  CHECK(metrics.expose().find("d_live 43") != std::string::npos);
}

TEST_CASE("buckets follow each other without gap, and bound their values within a quarter") {
  for (std::size_t bucket = 0; bucket + 1 < Histogram::bucket_of(UINT64_MAX); ++bucket) {
    const std::uint64_t top = Histogram::upper_bound_of(bucket);
    REQUIRE(Histogram::bucket_of(top) == bucket);
    REQUIRE(Histogram::bucket_of(top + 1) == bucket + 1);
  }
  CHECK(Histogram::bucket_of(UINT64_MAX) < Histogram::kBuckets);
  CHECK(Histogram::upper_bound_of(Histogram::bucket_of(UINT64_MAX)) == UINT64_MAX);
}

TEST_CASE("a quantile is never below the true one and at most a quarter above") {
  Rng rng(11);
  Histogram histogram;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(rng.next() >> rng.below(60));
    histogram.record(values.back());
  }
  std::ranges::sort(values);
  for (const double q : {0.0, 0.5, 0.95, 0.99}) {
    const std::uint64_t exact = values[static_cast<std::size_t>(q * 10'000)];
    const std::uint64_t got = histogram.quantile(q);
    CHECK(got >= exact);
    CHECK(static_cast<double>(got) <= 1.25 * static_cast<double>(exact) + 1);
  }
  CHECK(histogram.count() == 10'000);
  CHECK(Histogram().quantile(0.5) == 0);
}

}  // namespace
}  // namespace coppice
