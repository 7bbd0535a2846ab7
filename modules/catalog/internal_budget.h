// internal_budget.h — pays for the catalog's own transactions: they are few and small, so it only
// counts.
#pragma once

#include <atomic>

#include "interfaces/meter.h"

namespace coppice::catalog {

class InternalBudget final : public Budget {
 public:
  Status reserve(std::uint64_t bytes) override {
    const std::uint64_t now = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
    return {};
  }
  void release(std::uint64_t bytes) noexcept override {
    live_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  std::uint64_t live() const override { return live_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const override { return peak_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> live_ = 0, peak_ = 0;
};

}  // namespace coppice::catalog
