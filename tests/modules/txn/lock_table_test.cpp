// lock_table_test.cpp — exclusion, order, deadlocks and cancellation, over many schedules.
#include "modules/txn/lock_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "interfaces/types/sql_error.h"
#include "kernel/base/random.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"

using namespace coppice;
using namespace coppice::txn;

namespace {

constexpr TableRef kTable{{1}, {10}};
constexpr LockMode kShare = mode_of(RowLock::kShare);
constexpr LockMode kUpdate = mode_of(RowLock::kUpdate);

LockId row(Egid id) {
  return LockId::row(kTable, id);
}

void in_fiber(std::uint64_t seed, const std::function<void()>& body) {
  fiber::SimRuntime runtime(seed);
  const Status ended = runtime.run([&] { body(); });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

AcquireOutcome take(LockTable& table, std::uint64_t txn, LockId id, LockMode mode,
                    LockWait wait = LockWait::kWait) {
  const auto outcome = table.acquire({txn}, id, mode, wait, Deadline::never());
  REQUIRE_MESSAGE(outcome.has_value(), (outcome ? "" : outcome.error().to_string()));
  return *outcome;
}

void drop(LockTable& table, std::uint64_t txn, LockId id) {
  table.release({txn}, std::span(&id, 1));
}

}  // namespace

TEST_CASE("the conflict tables are symmetric") {
  for (const LockFamily& family : {kRelationFamily, kRowFamily}) {
    for (unsigned a = 0; a < 8; ++a) {
      for (unsigned b = 0; b < 8; ++b) {
        CHECK(((family.conflicts[a] >> b) & 1) == ((family.conflicts[b] >> a) & 1));
      }
    }
  }
}

TEST_CASE("shared locks share, exclusive ones do not, and both are gone when released") {
  in_fiber(1, [] {
    LockTable table;
    CHECK(take(table, 1, row(5), kShare) == AcquireOutcome::kAtOnce);
    CHECK(take(table, 2, row(5), kShare) == AcquireOutcome::kAtOnce);
    CHECK(take(table, 3, row(5), kUpdate, LockWait::kSkip) == AcquireOutcome::kSkipped);
    const auto refused = table.acquire({3}, row(5), kUpdate, LockWait::kNoWait, Deadline::never());
    REQUIRE_FALSE(refused);
    CHECK(sqlstate_of(refused.error()) == "55P03");
    drop(table, 1, row(5));
    drop(table, 2, row(5));
    CHECK(take(table, 3, row(5), kUpdate) == AcquireOutcome::kAtOnce);
    drop(table, 3, row(5));
    CHECK(table.counts().locks == 0);
  });
}

TEST_CASE("waiters are served in order, and a reader does not overtake a waiting writer") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    in_fiber(seed, [] {
      LockTable table;
      take(table, 1, row(5), kShare);
      std::vector<int> order;
      fiber::TaskGroup group;
      const auto waiter = [&](std::uint64_t txn, LockMode mode) {
        group.spawn({.name = "waiter"}, [&table, &order, txn, mode] {
          take(table, txn, row(5), mode);
          order.push_back(static_cast<int>(txn));
          fiber::yield();
          drop(table, txn, row(5));
        });
        while (table.counts().waiters < txn - 1) fiber::yield();
      };
      waiter(2, kUpdate);
      waiter(3, kShare);
      drop(table, 1, row(5));
      group.join();
      CHECK(order == std::vector<int>{2, 3});
    });
  }
}

TEST_CASE("a cycle of two is refused to the one that closes it, and the other goes on") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    in_fiber(seed, [] {
      LockTable table;
      int refused = 0;
      int done = 0;
      fiber::TaskGroup group;
      for (std::uint64_t txn = 1; txn <= 2; ++txn) {
        group.spawn({.name = "crosswise"}, [&, txn] {
          const LockId first = row(txn);
          const LockId second = row(3 - txn);
          take(table, txn, first, kUpdate);
          while (table.counts().locks < 2 && done + refused == 0) fiber::yield();
          const auto outcome =
              table.acquire({txn}, second, kUpdate, LockWait::kWait, Deadline::never());
          if (!outcome) {
            CHECK(sqlstate_of(outcome.error()) == sqlstate::kDeadlockDetected);
            ++refused;
          } else {
            ++done;
            drop(table, txn, second);
          }
          drop(table, txn, first);
        });
      }
      group.join();
      CHECK(done + refused == 2);
      CHECK(refused <= 1);
      CHECK(table.counts().locks == 0);
    });
  }
}

