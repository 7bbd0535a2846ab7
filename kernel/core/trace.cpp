// trace.cpp — rings of spans, each slot guarded by a sequence number.
#include "kernel/core/trace.h"

#include <algorithm>
#include <array>

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"

namespace coppice {

namespace {

// Odd while it is written. All fields are atomic, so that a torn read is a value thrown away and
// not undefined behaviour.
struct Slot {
  std::atomic<std::uint64_t> sequence = 0;
  std::atomic<const char*> name = nullptr;
  std::atomic<std::int64_t> start_ns = 0;
  std::atomic<std::int64_t> took_ns = 0;
  std::atomic<Ticks> ticks = 0;
};

Ticks fiber_ticks() {
  return fiber::current() == nullptr ? read_ticks() : fiber::current_ticks();
}

}  // namespace

struct Tracer::Ring {
  alignas(64) std::atomic<std::uint64_t> next = 0;
  std::array<Slot, kRingSpans> slots;
};

Tracer::Tracer(const Clock& clock, unsigned stripes)
    : clock_(clock), stripes_(std::max(1U, stripes)), rings_(std::make_unique<Ring[]>(stripes_)) {}

Tracer::~Tracer() = default;

void Tracer::record(const SpanRecord& span) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(fiber::current());
  Ring& ring = rings_[(address >> 12) % stripes_];
  const std::uint64_t at = ring.next.fetch_add(1, std::memory_order_relaxed);
  Slot& slot = ring.slots[at % kRingSpans];
  std::uint64_t seen = slot.sequence.load(std::memory_order_relaxed);
  // Somebody a whole ring behind is still writing here: this span is dropped.
  if (seen % 2 != 0 || !slot.sequence.compare_exchange_strong(seen, seen + 1)) return;
  slot.name.store(span.name);
  slot.start_ns.store(span.start.ns);
  slot.took_ns.store(span.took.count());
  slot.ticks.store(span.ticks);
  slot.sequence.store(seen + 2);
}

std::vector<SpanRecord> Tracer::recent() const {
  std::vector<SpanRecord> spans;
  for (std::size_t i = 0; i < stripes_; ++i) {
    for (const Slot& slot : rings_[i].slots) {
      const std::uint64_t before = slot.sequence.load();
      const SpanRecord span{slot.name.load(),
                            {slot.start_ns.load()},
                            Duration(slot.took_ns.load()),
                            slot.ticks.load()};
      const bool whole = before % 2 == 0 && slot.sequence.load() == before;
      if (whole && span.name != nullptr) spans.push_back(span);
    }
  }
  std::ranges::sort(spans, {}, &SpanRecord::start);
  return spans;
}

std::uint64_t Tracer::recorded_total() const {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < stripes_; ++i) {
    total += rings_[i].next.load(std::memory_order_relaxed);
  }
  return total;
}

Span::Span(Tracer& tracer, const char* name)
    : tracer_(tracer), name_(name), start_(tracer.clock().now()), ticks_(fiber_ticks()) {}

Span::~Span() {
  tracer_.record({name_, start_, tracer_.clock().now() - start_, fiber_ticks() - ticks_});
}

}  // namespace coppice
