// metering_service.h — the service: ledger and governor, and the scopes that tie fibers to them.
//
// Threads:  any fiber.   Parks: as the governor.
#pragma once

#include <memory>
#include <vector>

#include "interfaces/meter.h"
#include "kernel/fiber/account.h"
#include "modules/metering/memory_governor.h"
#include "modules/metering/tenant_ledger.h"

namespace coppice::metering {

// What the runtime and module vfs charge, booked to a meter.
class MeterAccount final : public fiber::Account {
 public:
  MeterAccount(TenantId tenant, Meter& meter) : Account(tenant), meter_(meter) {}
  void count(std::uint8_t resource, std::uint64_t amount) noexcept override {
    if (resource < kResourceCount) meter_.charge(static_cast<Resource>(resource), amount);
  }

 protected:
  void charged(Ticks ticks) noexcept override { meter_.charge(Resource::kCpuTicks, ticks); }

 private:
  Meter& meter_;
};

class MeteredStatement final : public StatementScope {
 public:
  MeteredStatement(TenantId tenant, Meter& parent, MemoryGovernor& governor, std::uint64_t limit)
      : meter_(&parent), budget_(governor, MemoryPool::kQueries, limit), account_(tenant, meter_) {}
  ~MeteredStatement() override { meter_.roll_up(); }

  Meter& meter() override { return meter_; }
  Budget& budget() override { return budget_; }
  fiber::Account& account() override { return account_; }

 private:
  Meter meter_;
  PoolBudget budget_;
  MeterAccount account_;
};

class MeteringService final : public Metering {
 public:
  MeteringService(std::uint64_t memory_total, BlockCache* cache) : governor_(memory_total, cache) {}

  Meter& tenant(TenantId tenant) override { return ledger_.meter(tenant); }
  std::unique_ptr<Budget> open_budget(MemoryPool pool, std::uint64_t limit_bytes) override {
    return std::make_unique<PoolBudget>(governor_, pool, limit_bytes);
  }
  std::unique_ptr<StatementScope> open_statement(TenantId tenant,
                                                 std::uint64_t memory_limit_bytes) override {
    return std::make_unique<MeteredStatement>(tenant, ledger_.meter(tenant), governor_,
                                              memory_limit_bytes);
  }
  std::vector<TenantUsage> usage() const override { return ledger_.usage(); }
  MemoryState memory() const override { return governor_.state(); }

  MemoryGovernor& governor() { return governor_; }

 private:
  TenantLedger ledger_;
  MemoryGovernor governor_;
};

}  // namespace coppice::metering
