// transaction_test.cpp — isolation, restarts, savepoints and commit, on the model engine.
#include "modules/txn/transaction.h"

#include <doctest/doctest.h>

#include <functional>
#include <optional>

#include "interfaces/types/sql_error.h"
#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "modules/txn/manager.h"
#include "tests/support/mem_engine.h"
#include "tests/support/unlimited_budget.h"

using namespace coppice;
using namespace coppice::txn;

namespace {

constexpr NamespaceId kNs{1};
constexpr TableRef kTable{kNs, {10}};
constexpr TableRef kKeys{kNs, {11}};
constexpr ColumnId kValue{1};
const std::vector<ColumnId> kColumns = {kValue};

// A table of one int8 column, with rows 1..n of value 0.
struct World {
  testing::MemEngine engine;
  testing::UnlimitedBudget budget;
  LockingTxnManager manager{engine};

  explicit World(int rows = 4) {
    const auto writes = engine.write_set(budget);
    TableDefinition definition{.table = kTable, .rows = kTable};
    definition.schema.columns = {{.id = kValue}};
    REQUIRE(writes->create_namespace(kNs));
    REQUIRE(writes->create_table(definition));
    REQUIRE(writes->create_table({.table = kKeys, .kind = TableKind::kUnique, .rows = kTable}));
    VectorBuffer values(PhysicalType::kInt64);
    for (int i = 0; i < rows; ++i) values.append(Datum::of(std::int64_t{0}));
    REQUIRE(writes->insert(kTable, batch(values)));
    REQUIRE(engine.commit(*writes, false));
  }
  static RowBatch batch(const VectorBuffer& values) {
    RowBatch made;
    made.rows = values.size();
    made.selection = Selection::all(made.rows);
    made.columns.push_back(values.view());
    return made;
  }
  std::unique_ptr<Transaction> begin(Isolation isolation = Isolation::kReadCommitted) {
    return manager.begin({.isolation = isolation}, budget);
  }
  std::optional<std::int64_t> read(const ReadView& view, Egid row) {
    const auto found = engine.fetch(view, kTable, std::span(&row, 1), kColumns).value();
    return found.rows == 0 ? std::nullopt : std::optional(found.columns[0].int_at(0));
  }
  void write(Transaction& txn, Egid row, std::int64_t value) {
    VectorBuffer values(PhysicalType::kInt64);
    values.append(Datum::of(value));
    REQUIRE(txn.writes().update(kTable, std::span(&row, 1), kColumns, batch(values)));
  }
  // value += by, as a statement does it: lock, check, start over.
  Status add(Transaction& txn, Egid row, std::int64_t by) {
    COPPICE_TRY(txn.begin_statement());
    for (;;) {
      const auto before = read(txn.view(), row);
      const auto outcome = COPPICE_TRY(txn.lock_rows(
          kTable, std::span(&row, 1), RowLock::kNoKeyUpdate, LockWait::kWait, nullptr));
      if (outcome == LockOutcome::kFresh) {
        if (before) write(txn, row, *before + by);
        txn.end_statement(true);
        return {};
      }
      COPPICE_TRY(txn.restart_statement(kTable));
    }
  }
  std::optional<std::int64_t> newest(Egid row) {
    const auto snapshot = engine.snapshot();
    return read({snapshot.get()}, row);
  }
};

void in_fiber(std::uint64_t seed, const std::function<void()>& body) {
  fiber::SimRuntime runtime(seed);
  const Status ended = runtime.run([&] { body(); });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

}  // namespace

TEST_CASE("READ COMMITTED sees each statement's newest, REPEATABLE READ its first") {
  in_fiber(1, [] {
    World world;
    const auto rc = world.begin();
    const auto rr = world.begin(Isolation::kRepeatableRead);
    REQUIRE(rc->begin_statement());
    REQUIRE(rr->begin_statement());
    const auto writer = world.begin();
    REQUIRE(world.add(*writer, 1, 5));
    CHECK(world.read(writer->view(), 1) == 5);
    CHECK(world.read(rc->view(), 1) == 0);
    REQUIRE(writer->commit());
    REQUIRE(rc->begin_statement());
    REQUIRE(rr->begin_statement());
    CHECK(world.read(rc->view(), 1) == 5);
    CHECK(world.read(rr->view(), 1) == 0);
  });
}

TEST_CASE("an update of a row that changed is run again, or is 40001") {
  in_fiber(2, [] {
    World world;
    const auto rc = world.begin();
    const auto rr_first = world.begin(Isolation::kRepeatableRead);
    const auto rr_later = world.begin(Isolation::kRepeatableRead);
    REQUIRE(rr_later->begin_statement());
    CHECK(world.read(rr_later->view(), 1) == 0);
    rr_later->end_statement(true);
    const auto writer = world.begin();
    REQUIRE(world.add(*writer, 1, 5));
    REQUIRE(writer->commit());
    REQUIRE(world.add(*rc, 1, 1));
    REQUIRE(rc->commit());
    REQUIRE(world.add(*rr_first, 1, 1));  // its first statement: the snapshot may move
    REQUIRE(rr_first->commit());
    const Status refused = world.add(*rr_later, 1, 1);
    REQUIRE_FALSE(refused);
    CHECK(sqlstate_of(refused.error()) == sqlstate::kSerializationFailure);
    rr_later->rollback();
    CHECK(world.newest(1) == 7);
  });
}

TEST_CASE("concurrent increments all count, whatever the schedule") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    in_fiber(seed, [seed] {
      World world;
      std::int64_t total = 0;
      fiber::TaskGroup group;
      for (std::uint64_t client = 0; client < 5; ++client) {
        group.spawn({.name = "client"}, [&, client] {
          Rng rng(seed * 10 + client);
          for (int i = 0; i < 5; ++i) {
            const auto txn = world.begin(rng.chance(0.5) ? Isolation::kReadCommitted
                                                         : Isolation::kRepeatableRead);
            const Egid a = 1 + rng.below(4);
            const Egid b = 1 + rng.below(4);
            bool ok = world.add(*txn, a, 1).has_value();
            fiber::yield();
            ok = ok && world.add(*txn, b, 1).has_value();
            if (ok && rng.chance(0.8)) {
              REQUIRE(txn->commit());
              total += 2;
            } else {
              txn->rollback();
            }
          }
        });
      }
      group.join();
      std::int64_t sum = 0;
      for (Egid row = 1; row <= 4; ++row) sum += *world.newest(row);
      CHECK(sum == total);
      CHECK(world.manager.lock_counts().locks == 0);
    });
  }
}

