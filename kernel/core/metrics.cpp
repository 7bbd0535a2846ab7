// metrics.cpp — registration, quantiles, and the text format.
#include "kernel/core/metrics.h"

#include <algorithm>
#include <tuple>

#include "kernel/base/assert.h"

namespace coppice {

namespace {

bool is_metric_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string braced(std::string_view labels, std::string_view extra = "") {
  std::string inside(labels);
  if (!inside.empty() && !extra.empty()) inside += ",";
  inside += extra;
  return inside.empty() ? "" : "{" + inside + "}";
}

void expose_histogram(std::string& out, std::string_view name, std::string_view labels,
                      const Histogram& histogram) {
  const std::string base(name);
  std::uint64_t total = 0;
  for (std::size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const std::uint64_t here = histogram.in_bucket(bucket);
    if (here == 0) continue;
    total += here;
    const std::string bound = "le=\"" + std::to_string(Histogram::upper_bound_of(bucket)) + "\"";
    out += base + "_bucket" + braced(labels, bound) + " " + std::to_string(total) + "\n";
  }
  out += base + "_bucket" + braced(labels, "le=\"+Inf\"") + " " + std::to_string(total) + "\n";
  out += base + "_sum" + braced(labels) + " " + std::to_string(histogram.sum()) + "\n";
  out += base + "_count" + braced(labels) + " " + std::to_string(total) + "\n";
}

}  // namespace

std::uint64_t Histogram::count() const {
  std::uint64_t total = 0;
  for (const auto& bucket : buckets_) total += bucket.load(std::memory_order_relaxed);
  return total;
}

std::uint64_t Histogram::upper_bound_of(std::size_t bucket) {
  if (bucket < 8) return bucket;
  const std::size_t top = bucket / 4 + 1;
  const std::uint64_t step = std::uint64_t{1} << (top - 2);
  return (4 + bucket % 4) * step + (step - 1);
}

std::uint64_t Histogram::quantile(double q) const {
  const std::uint64_t total = count();
  if (total == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(q * static_cast<double>(total));
  std::uint64_t seen = 0;
  std::size_t last = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    const std::uint64_t here = in_bucket(bucket);
    if (here == 0) continue;
    seen += here;
    last = bucket;
    if (seen > wanted) break;
  }
  return upper_bound_of(last);
}

Metrics::Instrument& Metrics::find_or_add(Kind kind, std::string_view name, std::string_view help,
                                          std::string_view labels) {
  COPPICE_ASSERT(is_metric_name(name));
  const std::lock_guard lock(mutex_);
  for (Instrument& present : instruments_) {
    if (present.name != name) continue;
    COPPICE_ASSERT(present.kind == kind);  // one name, one kind
    if (present.labels == labels) return present;
  }
  Instrument& added = instruments_.emplace_back();
  added.kind = kind;
  added.name = name;
  added.help = help;
  added.labels = labels;
  if (kind == Kind::kHistogram) added.histogram = std::make_unique<Histogram>();
  return added;
}

Counter& Metrics::counter(std::string_view name, std::string_view help, std::string_view labels) {
  return find_or_add(Kind::kCounter, name, help, labels).counter;
}

Gauge& Metrics::gauge(std::string_view name, std::string_view help, std::string_view labels) {
  return find_or_add(Kind::kGauge, name, help, labels).gauge;
}

Histogram& Metrics::histogram(std::string_view name, std::string_view help,
                              std::string_view labels) {
  return *find_or_add(Kind::kHistogram, name, help, labels).histogram;
}

Attachment Metrics::observe(std::string_view name, std::string_view help,
                            std::function<std::int64_t()> read, std::string_view labels) {
  Instrument& instrument = find_or_add(Kind::kObserved, name, help, labels);
  const std::lock_guard lock(mutex_);
  COPPICE_ASSERT(!instrument.read);  // one observer at a time
  instrument.read = std::move(read);
  return Attachment([this, &instrument] {
    const std::lock_guard undo_lock(mutex_);
    instrument.read = nullptr;
  });
}

std::string Metrics::expose() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Instrument*> sorted;
  for (const Instrument& instrument : instruments_) sorted.push_back(&instrument);
  std::ranges::sort(sorted, {}, [](const Instrument* instrument) {
    return std::tie(instrument->name, instrument->labels);
  });
  std::string out;
  std::string_view described;
  for (const Instrument* instrument : sorted) {
    const std::string& name = instrument->name;
    if (described != name) {
      constexpr std::string_view kTypes[] = {"counter", "gauge", "histogram", "gauge"};
      out += "# HELP " + name + " " + instrument->help + "\n# TYPE " + name + " ";
      out += kTypes[static_cast<std::size_t>(instrument->kind)];
      out += "\n";
      described = name;
    }
    const std::string plain = name + braced(instrument->labels) + " ";
    switch (instrument->kind) {
      case Kind::kCounter:
        out += plain + std::to_string(instrument->counter.value()) + "\n";
        break;
      case Kind::kGauge:
        out += plain + std::to_string(instrument->gauge.value()) + "\n";
        break;
      case Kind::kObserved:
        if (instrument->read) out += plain + std::to_string(instrument->read()) + "\n";
        break;
      case Kind::kHistogram:
        expose_histogram(out, name, instrument->labels, *instrument->histogram);
        break;
    }
  }
  return out;
}

}  // namespace coppice
