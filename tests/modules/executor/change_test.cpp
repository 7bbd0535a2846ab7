// change_test.cpp — scans and changes: constraints, index entries, locks, restarts.
#include <doctest/doctest.h>

#include "tests/modules/executor/executor_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

constexpr TypeOid kInt4 = type_oid::kInt4, kInt8 = type_oid::kInt8, kText = type_oid::kText;

// Keys of an index, as many as there are entries.
std::size_t entries_of(ExecutorWorld& w, const IndexInfo& index) {
  const auto txn = w.begin();
  const auto cursor =
      w.engine.index_scan(txn->view(), index.storage, {}, Direction::kForward).value();
  IndexCursor::Entries entries;
  std::size_t count = 0;
  while (cursor->next(entries).value()) count += entries.rows.size();
  return count;
}

std::string all(ExecutorWorld& w, const TableInfoRef& table) {
  std::vector<std::int16_t> columns;
  for (const ColumnInfo& each : table->columns) columns.push_back(each.attribute);
  return w.run(w.scan(table, columns));
}

}  // namespace

TEST_CASE("INSERT, SELECT with filter and limit") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b", kInt8)});
    CHECK(w.run(w.insert(t, w.values({kInt4, kInt8}, {{1, 10}, {2, 20}, {3, 30}}))) == "");
    CHECK(w.affected == 3);
    CHECK(all(w, t) == "1,10;2,20;3,30");
    CHECK(w.run(w.scan(t, {2}, true, w.op(">", w.column(0, kInt8), w.int8(10)))) == "20,2;30,3");
    CHECK(w.run(w.limit(w.scan(t, {1}), w.int8(1), w.int8(1))) == "2");
    CHECK(w.run(w.limit(w.scan(t, {1}), w.null(kInt8), w.int8(2))) == "3");
    CHECK(w.run(w.limit(w.scan(t, {1}), w.int8(0))) == "");
    CHECK(w.run(w.limit(w.scan(t, {1}), w.int8(-1))) == "! 2201W LIMIT must not be negative");
    CHECK(w.run(w.limit(w.scan(t, {1}), nullptr, w.int8(-1))) ==
          "! 2201X OFFSET must not be negative");
    CHECK(w.stats.size() == 2);
    CHECK(w.meter.used(Resource::kRowsRead) > 0);
  });
}

TEST_CASE("many rows go through in batches") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")}, {primary_key({"a"})});
    std::vector<std::vector<int>> rows;
    for (int i = 0; i < 3000; ++i) rows.push_back({i});
    REQUIRE(w.run(w.insert(t, w.values({kInt4}, rows))) == "");
    CHECK(w.affected == 3000);
    CHECK(w.run(w.limit(w.scan(t, {1}), w.int8(2), w.int8(2500))) == "2500;2501");
    CHECK(w.run(w.update(t, 1, w.op("+", w.column(0), w.int4(1)))) == "");  // keys move over
    CHECK(w.affected == 3000);
    CHECK(w.run(w.limit(w.scan(t, {1}), w.int8(1))) == "1");
    CHECK(entries_of(w, *t->indexes[0]) == 3000);
    CHECK(w.run(w.erase(t, w.op("<=", w.column(0), w.int4(2999)))) == "");
    CHECK(all(w, t) == "3000");
    CHECK(entries_of(w, *t->indexes[0]) == 1);
  });
}

TEST_CASE("NOT NULL is checked with PostgreSQL's message") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a", kInt4, true), column("b", kText)});
    NodeRef input = ExecutorWorld::node(PlanNode::Kind::kValues, {kInt4, kText});
    input->rows.emplace_back().push_back(w.null(kInt4));
    input->rows.back().push_back(w.text(std::string(70, 'x')));
    CHECK(w.run(w.insert(t, input)) ==
          "! 23502 null value in column \"a\" of relation \"t\" violates not-null constraint | "
          "Failing row contains (null, " +
              std::string(64, 'x') + "...).");
    input->rows[0][0] = w.int4(1);
    input->rows[0][1] = w.null(kText);
    CHECK(w.run(w.insert(t, input)) == "");
    CHECK(w.run(w.update(t, 1, w.null(kInt4))) ==
          "! 23502 null value in column \"a\" of relation \"t\" violates not-null constraint | "
          "Failing row contains (null, null).");
    CHECK(all(w, t) == "1,-");
  });
}

