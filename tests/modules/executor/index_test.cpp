// index_test.cpp — reads by index conditions, in index order, by ids; counts and look-up joins.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/base/random.h"
#include "tests/modules/executor/executor_fixture.h"

using namespace coppice;
using namespace coppice::testing;

using Kind = PlanNode::Kind;

namespace {

constexpr TypeOid kInt4 = type_oid::kInt4, kInt8 = type_oid::kInt8, kText = type_oid::kText;

IndexCondition leaf(const TableInfoRef& table, std::size_t index) {
  IndexCondition made;
  made.index = table->indexes[index];
  return made;
}

IndexBound equal(ExpressionRef value) {
  IndexBound bound;
  bound.from = std::move(value);
  bound.equal = true;
  return bound;
}

IndexBound between(ExpressionRef from, ExpressionRef to, bool from_inclusive = true,
                   bool to_inclusive = true) {
  IndexBound bound;
  bound.from = std::move(from);
  bound.to = std::move(to);
  bound.from_inclusive = from_inclusive;
  bound.to_inclusive = to_inclusive;
  return bound;
}

NodeRef bitmap(const TableInfoRef& table, IndexCondition condition,
               std::vector<std::int16_t> columns) {
  NodeRef made = ExecutorWorld::node(Kind::kBitmapScan);
  ExecutorWorld::read_columns(*made, table, std::move(columns), false);
  made->condition = std::move(condition);
  return made;
}

template <class... Bounds>
IndexCondition on(const TableInfoRef& table, std::size_t index, Bounds... bounds) {
  IndexCondition made = leaf(table, index);
  (made.bounds.push_back(std::move(bounds)), ...);
  return made;
}

template <class... Children>
IndexCondition both(IndexCondition::Kind kind, Children... children) {
  IndexCondition made;
  made.kind = kind;
  (made.children.push_back(std::move(children)), ...);
  return made;
}

// Ten rows: a = 1 … 9 and NULL, b = a % 3, c = 'x<a>'.
TableInfoRef ten_rows(ExecutorWorld& w) {
  NewIndex descending;
  descending.columns = {{"b", KeyOrder::descending_nulls_first()},
                        {"a", KeyOrder::ascending_nulls_last()}};
  const auto t = w.create("t", {column("a"), column("b"), column("c", kText)},
                          {index_on({"a"}), descending, index_on({"c"}, true)});
  NodeRef rows = ExecutorWorld::node(Kind::kValues, {kInt4, kInt4, kText});
  for (int i = 1; i <= 10; ++i) {
    std::vector<ExpressionRef>& row = rows->rows.emplace_back();
    row.push_back(i < 10 ? w.int4(i) : w.null(kInt4));
    row.push_back(i < 10 ? w.int4(i % 3) : w.null(kInt4));
    row.push_back(w.text((i % 2 == 0 ? "even" : "odd") + std::to_string(i)));
  }
  REQUIRE(w.run(w.insert(t, rows)) == "");
  return t;
}

}  // namespace

