// unlimited_budget.h — a budget that refuses nothing and counts.
#pragma once

#include <algorithm>
#include <atomic>

#include "interfaces/meter.h"

namespace coppice::testing {

class UnlimitedBudget final : public Budget {
 public:
  Status reserve(std::uint64_t bytes) override {
    const std::uint64_t now = live_ += bytes;
    peak_ = std::max(peak_.load(), now);
    return {};
  }
  void release(std::uint64_t bytes) noexcept override { live_ -= bytes; }
  std::uint64_t live() const override { return live_; }
  std::uint64_t peak() const override { return peak_; }

 private:
  std::atomic<std::uint64_t> live_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
};

}  // namespace coppice::testing