TEST_CASE("two sharers that both want to write are a deadlock too") {
  in_fiber(3, [] {
    LockTable table;
    take(table, 1, row(5), kShare);
    take(table, 2, row(5), kShare);
    bool got = false;
    fiber::Task task = fiber::spawn({.name = "first"}, [&] {
      take(table, 1, row(5), kUpdate);
      got = true;
      drop(table, 1, row(5));
    });
    while (table.counts().waiters == 0) fiber::yield();
    const auto refused = table.acquire({2}, row(5), kUpdate, LockWait::kWait, Deadline::never());
    CHECK_FALSE(refused);
    CHECK_FALSE(got);
    drop(table, 2, row(5));
    task.join();
    CHECK(got);
  });
}

TEST_CASE("who holds a lock strengthens it past the queue") {
  in_fiber(4, [] {
    LockTable table;
    take(table, 1, row(5), kShare);
    fiber::Task task = fiber::spawn({.name = "writer"}, [&] {
      take(table, 2, row(5), kUpdate);
      drop(table, 2, row(5));
    });
    while (table.counts().waiters == 0) fiber::yield();
    CHECK(take(table, 1, row(5), kUpdate) == AcquireOutcome::kAtOnce);
    drop(table, 1, row(5));
    task.join();
  });
}

TEST_CASE("a cancelled or timed out wait leaves nothing behind and lets the next one in") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    in_fiber(seed, [] {
      LockTable table;
      take(table, 1, row(5), kShare);
      fiber::CancelToken token;
      fiber::TaskGroup group;
      Code code = Code::kInternal;
      bool reader_in = false;
      group.spawn({.name = "cancelled", .cancel = &token}, [&] {
        const auto outcome =
            table.acquire({2}, row(5), kUpdate, LockWait::kWait, Deadline::never());
        REQUIRE_FALSE(outcome);
        code = outcome.error().code();
      });
      while (table.counts().waiters == 0) fiber::yield();
      group.spawn({.name = "reader"}, [&] {
        take(table, 3, row(5), kShare);
        reader_in = true;
        drop(table, 3, row(5));
      });
      while (table.counts().waiters < 2) fiber::yield();
      token.cancel();
      group.join();
      CHECK(code == Code::kCancelled);
      CHECK(reader_in);
      const auto late =
          table.acquire({4}, row(5), kUpdate, LockWait::kWait, fiber::clock().now() + 10ms);
      REQUIRE_FALSE(late);
      CHECK(sqlstate_of(late.error()) == "55P03");
      drop(table, 1, row(5));
      CHECK(table.counts().locks == 0);
    });
  }
}

TEST_CASE("many transactions over few rows: never two writers, never stuck, nothing left") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    in_fiber(seed, [seed] {
      LockTable table;
      std::map<Egid, std::set<std::uint64_t>> readers;
      std::map<Egid, std::uint64_t> writer;
      fiber::TaskGroup group;
      for (std::uint64_t txn = 1; txn <= 8; ++txn) {
        group.spawn({.name = "txn"}, [&, txn] {
          Rng rng(seed * 100 + txn);
          std::map<Egid, LockMode> mine;
          for (int step = 0; step < 6; ++step) {
            const Egid id = 1 + rng.below(4);
            const LockMode mode = rng.chance(0.5) ? kShare : kUpdate;
            if (!table.acquire({txn}, row(id), mode, LockWait::kWait, Deadline::never())) break;
            mine[id] = std::max(mine[id], mode);
            if (mine[id] == kUpdate) {
              CHECK((writer[id] == 0 || writer[id] == txn));
              writer[id] = txn;
              readers[id].erase(txn);
              CHECK(readers[id].empty());
            } else {
              CHECK(writer[id] == 0);
              readers[id].insert(txn);
            }
            if (rng.chance(0.5)) fiber::yield();
          }
          std::vector<LockId> ids;
          for (const auto& [id, mode] : mine) {
            ids.push_back(row(id));
            readers[id].erase(txn);
            if (writer[id] == txn) writer[id] = 0;
          }
          table.release({txn}, ids);
        });
      }
      group.join();
      CHECK(table.counts().locks == 0);
      CHECK(table.counts().waiters == 0);
    });
  }
}
