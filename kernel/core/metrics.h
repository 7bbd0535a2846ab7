// metrics.h — counters, gauges and histograms, with names fixed when they are made.
//
//   Counter& flushed = metrics.counter("lsm_flush_bytes_total", "Bytes written by flushes.");
//   flushed.add(bytes);
//
// Names are module_thing_unit_total; make them in a constructor, never on a hot path.
//
// Owns:     Metrics owns every instrument; references stay good as long as it lives (the process).
// Threads:  any; add() and set() are one relaxed atomic operation.
// Parks:    never.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/attach.h"

namespace coppice {

class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

class Gauge {
 public:
  void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void add(std::int64_t n) { value_.fetch_add(n, std::memory_order_relaxed); }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

// Log-linear buckets, four to a power of two: any quantile is at most 25 % too high.
class Histogram {
 public:
  static constexpr std::size_t kBuckets = 256;

  void record(std::uint64_t value) {
    buckets_[bucket_of(value)].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
  }
  std::uint64_t count() const;
  std::uint64_t sum() const { return sum_.load(std::memory_order_relaxed); }
  // The upper bound of the bucket that holds the q-th part of the records; 0 without records.
  std::uint64_t quantile(double q) const;

  static constexpr std::size_t bucket_of(std::uint64_t value) {
    if (value < 8) return static_cast<std::size_t>(value);
    const int top = static_cast<int>(std::bit_width(value)) - 1;  // >= 3
    return static_cast<std::size_t>(4 * (top - 1)) +
           static_cast<std::size_t>((value >> (top - 2)) & 3);
  }
  static std::uint64_t upper_bound_of(std::size_t bucket);  // the largest value in it
  std::uint64_t in_bucket(std::size_t bucket) const {
    return buckets_[bucket].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::uint64_t> sum_ = 0;
};

class Metrics {
 public:
  // `labels` is empty or `instance="data"`. The same name and labels give the same instrument; the
  // same name as another kind of instrument is a programmer's error.
  Counter& counter(std::string_view name, std::string_view help, std::string_view labels = "");
  Gauge& gauge(std::string_view name, std::string_view help, std::string_view labels = "");
  Histogram& histogram(std::string_view name, std::string_view help, std::string_view labels = "");

  // A gauge that is asked when somebody looks. `read` must neither park nor take long; it is not
  // called after the Attachment is gone.
  Attachment observe(std::string_view name, std::string_view help,
                     std::function<std::int64_t()> read, std::string_view labels = "");

  std::string expose() const;  // Prometheus text format 0.0.4, by name

 private:
  enum class Kind : std::uint8_t { kCounter, kGauge, kHistogram, kObserved };
  struct Instrument {
    Kind kind;
    std::string name;
    std::string help;
    std::string labels;
    Counter counter;
    Gauge gauge;
    std::unique_ptr<Histogram> histogram;
    std::function<std::int64_t()> read;
  };
  Instrument& find_or_add(Kind kind, std::string_view name, std::string_view help,
                          std::string_view labels);

  mutable std::mutex mutex_;  // held for registering and exposing only
  std::deque<Instrument> instruments_;
};

}  // namespace coppice
