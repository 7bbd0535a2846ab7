// spin_lock.cpp — what to do while another thread holds it.
#include "kernel/base/spin_lock.h"

#include <thread>

namespace coppice {

void SpinLock::wait() const {
  // The holder may have lost its CPU; then spinning on would only keep it from getting one.
  constexpr int kSpins = 100;
  for (int i = 0; locked_.load(std::memory_order_relaxed); ++i) {
    if (i < kSpins) {
      __builtin_ia32_pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace coppice
