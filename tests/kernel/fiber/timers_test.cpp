// timers_test.cpp — the heap against a sorted list.
#include "kernel/fiber/timers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "kernel/base/random.h"

namespace coppice::fiber {

namespace {
struct Noting : Timer {
  int number = 0;
  std::vector<int>* fired = nullptr;
};
void note(Timer& timer) {
  const Noting& self = static_cast<Noting&>(timer);
  self.fired->push_back(self.number);
}
}  // namespace

TEST_CASE("timers fire by time, then by age; removed ones never") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    TimerHeap heap;
    std::vector<int> fired;
    std::vector<std::unique_ptr<Noting>> timers;
    std::vector<Noting*> model;
    for (int i = 0; i < 100; ++i) {
      auto timer = std::make_unique<Noting>();
      timer->at = Instant{static_cast<std::int64_t>(rng.below(30))};
      timer->fire = &note;
      timer->number = i;
      timer->fired = &fired;
      heap.add(*timer);
      model.push_back(timer.get());
      timers.push_back(std::move(timer));
      if (rng.chance(0.3)) {
        const auto victim = model.begin() + static_cast<std::ptrdiff_t>(rng.below(model.size()));
        heap.remove(**victim);
        CHECK_FALSE((*victim)->armed());
        model.erase(victim);
      }
    }
    std::sort(model.begin(), model.end(), [](const Noting* a, const Noting* b) {
      return a->at != b->at ? a->at < b->at : a->number < b->number;
    });
    CHECK(heap.next() == model.front()->at);
    std::size_t count = 0;
    for (std::int64_t now = 0; now < 30; now += 7) count += heap.fire_due(Instant{now});
    count += heap.fire_due(Instant{30});
    CHECK(count == model.size());
    CHECK(heap.empty());
    CHECK(heap.next() == Instant::never());
    std::vector<int> expected;
    for (const Noting* timer : model) expected.push_back(timer->number);
    CHECK(fired == expected);
  }
}

}  // namespace coppice::fiber
