// aligned_buffer.h — bytes at an address that direct I/O accepts.
//
// Owns:     the memory; move-only, not initialised.
// Threads:  any.   Parks: never.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "kernel/base/bytes.h"

namespace coppice {

class AlignedBuffer {
 public:
  static constexpr std::size_t kAlignment = 4096;  // a page, and the largest sector there is

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size)
      : data_(size == 0
                  ? nullptr
                  : static_cast<std::byte*>(::operator new(size, std::align_val_t{kAlignment}))),
        size_(size) {}
  AlignedBuffer(AlignedBuffer&& other) noexcept { swap(other); }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    AlignedBuffer(std::move(other)).swap(*this);
    return *this;
  }
  ~AlignedBuffer() { ::operator delete(data_, std::align_val_t{kAlignment}); }

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  MutableByteView view() const { return {data_, size_}; }
  MutableByteView first(std::size_t count) const { return view().first(count); }

  static bool is_aligned(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % kAlignment == 0;
  }

 private:
  void swap(AlignedBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace coppice