TEST_CASE("savepoints nest, are released, and undo what came after") {
  in_fiber(5, [] {
    World world;
    const auto txn = world.begin();
    REQUIRE(world.add(*txn, 1, 1));
    txn->savepoint("a");
    REQUIRE(world.add(*txn, 1, 10));
    txn->savepoint("b");
    REQUIRE(world.add(*txn, 1, 100));
    REQUIRE(txn->rollback_to_savepoint("a"));
    CHECK(sqlstate_of(txn->rollback_to_savepoint("b").error()) == "3B001");
    REQUIRE(world.add(*txn, 2, 7));
    REQUIRE(txn->rollback_to_savepoint("a"));
    REQUIRE(txn->release_savepoint("a"));
    CHECK_FALSE(txn->release_savepoint("a"));
    REQUIRE(txn->commit());
    CHECK(world.newest(1) == 1);
    CHECK(world.newest(2) == 0);
  });
}

TEST_CASE("a failed statement leaves the earlier ones") {
  in_fiber(6, [] {
    World world;
    const auto txn = world.begin();
    REQUIRE(world.add(*txn, 1, 1));
    REQUIRE(txn->begin_statement());
    world.write(*txn, 1, 1000);
    txn->end_statement(false);
    REQUIRE(txn->commit());
    CHECK(world.newest(1) == 1);
  });
}

TEST_CASE("one holder of a unique key at a time, and escalation keeps everybody out") {
  in_fiber(7, [] {
    World world;
    const auto first = world.begin();
    const auto second = world.begin();
    const ByteView key = as_bytes("k");
    REQUIRE(first->lock_keys(kKeys, std::span(&key, 1)));
    bool in = false;
    fiber::Task task = fiber::spawn({.name = "second"}, [&] {
      REQUIRE(second->lock_keys(kKeys, std::span(&key, 1)));
      in = true;
    });
    for (int i = 0; i < 10; ++i) fiber::yield();
    CHECK_FALSE(in);
    first->rollback();
    task.join();
    CHECK(in);
    second->rollback();

    const auto bulk = world.begin();
    std::vector<Egid> rows(LockingTransaction::kLocksPerTableMax + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i + 1;
    REQUIRE(bulk->begin_statement());
    REQUIRE(bulk->lock_relation(kTable, RelationLock::kRowExclusive, LockWait::kWait));
    REQUIRE(bulk->lock_rows(kTable, rows, RowLock::kUpdate, LockWait::kWait, nullptr));
    CHECK(world.manager.lock_counts().locks == 1);
    const auto other = world.begin();
    const Status refused =
        other->lock_relation(kTable, RelationLock::kRowExclusive, LockWait::kNoWait);
    REQUIRE_FALSE(refused);
    CHECK(sqlstate_of(refused.error()) == "55P03");
  });
}
