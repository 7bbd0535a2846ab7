// metering_service_test.cpp — a statement's fibers are charged to it, and it to its tenant.
#include "modules/metering/metering_service.h"

#include <doctest/doctest.h>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"

namespace coppice::metering {
namespace {

constexpr std::uint64_t kTotal = 64 << 20;
constexpr TenantId kTenant{5};

TEST_CASE("what a statement's fibers use rolls up to the tenant when it ends") {
  fiber::SimRuntime runtime(1);
  MeteringService service(kTotal, nullptr);
  const Status ran = runtime.run([&] {
    {
      const auto statement = service.open_statement(kTenant, 1 << 20);
      fiber::TaskGroup group;
      group.spawn({.name = "statement", .account = &statement->account()}, [] {
        fiber::Account* account = fiber::current_account();
        REQUIRE(account != nullptr);
        CHECK(account->tenant() == kTenant);
        account->count(static_cast<std::uint8_t>(Resource::kReads), 3);
        account->count(static_cast<std::uint8_t>(Resource::kReadBytes), 300);
        account->count(200, 1);  // nobody's resource
      });
      group.join();
      statement->meter().charge(Resource::kRowsReturned, 7);
      CHECK(statement->meter().used(Resource::kReads) == 3);
      CHECK(statement->meter().used(Resource::kCpuTicks) > 0);
      CHECK(service.tenant(kTenant).used(Resource::kReads) == 0);
    }
    CHECK(service.tenant(kTenant).used(Resource::kReads) == 3);
    CHECK(service.tenant(kTenant).used(Resource::kReadBytes) == 300);
    CHECK(service.tenant(kTenant).used(Resource::kRowsReturned) == 7);
    CHECK(service.tenant(kTenant).used(Resource::kCpuTicks) > 0);
  });
  CHECK(ran.has_value());
  const auto usage = service.usage();
  REQUIRE(usage.size() == 1);
  CHECK(usage[0].tenant == kTenant);
  CHECK(usage[0].used[static_cast<std::size_t>(Resource::kReads)] == 3);
}

TEST_CASE("a statement's own limit refuses before the server's does") {
  fiber::SimRuntime runtime(1);
  MeteringService service(kTotal, nullptr);
  const Status ran = runtime.run([&] {
    const auto statement = service.open_statement(kTenant, 1 << 20);
    Reservation reservation(statement->budget());
    CHECK(reservation.grow(1 << 20).has_value());
    const Status refused = reservation.grow(1);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == Code::kOutOfMemory);
    CHECK(*refused.error().find_note('C') == "53200");
    CHECK(reservation.bytes() == 1 << 20);
    CHECK(service.memory().reserved[1] == 1 << 20);
    CHECK(service.memory().refusals == 0);
  });
  CHECK(ran.has_value());
  CHECK(service.memory().reserved[1] == 0);
}

}  // namespace
}  // namespace coppice::metering
