// digits.h — base-10000 digits, most significant first; a few of them need no memory of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace coppice::sql_numeric {

using Digit = std::uint16_t;

class Digits {
 public:
  Digits() = default;
  Digits(const Digits& other) { assign(other.view()); }
  Digits(Digits&& other) noexcept { take(other); }
  Digits& operator=(const Digits& other) {
    if (this != &other) assign(other.view());
    return *this;
  }
  Digits& operator=(Digits&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Digits() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Digit* data() { return heap_ == nullptr ? inline_.data() : heap_.get(); }
  const Digit* data() const { return heap_ == nullptr ? inline_.data() : heap_.get(); }
  Digit& operator[](std::size_t i) { return data()[i]; }
  Digit operator[](std::size_t i) const { return data()[i]; }
  Digit back() const { return data()[size_ - 1]; }
  std::span<const Digit> view() const { return {data(), size_}; }

  void clear() { size_ = 0; }
  void truncate(std::size_t size) { size_ = size; }
  // All zero.
  void reset(std::size_t size) {
    make_room(size);
    size_ = size;
    std::fill_n(data(), size, Digit{0});
  }
  // As they come; the caller writes every one.
  Digit* raw(std::size_t size) {
    make_room(size);
    size_ = size;
    return data();
  }
  void assign(std::span<const Digit> digits) {
    Digit* const to = raw(digits.size());
    std::ranges::copy(digits, to);
  }
  void drop_front(std::size_t count) {
    if (count == 0) return;
    std::copy(data() + count, data() + size_, data());
    size_ -= count;
  }
  void push_front(Digit digit) {
    if (size_ == capacity()) {
      Digits wider;
      wider.make_room(size_ + 1 + size_ / 8);
      wider.size_ = size_;
      std::copy_n(data(), size_, wider.data());
      take(wider);
    }
    std::copy_backward(data(), data() + size_, data() + size_ + 1);
    data()[0] = digit;
    ++size_;
  }

 private:
  static constexpr std::size_t kInline = 40;
  std::size_t capacity() const { return heap_ == nullptr ? kInline : heap_capacity_; }
  void make_room(std::size_t size) {
    if (size <= capacity()) return;
    heap_ = std::make_unique_for_overwrite<Digit[]>(size);
    heap_capacity_ = size;
  }
  void take(Digits& other) {
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    heap_capacity_ = other.heap_capacity_;
    if (heap_ == nullptr) std::copy_n(other.inline_.data(), size_, inline_.data());
    other.size_ = 0;
    other.heap_capacity_ = 0;
  }

  std::size_t size_ = 0;
  std::size_t heap_capacity_ = 0;
  std::unique_ptr<Digit[]> heap_;
  std::array<Digit, kInline> inline_;  // unless heap_
};

}  // namespace coppice::sql_numeric
