// timers.cpp — heap maintenance.
#include "kernel/fiber/timers.h"

#include "kernel/base/assert.h"

namespace coppice::fiber {

void TimerHeap::add(Timer& timer) {
  COPPICE_ASSERT(!timer.armed() && timer.fire != nullptr);
  timer.order = ++orders_;
  heap_.push_back(&timer);
  sift_up(&timer, heap_.size() - 1);
}

void TimerHeap::remove(Timer& timer) {
  COPPICE_ASSERT(timer.armed() && heap_[timer.position] == &timer);
  const std::size_t hole = timer.position;
  Timer* const last = heap_.back();
  heap_.pop_back();
  timer.position = Timer::kIdle;
  if (last == &timer) return;
  if (hole > 0 && before(*last, *heap_[(hole - 1) / 2])) {
    sift_up(last, hole);
  } else {
    sift_down(last, hole);
  }
}

std::size_t TimerHeap::fire_due(Instant now) {
  std::size_t fired = 0;
  while (!heap_.empty() && heap_.front()->at <= now) {
    Timer& timer = *heap_.front();
    remove(timer);
    timer.fire(timer);
    ++fired;
  }
  return fired;
}

void TimerHeap::sift_up(Timer* timer, std::size_t position) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / 2;
    if (!before(*timer, *heap_[parent])) break;
    place(heap_[parent], position);
    position = parent;
  }
  place(timer, position);
}

void TimerHeap::sift_down(Timer* timer, std::size_t position) {
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(*heap_[child + 1], *heap_[child])) ++child;
    if (!before(*heap_[child], *timer)) break;
    place(heap_[child], position);
    position = child;
  }
  place(timer, position);
}

}  // namespace coppice::fiber
