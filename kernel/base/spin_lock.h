// spin_lock.h — one word, for sections of some ten nanoseconds that are entered very often.
//
// Threads:  any. Whoever holds it does nothing that could wait: no park, no allocation of size, no
//           system call. Meets BasicLockable, for std::lock_guard.
#pragma once

#include <atomic>

namespace coppice {

class SpinLock {
 public:
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  void wait() const;  // until it looks free
  std::atomic<bool> locked_ = false;
};

}  // namespace coppice
