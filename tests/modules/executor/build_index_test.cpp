// build_index_test.cpp — CREATE INDEX: alone, beside writers, inside a transaction, refused.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/base/random.h"
#include "modules/executor/changes/index_builder.h"
#include "tests/modules/executor/executor_fixture.h"
#include "tests/support/seeds.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

constexpr TypeOid kInt4 = type_oid::kInt4;
constexpr std::size_t kFewRows = 8;  // a step, so that there are many

Status build(ExecutorWorld& w, const TableInfoRef& table, const NewIndex& definition) {
  ExecuteContext context;
  context.calls = &w.calls;
  context.meter = &w.meter;
  context.budget = w.budget;
  return executor::IndexBuilder(w.engine, w.txns, w.catalog, context, w.ns, table->oid, kFewRows)
      .build(definition);
}

std::string row_text(std::int64_t a, Egid row) {
  return std::to_string(a) + "@" + std::to_string(row) + " ";
}

// The index's entries and what they have to be, by keys of one int4.
std::pair<std::string, std::string> compare(ExecutorWorld& w, const TableInfoRef& table,
                                            const IndexInfo& index) {
  const auto txn = w.begin();
  const auto cursor =
      w.engine.index_scan(txn->view(), index.storage, {}, Direction::kForward).value();
  std::vector<std::pair<std::int64_t, Egid>> rows;
  IndexCursor::Entries entries;
  std::string held, wanted;
  while (cursor->next(entries).value()) {
    for (std::size_t i = 0; i < entries.rows.size(); ++i) {
      KeyReader reader(entries.keys[i]);
      const auto a = reader.int32({});
      held += row_text(a.value_or(-1), entries.rows[i]);
    }
  }
  const ScanOptions options{.columns = {table->columns[0].storage}, .with_egids = true};
  const auto scan = w.engine.scan(txn->view(), table->storage, options).value();
  RowBatch batch;
  while (scan->next(batch).value()) {
    for (std::uint32_t row = 0; row < batch.rows; ++row)
      rows.emplace_back(batch.columns[0].int_at(row), static_cast<Egid>(batch.egids.int_at(row)));
  }
  std::sort(rows.begin(), rows.end());
  for (const auto& [a, row] : rows) wanted += row_text(a, row);
  return {held, wanted};
}

// A statement as a session runs it: locks, looks the table up, tries again when told to.
template <class Plan>
std::string statement(ExecutorWorld& w, const TableInfoRef& table, Plan plan) {
  for (;;) {
    const auto txn = w.begin();
    if (!txn->lock_relation(table->storage, RelationLock::kRowExclusive, LockWait::kWait))
      return "! lock";
    REQUIRE(txn->begin_statement());
    const auto now = w.catalog.view(*txn, w.ns).value()->find_table(table->oid);
    std::string answer = w.run_in(*txn, plan(now));
    if (!answer.starts_with("!")) {
      txn->end_statement(true);
      const auto committed = txn->commit();
      if (committed) return answer;
      answer = said(committed.error());
    }
    if (!answer.starts_with("! 40")) return answer;
  }
}

TableInfoRef filled(ExecutorWorld& w, int rows) {
  const auto t = w.create("t", {column("a"), column("b")});
  std::vector<std::vector<int>> values;
  for (int i = 0; i < rows; ++i) values.push_back({i, 0});
  REQUIRE(w.run(w.insert(t, w.values({kInt4, kInt4}, values))) == "");
  return t;
}

}  // namespace

TEST_CASE("an index over rows that are there holds them all and is readable from then on") {
  in_world([](ExecutorWorld& w) {
    filled(w, 100);
    const Hlc before = w.engine.snapshot()->read_at();
    const auto old = w.find("t");
    REQUIRE(build(w, old, index_on({"a"})));
    const auto t = w.find("t");
    REQUIRE(t->indexes.size() == 1);
    CHECK(t->indexes[0]->name == "t_a_idx");
    CHECK(t->indexes[0]->state == IndexState::kReadable);
    CHECK(t->indexes[0]->valid_from > before);
    CHECK(t->indexes[0]->valid_from <= w.engine.snapshot()->read_at());
    const auto [held, wanted] = compare(w, t, *t->indexes[0]);
    CHECK(held == wanted);
    CHECK(std::count(held.begin(), held.end(), '@') == 100);
    const auto empty = w.create("u", {column("a")});
    REQUIRE(build(w, empty, index_on({"a"}, true)));
    CHECK(w.find("u")->indexes[0]->state == IndexState::kReadable);
  });
}

