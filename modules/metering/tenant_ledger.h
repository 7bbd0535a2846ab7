// tenant_ledger.h — a meter per tenant, for as long as the process lives.
//
// Threads:  any.   Parks: never.
// Holds:    a reference that was given out stays good.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "interfaces/meter.h"
#include "kernel/base/spin_lock.h"

namespace coppice::metering {

class TenantLedger {
 public:
  Meter& meter(TenantId tenant) {
    const std::lock_guard guard(lock_);
    std::unique_ptr<Meter>& meter = meters_[tenant];
    if (meter == nullptr) meter = std::make_unique<Meter>();
    return *meter;
  }

  std::vector<TenantUsage> usage() const {
    std::vector<TenantUsage> all;
    const std::lock_guard guard(lock_);
    for (const auto& [tenant, meter] : meters_) {
      TenantUsage& usage = all.emplace_back();
      usage.tenant = tenant;
      for (std::size_t i = 0; i < kResourceCount; ++i) {
        usage.used[i] = meter->used(static_cast<Resource>(i));
      }
    }
    return all;
  }

 private:
  mutable SpinLock lock_;
  std::map<TenantId, std::unique_ptr<Meter>> meters_;
};

}  // namespace coppice::metering
