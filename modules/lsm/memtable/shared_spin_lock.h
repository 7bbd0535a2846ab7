// shared_spin_lock.h — many readers or one writer, each for well under a microsecond.
//
// Role:     memtables: lookups copy a few values out, apply adds a few.
// Threads:  any.   Parks: never; nobody may park while holding it.
// Holds:    a waiting writer keeps new readers out, so that it is not starved.
#pragma once

#include <atomic>
#include <cstdint>

namespace coppice::lsm {

class SharedSpinLock {
 public:
  void lock() {
    while ((state_.fetch_or(kWriter, std::memory_order_acquire) & kWriter) != 0) pause();
    while (state_.load(std::memory_order_acquire) != kWriter) pause();
  }
  void unlock() { state_.fetch_and(~kWriter, std::memory_order_release); }
  void lock_shared() {
    while (true) {
      if ((state_.fetch_add(kReader, std::memory_order_acquire) & kWriter) == 0) return;
      state_.fetch_sub(kReader, std::memory_order_relaxed);
      while ((state_.load(std::memory_order_relaxed) & kWriter) != 0) pause();
    }
  }
  void unlock_shared() { state_.fetch_sub(kReader, std::memory_order_release); }

 private:
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kReader = 2;
  static void pause() { __builtin_ia32_pause(); }
  std::atomic<std::uint32_t> state_{0};
};

class SharedSpinGuard {
 public:
  explicit SharedSpinGuard(SharedSpinLock& lock) : lock_(lock) { lock_.lock_shared(); }
  ~SharedSpinGuard() { lock_.unlock_shared(); }
  SharedSpinGuard(const SharedSpinGuard&) = delete;
  SharedSpinGuard& operator=(const SharedSpinGuard&) = delete;

 private:
  SharedSpinLock& lock_;
};

class ExclusiveSpinGuard {
 public:
  explicit ExclusiveSpinGuard(SharedSpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~ExclusiveSpinGuard() { lock_.unlock(); }
  ExclusiveSpinGuard(const ExclusiveSpinGuard&) = delete;
  ExclusiveSpinGuard& operator=(const ExclusiveSpinGuard&) = delete;

 private:
  SharedSpinLock& lock_;
};

}  // namespace coppice::lsm