TEST_CASE(
    "unique indexes refuse what others hold, in the statement, the transaction, or committed") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b", kText)},
                            {primary_key({"a"}), index_on({"b", "a"}, true)});
    const auto row = [&](int a, ExpressionRef b) {
      NodeRef input = ExecutorWorld::node(PlanNode::Kind::kValues, {kInt4, kText});
      input->rows.emplace_back().push_back(w.int4(a));
      input->rows.back().push_back(std::move(b));
      return input;
    };
    const std::string refused =
        "! 23505 duplicate key value violates unique constraint \"t_pkey\" | Key (a)=(1) already "
        "exists.";
    CHECK(w.run(w.insert(t, row(1, w.text("x")))) == "");
    CHECK(w.run(w.insert(t, row(1, w.text("y")))) == refused);
    NodeRef twice = row(1, w.text("x"));
    twice->rows.emplace_back().push_back(w.int4(1));
    twice->rows.back().push_back(w.text("z"));
    CHECK(w.run(w.erase(t)) == "");
    CHECK(w.run(w.insert(t, twice)) == refused);
    {
      const auto txn = w.begin();
      CHECK(w.run_in(*txn, w.insert(t, row(1, w.text("x")))) == "");
      REQUIRE(txn->begin_statement());
      CHECK(w.run_in(*txn, w.insert(t, row(1, w.text("x")))) == refused);
    }
    // NULLs are distinct.
    CHECK(w.run(w.insert(t, row(2, w.null(kText)))) == "");
    CHECK(w.run(w.insert(t, row(3, w.null(kText)))) == "");
    CHECK(entries_of(w, *t->indexes[1]) == 2);
    CHECK(w.run(w.update(t, 1, w.int4(3), w.op("=", w.column(0), w.int4(2)))) ==
          "! 23505 duplicate key value violates unique constraint \"t_pkey\" | Key (a)=(3) "
          "already exists.");
    CHECK(w.run(w.update(t, 1, w.op("-", w.int4(5), w.column(0)))) == "");  // 2 and 3 swap
    CHECK(all(w, t) == "3,-;2,-");
  });
}

TEST_CASE("the first row that collides is the one that is named") {
  in_world([](ExecutorWorld& w) {
    const auto t =
        w.create("t", {column("a"), column("b")}, {index_on({"a"}, true), index_on({"b"}, true)});
    CHECK(w.run(w.insert(t, w.values({kInt4, kInt4}, {{1, 1}, {2, 2}}))) == "");
    CHECK(w.run(w.insert(t, w.values({kInt4, kInt4}, {{5, 5}, {6, 2}, {1, 7}}))) ==
          "! 23505 duplicate key value violates unique constraint \"t_b_idx\" | Key (b)=(2) "
          "already exists.");
  });
}

TEST_CASE("RETURNING sees the new rows of INSERT and UPDATE, the old ones of DELETE") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b")});
    CHECK(w.run(w.returning(w.insert(t, w.values({kInt4, kInt4}, {{1, 2}, {3, 4}})))) == "1,2;3,4");
    CHECK(w.run(w.returning(w.update(t, 2, w.op("+", w.column(0), w.column(1))))) == "1,3;3,7");
    CHECK(w.run(w.returning(w.erase(t, w.op("=", w.column(0), w.int4(3))))) == "3,7");
    CHECK(w.affected == 1);
    CHECK(all(w, t) == "1,3");
  });
}

TEST_CASE("INSERT from its own table does not meet its new rows") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")});
    CHECK(w.run(w.insert(t, w.values({kInt4}, {{1}, {2}}))) == "");
    CHECK(w.run(w.insert(t, w.project(w.scan(t, {1}), w.op("+", w.column(0), w.int4(10))))) == "");
    CHECK(all(w, t) == "1;2;11;12");
  });
}

