// stack_pool.cpp — slabs of address space cut into guarded stacks.
#include "kernel/fiber/stack_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>

#include "kernel/base/assert.h"
#include "kernel/fiber/switch.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102  // Linux 6.13; Debian 12's headers are older
#endif

namespace coppice::fiber {

namespace {
constexpr std::size_t kFirstSlab = 4;  // a runtime of a test needs few
constexpr std::size_t kPageBytes = 4096;
}  // namespace

StackPool::~StackPool() {
  for (const Slab& slab : slabs_) {
    unpoison_stack(slab.low, slab.stacks * kStackBytes);
    ::munmap(slab.low, slab.stacks * kStackBytes);
  }
}

void StackPool::take(std::vector<Stack>& to, std::size_t count) {
  std::unique_lock lock(mutex_);
  if (idle_.empty()) map_slab();
  for (; count > 0 && !idle_.empty(); --count) {
    to.push_back(idle_.back());
    idle_.pop_back();
  }
}

void StackPool::give(std::vector<Stack>& from, std::size_t count) {
  COPPICE_ASSERT(count <= from.size());
  std::unique_lock lock(mutex_);
  // The coldest go: they are at the front of a cache.
  const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
  idle_.insert(idle_.end(), from.begin(), end);
  from.erase(from.begin(), end);
}

std::uint64_t StackPool::idle() const {
  std::unique_lock lock(mutex_);
  return idle_.size();
}

void StackPool::map_slab() {
  const std::size_t count =
      slabs_.empty() ? kFirstSlab : std::min(2 * slabs_.back().stacks, kSlabStacks);
  void* const at = ::mmap(nullptr, count * kStackBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (at == MAP_FAILED) panic(__FILE__, __LINE__, "no memory for stacks; see vm.max_map_count");
  // A huge page under a few touched kilobytes would cost 2 MiB.
  ::madvise(at, count * kStackBytes, MADV_NOHUGEPAGE);
  std::byte* const slab = static_cast<std::byte*>(at);
  slabs_.push_back({slab, count});
  for (std::size_t i = count; i-- > 0;) {
    std::byte* const low = slab + i * kStackBytes;
    if (light_guards() && ::madvise(low, kGuardBytes, MADV_GUARD_INSTALL) != 0)
      light_guards_.store(false, std::memory_order_relaxed);
    if (!light_guards() && ::mprotect(low, kGuardBytes, PROT_NONE) != 0)
      panic(__FILE__, __LINE__, "cannot guard a stack; see vm.max_map_count");
    idle_.push_back(Stack{low, 0});
  }
  mapped_.fetch_add(count, std::memory_order_relaxed);
}

void StackPool::sample(const Stack& stack) {
  constexpr std::size_t kPages = Stack::usable() / kPageBytes;
  std::array<unsigned char, kPages> resident{};
  if (::mincore(stack.bottom(), Stack::usable(), resident.data()) != 0) return;
  const auto first = std::find_if(resident.begin(), resident.end(),
                                  [](unsigned char page) { return (page & 1) != 0; });
  const std::size_t untouched = static_cast<std::size_t>(first - resident.begin()) * kPageBytes;
  const std::uint64_t used = Stack::usable() - untouched;
  std::uint64_t seen = high_water_bytes();
  while (used > seen && !high_water_.compare_exchange_weak(seen, used)) {
  }
  if (used > kKeepBytes) ::madvise(stack.bottom(), Stack::usable() - kKeepBytes, MADV_DONTNEED);
}

}  // namespace coppice::fiber
