// stack_pool.h — guarded stacks, reused.
//
// Role:     a fiber takes a stack when it first runs and gives it back when it has ended.
// Owns:     address space in slabs of up to kSlabStacks stacks, given back by the destructor.
// Threads:  StackPool any; a StackCache belongs to one worker and goes to the pool in batches.
// Parks:    never.
// Holds:    each stack has an inaccessible page at its low end; a stack that was used deeper than
//           kKeepBytes gives the pages below back to the system (looked at every kSampleEvery
//           uses).
// Errors:   running out of address space or maps is fatal, as running out of memory is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace coppice::fiber {

inline constexpr std::size_t kStackBytes = 256 * 1024;  // reserved, guard page included
inline constexpr std::size_t kGuardBytes = 4096;
inline constexpr std::size_t kKeepBytes = 32 * 1024;  // stays resident in an idle stack
inline constexpr std::size_t kSlabStacks = 64;
inline constexpr std::uint32_t kSampleEvery = 64;

struct Stack {
  std::byte* low = nullptr;  // the guard page; usable from low + kGuardBytes to low + kStackBytes
  std::uint32_t uses = 0;
  explicit operator bool() const { return low != nullptr; }
  void* bottom() const { return low + kGuardBytes; }
  void* top() const { return low + kStackBytes; }
  static constexpr std::size_t usable() { return kStackBytes - kGuardBytes; }
};

class StackPool {
 public:
  StackPool() = default;
  ~StackPool();  // all stacks are back, or their fibers are abandoned
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Moves up to `count` stacks between the pool and the end of `to` or `from`.
  void take(std::vector<Stack>& to, std::size_t count);
  void give(std::vector<Stack>& from, std::size_t count);

  // Records how deep `stack` was used; returns what is beyond kKeepBytes to the system.
  void sample(const Stack& stack);

  std::uint64_t mapped() const { return mapped_.load(std::memory_order_relaxed); }
  std::uint64_t idle() const;
  std::uint64_t high_water_bytes() const { return high_water_.load(std::memory_order_relaxed); }
  // Whether guards are lightweight (MADV_GUARD_INSTALL, Linux 6.13) or cost a mapping each.
  bool light_guards() const { return light_guards_.load(std::memory_order_relaxed); }

 private:
  void map_slab();  // with mutex_ held

  mutable std::mutex mutex_;
  std::vector<Stack> idle_;
  struct Slab {
    std::byte* low;
    std::size_t stacks;
  };
  std::vector<Slab> slabs_;  // each twice as large as the one before, up to kSlabStacks
  std::atomic<std::uint64_t> mapped_ = 0;
  std::atomic<std::uint64_t> high_water_ = 0;
  std::atomic<bool> light_guards_ = true;
};

// A worker's own few stacks, so that most fibers take no lock.
class StackCache {
 public:
  explicit StackCache(StackPool& pool) : pool_(pool) {}
  ~StackCache() { pool_.give(stacks_, stacks_.size()); }
  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  Stack take() {
    if (stacks_.empty()) pool_.take(stacks_, kBatch);
    Stack stack = stacks_.back();
    stacks_.pop_back();
    return stack;
  }
  void give(Stack stack) {
    if (++stack.uses % kSampleEvery == 0) pool_.sample(stack);
    stacks_.push_back(stack);
    if (stacks_.size() > 2 * kBatch) pool_.give(stacks_, kBatch);
  }

 private:
  static constexpr std::size_t kBatch = 16;
  StackPool& pool_;
  std::vector<Stack> stacks_;  // the most recently used, warm one last
};

}  // namespace coppice::fiber
