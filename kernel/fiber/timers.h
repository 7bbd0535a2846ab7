// timers.h — what is due when: a binary heap of timers that live elsewhere.
//
// Owns:     nothing; a timer is removed, or has fired, before it goes away.
// Threads:  those of one worker.
// Parks:    never.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/time.h"

namespace coppice::fiber {

struct Timer {
  Instant at;
  void (*fire)(Timer&) = nullptr;  // called once, by the loop; the timer is no longer in the heap
  std::size_t position = kIdle;
  std::uint64_t order = 0;  // of two due at once, the one added first fires first
  static constexpr std::size_t kIdle = SIZE_MAX;
  bool armed() const { return position != kIdle; }
};

class TimerHeap {
 public:
  void add(Timer& timer);
  void remove(Timer& timer);
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  Instant next() const { return heap_.empty() ? Instant::never() : heap_.front()->at; }
  // Fires what is due at `now`; the number that fired.
  std::size_t fire_due(Instant now);

 private:
  static bool before(const Timer& a, const Timer& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  }
  void place(Timer* timer, std::size_t position) {
    heap_[position] = timer;
    timer->position = position;
  }
  void sift_up(Timer* timer, std::size_t position);
  void sift_down(Timer* timer, std::size_t position);

  std::vector<Timer*> heap_;
  std::uint64_t orders_ = 0;
};

}  // namespace coppice::fiber