TEST_CASE("a failing statement leaves nothing once its statement ends") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")}, {primary_key({"a"})});
    const auto txn = w.begin();
    CHECK(w.run_in(*txn, w.insert(t, w.values({kInt4}, {{1}, {2}}))) == "");
    txn->end_statement(true);
    REQUIRE(txn->begin_statement());
    CHECK(w.run_in(*txn, w.update(t, 1, w.int4(7))).starts_with("! 23505"));
    txn->end_statement(false);
    REQUIRE(txn->begin_statement());
    CHECK(w.run_in(*txn, w.scan(t, {1})) == "1;2");
    REQUIRE(txn->commit());
    CHECK(all(w, t) == "1;2");
    CHECK(entries_of(w, *t->indexes[0]) == 2);
  });
}

TEST_CASE("concurrent increments lose nothing: stale rows make the statement run again") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    in_world(
        [](ExecutorWorld& w) {
          const auto t = w.create("t", {column("a"), column("n")}, {primary_key({"a"})});
          REQUIRE(w.run(w.insert(t, w.values({kInt4, kInt4}, {{1, 0}, {2, 0}}))) == "");
          fiber::TaskGroup group;
          for (int i = 0; i < 6; ++i) {
            group.spawn({.name = "writer"}, [&w, &t] {
              for (int j = 0; j < 5; ++j)
                CHECK(w.run(w.update(t, 2, w.op("+", w.column(1), w.int4(1)))) == "");
            });
          }
          group.join();
          CHECK(all(w, t) == "1,30;2,30");
        },
        seed);
  }
}

TEST_CASE("of two that insert the same key one is refused, whoever commits first") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    in_world(
        [](ExecutorWorld& w) {
          const auto t = w.create("t", {column("a")}, {primary_key({"a"})});
          int made = 0, refused = 0;
          fiber::TaskGroup group;
          for (int i = 0; i < 4; ++i) {
            group.spawn({.name = "writer"}, [&] {
              const std::string answer = w.run(w.insert(t, w.values({kInt4}, {{7}})));
              (answer.empty() ? made : refused) += 1;
              if (!answer.empty()) CHECK(answer.starts_with("! 23505"));
            });
          }
          group.join();
          CHECK(made == 1);
          CHECK(refused == 3);
          CHECK(all(w, t) == "7");
        },
        seed);
  }
}

TEST_CASE("REPEATABLE READ answers 40001 where a later statement meets a change") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")});
    REQUIRE(w.run(w.insert(t, w.values({kInt4}, {{1}}))) == "");
    const auto txn = w.begin(Isolation::kRepeatableRead);
    CHECK(w.run_in(*txn, w.scan(t, {1})) == "1");
    REQUIRE(w.run(w.update(t, 1, w.int4(2))) == "");
    REQUIRE(txn->begin_statement());
    CHECK(w.run_in(*txn, w.update(t, 1, w.int4(3))).starts_with("! 40001"));
  });
}

TEST_CASE("insert_rows takes rows from outside") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b", kText)}, {primary_key({"a"})});
    VectorBuffer a(PhysicalType::kInt32), b(PhysicalType::kBytes);
    for (int i = 1; i <= 2; ++i) {
      a.append(Datum::integer(PhysicalType::kInt32, i));
      b.append_bytes(as_bytes("x"));
    }
    RowBatch batch;
    batch.rows = 2;
    batch.selection = Selection::all(2);
    batch.columns = {a.view(), b.view()};
    const auto txn = w.begin();
    const auto count = w.executor.insert_rows(t, batch, w.context(*txn));
    REQUIRE(count);
    CHECK(*count == 2);
    CHECK(said(w.executor.insert_rows(t, batch, w.context(*txn)).error()).starts_with("! 23505"));
    REQUIRE(txn->commit());
  });
}

TEST_CASE("what is kept is reserved first, and a cancelled statement ends") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")});
    std::vector<std::vector<int>> rows(5000, std::vector<int>{1});
    REQUIRE(w.run(w.insert(t, w.values({kInt4}, rows))) == "");
    SmallBudget small(100'000);
    w.budget = &small;
    CHECK(w.run(w.update(t, 1, w.int4(2))) == "! 53200 out of memory");
    CHECK(small.live() == 0);
    w.budget = &w.unlimited;
    fiber::CancelToken token;
    token.cancel(Code::kCancelled, "canceling statement due to user request");
    const fiber::CancelScope scope(&token);
    CHECK(w.run(w.update(t, 1, w.int4(2))) == "! 57014 canceling statement due to user request");
  });
}
