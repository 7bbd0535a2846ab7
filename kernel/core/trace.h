// trace.h — Span: how long a piece of work took, in time and in CPU of its fiber.
//
//   const Span span(tracer, "lsm.flush");
//
// A span's ticks come from the counter that the fiber's Account is charged from, so tracing and
// metering cannot disagree.
//
// Role:     recent spans for whoever looks; the oldest are overwritten.
// Owns:     a Tracer owns one ring per stripe; a fiber writes to the stripe of its own address.
// Threads:  any. A reader skips a slot that is being written.   Parks: never.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernel/base/ticks.h"
#include "kernel/base/time.h"

namespace coppice {

struct SpanRecord {
  const char* name = nullptr;  // the literal that the Span was made with
  Instant start;
  Duration took{};
  Ticks ticks = 0;
};

class Tracer {
 public:
  static constexpr std::size_t kRingSpans = 1024;

  Tracer(const Clock& clock, unsigned stripes);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  const Clock& clock() const { return clock_; }
  void record(const SpanRecord& span) noexcept;
  std::vector<SpanRecord> recent() const;  // by start
  std::uint64_t recorded_total() const;

 private:
  struct Ring;
  const Clock& clock_;
  const std::size_t stripes_;
  std::unique_ptr<Ring[]> rings_;
};

class Span {
 public:
  Span(Tracer& tracer, const char* name);  // `name` is a literal
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  Tracer& tracer_;
  const char* const name_;
  const Instant start_;
  const Ticks ticks_;
};

}  // namespace coppice
