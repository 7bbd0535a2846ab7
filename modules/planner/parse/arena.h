// arena.h — the bump allocator that one parsed text lives in.
//
// Role:     holds every node, list and string of a syntax tree; freed as a whole, so that no tree,
//           however deep, is ever walked by destructors.
// Owns:     its chunks. What it hands out is never destroyed: trivially destructible types only.
// Threads:  one at a time while building; read by anyone afterwards.
// Parks:    never.
// Errors:   none. Crossing the budget sets exhausted(); the memory is still handed out, so builders
//           check once per node instead of once per call. What a builder may add past the budget
//           between two checks is one node with its list of children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernel/base/bytes.h"

namespace coppice::planner {

class Arena {
 public:
  static constexpr std::size_t kChunkMin = 4_KiB;
  static constexpr std::size_t kChunkMax = 256_KiB;

  explicit Arena(std::size_t budget_bytes) : budget_(budget_bytes) {}
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  template <class T>
  T* make() {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (allocate(sizeof(T), alignof(T))) T();
  }

  // `count` value-initialised items; empty for 0.
  template <class T>
  std::span<T> make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T is often a pointer
    T* items = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    for (std::size_t i = 0; i < count; ++i) ::new (items + i) T();
    return {items, count};
  }

  std::string_view copy(std::string_view text);

  // Bytes taken from the operating system, chunk tails included.
  std::size_t reserved_bytes() const { return reserved_; }
  bool exhausted() const { return reserved_ > budget_; }

 private:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    const auto at = (next_ + alignment - 1) & ~(alignment - 1);
    if (at + bytes > end_) return allocate_chunk(bytes, alignment);
    next_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }
  void* allocate_chunk(std::size_t bytes, std::size_t alignment);

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t reserved_ = 0;
  std::size_t budget_;
};

}  // namespace coppice::planner
