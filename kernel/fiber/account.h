// account.h — who pays for a fiber: the hook that metering fills.
//
// Role:     named in Options; the runtime charges every stay on a CPU to it and asks it, now and
//           then, whether the fiber may go on.
// Owns:     nothing of the fiber; must outlive every fiber that names it.
// Threads:  charge() is called by any worker, several at once; check() by the fiber itself.
// Parks:    check() may (that is how a CPU cap slows a tenant down); charge() never.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernel/base/ids.h"
#include "kernel/base/result.h"
#include "kernel/base/ticks.h"

namespace coppice::fiber {

class Account {
 public:
  explicit Account(TenantId tenant, std::uint32_t weight = 1) : tenant_(tenant), weight_(weight) {}
  virtual ~Account() = default;
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  TenantId tenant() const { return tenant_; }
  std::uint32_t weight() const { return weight_; }  // share among tenants; at least 1
  // CPU of all stays that ended; a running fiber's current stay is charged when it ends.
  Ticks ticks() const { return ticks_.load(std::memory_order_relaxed); }

  // The runtime: one stay on a worker took this long.
  void charge(Ticks ticks) noexcept {
    ticks_.fetch_add(ticks, std::memory_order_relaxed);
    charged(ticks);
  }
  // The runtime, from maybe_yield() about every 64th call: refuse (the error goes to the caller of
  // maybe_yield) or park to throttle.
  virtual Status check() { return {}; }
  // Whoever used something else on the fiber's behalf: reads, bytes. The kernel gives `resource` no
  // meaning (interfaces/meter.h does).
  virtual void count(std::uint8_t resource, std::uint64_t amount) noexcept {
    static_cast<void>(resource);
    static_cast<void>(amount);
  }

 protected:
  virtual void charged(Ticks) noexcept {}

 private:
  const TenantId tenant_;
  const std::uint32_t weight_;
  std::atomic<Ticks> ticks_ = 0;
};

// While it lives, the current fiber is charged to `account` instead of the one it was spawned with;
// nullptr: to nobody. The present stay is divided between them.
class AccountScope {
 public:
  explicit AccountScope(Account* account);
  ~AccountScope();
  AccountScope(const AccountScope&) = delete;
  AccountScope& operator=(const AccountScope&) = delete;

 private:
  Account* const outer_;
};

}  // namespace coppice::fiber
