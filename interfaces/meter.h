// meter.h — what a statement uses: counted by plain adds, limited before it is taken.
//
// Role:     one Meter per statement and tenant, chained by parent; module metering owns the
//           tenants' and opens the statements'. A fiber whose Options name a scope's account is
//           charged to it: CPU by the runtime, I/O by module vfs.
// Threads:  charge() from the fibers of one statement (relaxed adds); readers may be elsewhere.
// Parks:    only reserve(), up to kReserveWait, while the governor makes room.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/base/ids.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"

namespace coppice {

namespace fiber {
class Account;  // kernel/fiber/account.h
}

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

// Shares of memory.total that are reserved from; the rest is the block cache's.
enum class MemoryPool : std::uint8_t { kMemtables, kQueries };
inline constexpr std::size_t kMemoryPoolCount = 2;
inline constexpr Duration kReserveWait = 500ms;

struct MemoryState {
  std::uint64_t total = 0;
  std::uint64_t live = 0;  // of the process, when the governor last looked
  std::uint64_t reserved[kMemoryPoolCount] = {};
  std::uint64_t shares[kMemoryPoolCount] = {};
  std::uint64_t cache_target = 0;
  std::uint64_t refusals = 0;
};

// What one statement uses. Its fibers end before it does; then it rolls up to the tenant.
class StatementScope {
 public:
  virtual ~StatementScope() = default;
  virtual Meter& meter() = 0;
  virtual Budget& budget() = 0;
  virtual fiber::Account& account() = 0;
};

struct TenantUsage {
  TenantId tenant;
  std::array<std::uint64_t, kResourceCount> used{};
};

// Module metering's service.
class Metering {
 public:
  virtual ~Metering() = default;
  virtual Meter& tenant(TenantId tenant) = 0;  // made when first asked for; lives as long as this
  // A budget of the pool, refused above `limit_bytes` too. Must not outlive the service.
  virtual std::unique_ptr<Budget> open_budget(MemoryPool pool, std::uint64_t limit_bytes) = 0;
  virtual std::unique_ptr<StatementScope> open_statement(TenantId tenant,
                                                         std::uint64_t memory_limit_bytes) = 0;
  virtual std::vector<TenantUsage> usage() const = 0;  // by tenant; finished statements only
  virtual MemoryState memory() const = 0;
};

}  // namespace coppice