TEST_CASE("bitmap scans: equality, ranges, NULL, lists, prefixes, AND and OR") {
  in_world([](ExecutorWorld& w) {
    const auto t = ten_rows(w);
    const auto read = [&](IndexCondition condition) {
      return w.run(bitmap(t, std::move(condition), {1}));
    };
    CHECK(read(on(t, 0, equal(w.int4(4)))) == "4");
    CHECK(read(on(t, 0, equal(w.null(kInt4)))) == "");
    CHECK(read(on(t, 0, between(w.int4(3), w.int4(5)))) == "3;4;5");
    CHECK(read(on(t, 0, between(w.int4(3), w.int4(5), false, false))) == "4");
    CHECK(read(on(t, 0, between(nullptr, w.int4(2)))) == "1;2");
    CHECK(read(on(t, 0, between(w.int4(8), nullptr, false))) == "9");
    CHECK(read(on(t, 0, between(w.null(kInt4), nullptr))) == "");
    IndexBound null;
    null.is_null = true;
    CHECK(read(on(t, 0, std::move(null))) == "-");
    IndexBound list;
    for (const int value : {7, 2, 7, 40}) list.in_list.push_back(w.int4(value));
    list.in_list.push_back(w.null(kInt4));
    CHECK(read(on(t, 0, std::move(list))) == "2;7");
    IndexBound prefix;
    prefix.prefix = true;
    prefix.from = w.text("ev");
    CHECK(read(on(t, 2, std::move(prefix))) == "2;4;6;8;-");
    // Two columns, the first descending.
    CHECK(read(on(t, 1, equal(w.int4(2)))) == "2;5;8");
    CHECK(read(on(t, 1, equal(w.int4(2)), between(w.int4(3), nullptr))) == "5;8");
    CHECK(read(on(t, 1, between(w.int4(1), nullptr))) == "1;2;4;5;7;8");
    using Tree = IndexCondition::Kind;
    CHECK(read(both(Tree::kAnd, on(t, 0, between(w.int4(2), w.int4(6))),
                    on(t, 1, equal(w.int4(2))))) == "2;5");
    CHECK(read(both(Tree::kOr, on(t, 0, equal(w.int4(1))), on(t, 1, equal(w.int4(0))))) ==
          "1;3;6;9");
    // Integers of another width, some beyond the column's.
    CHECK(read(on(t, 0, equal(w.int8(4)))) == "4");
    CHECK(read(on(t, 0, equal(w.int8(5'000'000'000)))) == "");
    CHECK(read(on(t, 0, between(w.int8(8), w.int8(5'000'000'000)))) == "8;9");
    CHECK(read(on(t, 0, between(w.int8(5'000'000'000), nullptr))) == "");
    CHECK(read(on(t, 0, between(w.int8(-5'000'000'000), w.int8(2)))) == "1;2");
    CHECK(read(on(t, 0, equal(w.text("x")))).starts_with("! XX000"));
    // The filter is applied on top.
    NodeRef filtered = bitmap(t, on(t, 0, between(w.int4(3), w.int4(5))), {1});
    filtered->filter = w.op("<>", w.column(0), w.int4(4));
    CHECK(w.run(filtered) == "3;5");
    const std::vector<Value> given = {Value(Datum::integer(PhysicalType::kInt32, 6))};
    CHECK(w.run(bitmap(t, on(t, 0, equal(w.parameter(0))), {1}), given) == "6");
  });
}

TEST_CASE("counts come from postings; a transaction's own rows count") {
  in_world([](ExecutorWorld& w) {
    const auto t = ten_rows(w);
    const auto count = [&](IndexCondition condition) {
      NodeRef made = ExecutorWorld::node(Kind::kCountOnly, {kInt8});
      made->table = t;
      made->condition = std::move(condition);
      return made;
    };
    CHECK(w.run(count(on(t, 1, equal(w.int4(2))))) == "3");
    CHECK(w.run(count(on(t, 0))) == "10");
    const auto txn = w.begin();
    NodeRef row = ExecutorWorld::node(Kind::kValues, {kInt4, kInt4, kText});
    row->rows.emplace_back().push_back(w.int4(20));
    row->rows.back().push_back(w.int4(2));
    row->rows.back().push_back(w.text("mine"));
    REQUIRE(w.run_in(*txn, w.insert(t, row)) == "");
    CHECK(w.run_in(*txn, count(on(t, 1, equal(w.int4(2))))) == "4");
    CHECK(w.run_in(*txn, bitmap(t, on(t, 1, equal(w.int4(2))), {1})) == "2;5;8;20");
    CHECK(w.run(count(on(t, 1, equal(w.int4(2))))) == "3");
  });
}

TEST_CASE("index order, both ways, stops when a LIMIT has enough") {
  in_world([](ExecutorWorld& w) {
    const auto t = ten_rows(w);
    const auto ordered = [&](std::size_t index, Direction direction, IndexCondition condition) {
      NodeRef made = bitmap(t, std::move(condition), {2, 1});
      made->kind = Kind::kIndexOrder;
      made->direction = direction;
      static_cast<void>(index);
      return made;
    };
    CHECK(w.run(ordered(1, Direction::kForward, on(t, 1))) ==
          "-,-;2,2;2,5;2,8;1,1;1,4;1,7;0,3;0,6;0,9");
    CHECK(w.run(ordered(1, Direction::kBackward, on(t, 1))) ==
          "0,9;0,6;0,3;1,7;1,4;1,1;2,8;2,5;2,2;-,-");
    IndexBound list;
    for (const int value : {0, 2}) list.in_list.push_back(w.int4(value));
    CHECK(w.run(ordered(1, Direction::kForward, on(t, 1, std::move(list)))) ==
          "2,2;2,5;2,8;0,3;0,6;0,9");
    NodeRef filtered = ordered(1, Direction::kForward, on(t, 1));
    filtered->filter = w.op("=", w.op("%", w.column(1), w.int4(2)), w.int4(0));
    CHECK(w.run(filtered) == "2,2;2,8;1,4;0,6");

    const auto big = w.create("big", {column("a")}, {index_on({"a"})});
    std::vector<std::vector<int>> rows;
    Rng rng(5);
    for (int i = 0; i < 5000; ++i) rows.push_back({static_cast<int>(rng.below(100'000))});
    REQUIRE(w.run(w.insert(big, w.values({kInt4}, rows))) == "");
    std::sort(rows.begin(), rows.end());
    NodeRef first = bitmap(big, on(big, 0), {1});
    first->kind = Kind::kIndexOrder;
    const std::uint64_t before = w.meter.used(Resource::kRowsRead);
    CHECK(w.run(w.limit(first, w.int8(2))) ==
          std::to_string(rows[0][0]) + ";" + std::to_string(rows[1][0]));
    CHECK(w.meter.used(Resource::kRowsRead) - before < 100);
    const std::string all = w.run(first);
    std::string expected;
    for (const auto& row : rows) expected += (expected.empty() ? "" : ";") + std::to_string(row[0]);
    CHECK(all == expected);
  });
}

TEST_CASE("rows by egid") {
  in_world([](ExecutorWorld& w) {
    const auto t = ten_rows(w);
    NodeRef made = ExecutorWorld::node(Kind::kEgidLookup);
    ExecutorWorld::read_columns(*made, t, {1}, true);
    std::vector<ExpressionRef>& ids = made->rows.emplace_back();
    for (const int id : {3, 1, 3, 77}) ids.push_back(w.int8(id));
    ids.push_back(w.null(kInt8));
    CHECK(w.run(made) == "1,1;3,3");
  });
}

TEST_CASE("look-up joins: unique and not, inner, left, semi and anti") {
  in_world([](ExecutorWorld& w) {
    const auto t = ten_rows(w);
    const auto look_up = [&](JoinKind how, NodeRef left, IndexCondition condition,
                             std::vector<std::int16_t> columns) {
      NodeRef made = ExecutorWorld::node(Kind::kLookupJoin);
      ExecutorWorld::read_columns(*made, t, std::move(columns), false);
      made->join = how;
      std::vector<TypeOid> types = left->types;
      if (how == JoinKind::kInner || how == JoinKind::kLeft)
        types.insert(types.end(), made->types.begin(), made->types.end());
      made->types = std::move(types);
      made->condition = std::move(condition);
      made->inputs.push_back(std::move(left));
      return made;
    };
    const auto left = [&] {
      NodeRef rows = w.values({kInt4}, {{2}, {7}, {2}, {0}});
      rows->rows.emplace_back().push_back(w.null(kInt4));
      return rows;
    };
    const auto by_b = [&] { return on(t, 1, equal(w.column(0))); };
    CHECK(w.run(look_up(JoinKind::kInner, left(), by_b(), {1})) ==
          "2,2;2,5;2,8;2,2;2,5;2,8;0,3;0,6;0,9");
    CHECK(w.run(look_up(JoinKind::kLeft, left(), by_b(), {1})) ==
          "2,2;2,5;2,8;2,2;2,5;2,8;0,3;0,6;0,9;7,-;-,-");
    CHECK(w.run(look_up(JoinKind::kSemi, left(), by_b(), {1})) == "2;2;0");
    CHECK(w.run(look_up(JoinKind::kAnti, left(), by_b(), {1})) == "7;-");
    NodeRef filtered = look_up(JoinKind::kLeft, left(), by_b(), {1});
    filtered->filter = w.op(">", w.column(1), w.int4(5));
    CHECK(w.run(filtered) == "2,8;2,8;0,6;0,9;7,-;-,-");
    NodeRef texts = ExecutorWorld::node(Kind::kValues, {kText});
    for (const char* text : {"odd3", "none", "even4"})
      texts->rows.emplace_back().push_back(w.text(text));
    CHECK(w.run(look_up(JoinKind::kInner, texts, on(t, 2, equal(w.column(0, kText))), {1})) ==
          "odd3,3;even4,4");
    CHECK(w.run(look_up(JoinKind::kLeft, texts, on(t, 2, equal(w.column(0, kText))), {1})) ==
          "odd3,3;even4,4;none,-");
  });
}

TEST_CASE("a look-up join of many rows agrees with a hash join") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b")}, {index_on({"a"})});
    Rng rng(9);
    std::vector<std::vector<int>> right, left;
    for (int i = 0; i < 4000; ++i) right.push_back({static_cast<int>(rng.below(300)), i});
    for (int i = 0; i < 1500; ++i) left.push_back({static_cast<int>(rng.below(400)), i});
    REQUIRE(w.run(w.insert(t, w.values({kInt4, kInt4}, right))) == "");
    NodeRef looked = ExecutorWorld::node(Kind::kLookupJoin);
    ExecutorWorld::read_columns(*looked, t, {1, 2}, false);
    looked->types = std::vector<TypeOid>(4, kInt4);
    looked->condition = on(t, 0, equal(w.column(0)));
    looked->inputs.push_back(w.values({kInt4, kInt4}, left));
    NodeRef hashed = ExecutorWorld::node(Kind::kHashJoin, std::vector<TypeOid>(4, kInt4));
    hashed->inputs = {w.values({kInt4, kInt4}, left), w.scan(t, {1, 2})};
    hashed->left_keys.push_back(w.column(0));
    hashed->right_keys.push_back(w.column(0));
    const std::string answer = w.run(looked);
    CHECK(answer.size() > 10'000);
    CHECK(answer == w.run(hashed));
  });
}