TEST_CASE("a unique index over rows that are not is refused and leaves nothing") {
  in_world([](ExecutorWorld& w) {
    const auto t = filled(w, 40);
    REQUIRE(w.run(w.update(t, 1, w.int4(3), w.op("=", w.column(0), w.int4(33)))) == "");
    const auto refused = build(w, t, index_on({"a"}, true));
    REQUIRE(!refused);
    CHECK(said(refused.error()) ==
          "! 23505 could not create unique index \"t_a_idx\" | Key (a)=(3) is duplicated.");
    CHECK(w.find("t")->indexes.empty());
    REQUIRE(w.run(w.update(w.find("t"), 1, w.int4(1000), w.op("=", w.column(0), w.int4(3)))) == "");
    const auto again = build(w, t, index_on({"a"}, true));
    CHECK(said(again.error()).ends_with("Key (a)=(1000) is duplicated."));
    CHECK(w.find("t")->indexes.empty());
  });
}

TEST_CASE("a cancelled build leaves no index") {
  in_world([](ExecutorWorld& w) {
    const auto t = filled(w, 100);
    fiber::CancelToken token;
    Status built;
    fiber::TaskGroup group;
    group.spawn({.name = "builder", .cancel = &token}, [&] {
      token.set_deadline(fiber::clock().now());
      built = build(w, t, index_on({"a"}));
    });
    group.join();
    CHECK(!built);
    CHECK(w.find("t")->indexes.empty());
  });
}

TEST_CASE("writers run while an index is built, and it holds what they left") {
  int while_building = 0;
  for (std::uint64_t seed = 1; seed <= seed_count(20); ++seed) {
    CAPTURE(seed);
    in_world(
        [&](ExecutorWorld& w) {
          const auto t = filled(w, 60);
          Rng rng(seed);
          fiber::TaskGroup group;
          Status built;
          bool done = false;
          group.spawn({.name = "builder"}, [&] {
            built = build(w, t, index_on({"a"}));
            done = true;
          });
          for (int writer = 0; writer < 3; ++writer) {
            group.spawn({.name = "writer"}, [&] {
              for (int i = 0; i < 12; ++i) {
                const int at = static_cast<int>(rng.below(90));
                const int what = static_cast<int>(rng.below(4));
                const std::string answer =
                    statement(w, t, [&](const TableInfoRef& now) -> PlanNodeRef {
                      if (what == 0) return w.insert(now, w.values({kInt4, kInt4}, {{at, 1}}));
                      auto where = w.op("=", w.column(0), w.int4(at));
                      if (what == 1) return w.erase(now, std::move(where));
                      const std::int16_t assigned = what == 2 ? 1 : 2;
                      return w.update(now, assigned, w.op("+", w.column(0), w.int4(7)),
                                      std::move(where));
                    });
                CHECK(answer == "");
                while_building += done ? 0 : 1;
                fiber::yield();
              }
            });
          }
          group.join();
          REQUIRE_MESSAGE(built, (built ? std::string() : built.error().to_string()));
          const auto now = w.find("t");
          const auto [held, wanted] = compare(w, now, *now->indexes[0]);
          CHECK(held == wanted);
        },
        seed);
  }
  CHECK(while_building > 0);
}

TEST_CASE("inside a transaction: its own rows count, others wait, a rollback takes it away") {
  in_world([](ExecutorWorld& w) {
    filled(w, 20);
    {
      const auto txn = w.begin();
      const auto t = w.find("t");
      CHECK(w.run_in(*txn, w.insert(t, w.values({kInt4, kInt4}, {{77, 0}}))) == "");
      txn->end_statement(true);
      REQUIRE(txn->begin_statement());
      REQUIRE(w.executor.build_index(w.ns, t->oid, index_on({"a"}, true), w.context(*txn)));
      txn->end_statement(true);
      REQUIRE(txn->begin_statement());
      const auto now = w.catalog.view(*txn, w.ns).value()->find_table(t->oid);
      REQUIRE(now->indexes.size() == 1);
      CHECK(w.run_in(*txn, w.insert(now, w.values({kInt4, kInt4}, {{77, 1}}))) ==
            "! 23505 duplicate key value violates unique constraint \"t_a_idx\" | Key (a)=(77) "
            "already exists.");
      txn->end_statement(false);
      REQUIRE(txn->commit());
    }
    const auto t = w.find("t");
    const auto [held, wanted] = compare(w, t, *t->indexes[0]);
    CHECK(held == wanted);
    CHECK(std::count(held.begin(), held.end(), '@') == 21);
    {
      const auto txn = w.begin();
      REQUIRE(w.executor.build_index(w.ns, t->oid, index_on({"b"}), w.context(*txn)));
      txn->rollback();
    }
    CHECK(w.find("t")->indexes.size() == 1);
    const auto txn = w.begin();
    const auto refused =
        w.executor.build_index(w.ns, t->oid, index_on({"b"}, true), w.context(*txn));
    CHECK(said(refused.error()) ==
          "! 23505 could not create unique index \"t_b_idx\" | Key (b)=(0) is duplicated.");
  });
}
