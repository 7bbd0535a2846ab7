// meter.h — what a statement uses: counted by plain adds, limited before it is taken.
//
// Role:     one Meter per statement, session and tenant, chained by parent; module metering owns
// the
//           tenants' and hands out the others.
// Threads:  charge() from the fibers of one statement (relaxed adds); readers may be elsewhere.
// Parks:    only reserve(), up to kReserveWait, while the governor makes room.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kernel/base/result.h"

namespace coppice {

enum class Resource : std::uint8_t {
  kCpuTicks,
  kReads,
  kReadBytes,
  kWrites,
  kWriteBytes,
  kLogBytes,
  kNetworkBytes,
  kRowsRead,
  kRowsReturned,
};
inline constexpr std::size_t kResourceCount = 9;
std::string_view resource_name(Resource resource);

class Meter {
 public:
  explicit Meter(Meter* parent = nullptr) : parent_(parent) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  void charge(Resource what, std::uint64_t amount) {
    used_[static_cast<std::size_t>(what)].fetch_add(amount, std::memory_order_relaxed);
  }
  std::uint64_t used(Resource what) const {
    return used_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
  }
  // Adds all that was used here to the parent; at a statement's end.
  void roll_up();
  Meter* parent() const { return parent_; }

 private:
  Meter* parent_;
  std::array<std::atomic<std::uint64_t>, kResourceCount> used_{};
};

// A share of the process's memory. Large consumers reserve before they allocate.
class Budget {
 public:
  virtual ~Budget() = default;
  // kOutOfMemory (53200) if the room cannot be made within kReserveWait. May park.
  virtual Status reserve(std::uint64_t bytes) = 0;
  virtual void release(std::uint64_t bytes) noexcept = 0;
  virtual std::uint64_t live() const = 0;
  virtual std::uint64_t peak() const = 0;
};

// Bytes reserved from a budget until destruction; move-only.
class Reservation {
 public:
  Reservation() = default;
  explicit Reservation(Budget& budget) : budget_(&budget) {}
  Reservation(Reservation&& other) noexcept { swap(other); }
  Reservation& operator=(Reservation&& other) noexcept {
    Reservation(std::move(other)).swap(*this);
    return *this;
  }
  ~Reservation() {
    if (budget_ != nullptr && bytes_ != 0) budget_->release(bytes_);
  }

  Status grow(std::uint64_t by) {
    COPPICE_TRY(budget_->reserve(by));
    bytes_ += by;
    return {};
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void swap(Reservation& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
  }
  Budget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace coppice
