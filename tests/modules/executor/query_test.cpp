// query_test.cpp — sorting, grouping, joins, subqueries and rows that are not stored.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "kernel/base/random.h"
#include "modules/executor/execution.h"
#include "tests/modules/executor/executor_fixture.h"

using namespace coppice;
using namespace coppice::testing;

using Kind = PlanNode::Kind;
using Expr = Expression::Kind;

namespace {

constexpr TypeOid kInt4 = type_oid::kInt4, kInt8 = type_oid::kInt8, kText = type_oid::kText,
                  kBool = type_oid::kBool, kFloat8 = type_oid::kFloat8;

NodeRef sorted(ExecutorWorld& w, NodeRef input, std::uint32_t by, KeyOrder order,
               ExpressionRef limit = nullptr) {
  NodeRef made = ExecutorWorld::node(Kind::kSort, input->types);
  made->sort_keys.push_back({w.column(by, input->types[by]), order});
  made->limit = std::move(limit);
  made->inputs.push_back(std::move(input));
  return made;
}

AggregateCall call(ExecutorWorld& w, const std::string& name, ExpressionRef argument,
                   bool distinct = false) {
  AggregateCall made;
  for (const SqlAggregate* const each : w.registry->aggregates(name)) {
    const bool fits = argument == nullptr
                          ? each->arguments.empty()
                          : each->arguments.size() == 1 && (each->arguments[0] == argument->type ||
                                                            each->arguments[0] == type_oid::kAny);
    if (fits) made.aggregate = each;
  }
  REQUIRE(made.aggregate != nullptr);
  if (argument != nullptr) made.arguments.push_back(std::move(argument));
  made.distinct = distinct;
  return made;
}

template <class... Calls>
NodeRef grouped(NodeRef input, std::vector<ExpressionRef> groups, Calls... calls) {
  NodeRef made = ExecutorWorld::node(Kind::kAggregate);
  made->groups = std::move(groups);
  (made->calls.push_back(std::move(calls)), ...);
  for (const ExpressionRef& each : made->groups) made->types.push_back(each->type);
  for (const AggregateCall& each : made->calls) made->types.push_back(each.aggregate->result);
  made->inputs.push_back(std::move(input));
  return made;
}

std::vector<ExpressionRef> list_of(ExpressionRef one) {
  std::vector<ExpressionRef> list;
  list.push_back(std::move(one));
  return list;
}

NodeRef join(Kind kind, JoinKind how, NodeRef left, NodeRef right) {
  NodeRef made = ExecutorWorld::node(kind, left->types);
  made->join = how;
  if (how != JoinKind::kSemi && how != JoinKind::kAnti)
    made->types.insert(made->types.end(), right->types.begin(), right->types.end());
  made->inputs = {std::move(left), std::move(right)};
  return made;
}

using Row = std::vector<std::optional<int>>;
using Rows = std::vector<Row>;

NodeRef nullable_values(ExecutorWorld& w, const Rows& rows) {
  NodeRef made = ExecutorWorld::node(Kind::kValues, std::vector<TypeOid>(2, kInt4));
  for (const Row& row : rows) {
    std::vector<ExpressionRef>& to = made->rows.emplace_back();
    for (const std::optional<int>& value : row)
      to.push_back(value ? w.int4(*value) : w.null(kInt4));
  }
  return made;
}

std::string text_of(const Row& row) {
  std::string text;
  for (const std::optional<int>& value : row)
    text += (text.empty() ? "" : ",") + (value ? std::to_string(*value) : std::string("-"));
  return text;
}

// The rows of an answer, sorted.
std::vector<std::string> bag(const std::string& answer) {
  std::vector<std::string> rows;
  std::size_t from = 0;
  while (from < answer.size()) {
    const std::size_t end = std::min(answer.find(';', from), answer.size());
    rows.push_back(answer.substr(from, end - from));
    from = end + 1;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// A join in its plainest form: on left[0] = right[0], and left[1] + right[1] even.
std::vector<std::string> joined(const Rows& left, const Rows& right, JoinKind how) {
  std::vector<std::string> rows;
  std::set<std::size_t> right_seen;
  for (const Row& l : left) {
    bool any = false;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const Row& r = right[i];
      if (!l[0] || !r[0] || *l[0] != *r[0]) continue;
      if (!l[1] || !r[1] || (*l[1] + *r[1]) % 2 != 0) continue;
      any = true;
      right_seen.insert(i);
      if (how != JoinKind::kSemi && how != JoinKind::kAnti)
        rows.push_back(text_of({l[0], l[1], r[0], r[1]}));
    }
    if (how == JoinKind::kSemi && any) rows.push_back(text_of(l));
    if (how == JoinKind::kAnti && !any) rows.push_back(text_of(l));
    const bool keeps = how == JoinKind::kLeft || how == JoinKind::kFull;
    if (keeps && !any) rows.push_back(text_of({l[0], l[1], {}, {}}));
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    const bool keeps = how == JoinKind::kRight || how == JoinKind::kFull;
    if (keeps && !right_seen.contains(i))
      rows.push_back(text_of({{}, {}, right[i][0], right[i][1]}));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

ExpressionRef even_sum(ExecutorWorld& w) {
  return w.op("=", w.op("%", w.op("+", w.column(1), w.column(3)), w.int4(2)), w.int4(0));
}

std::string sort_answer(const std::string& answer) {
  std::string text;
  for (const std::string& row : bag(answer)) text += (text.empty() ? "" : ";") + row;
  return text;
}

// Gives 0, 1, … below its argument, in batches of three.
class Counting final : public SetProducer {
 public:
  explicit Counting(std::int32_t end) : end_(end) {}
  Result<bool> next(std::span<VectorBuffer> out) override {
    for (int i = 0; i < 3 && at_ < end_; ++i) *out[0].append_values<std::int32_t>(1) = at_++;
    return at_ < end_;
  }

 private:
  std::int32_t at_ = 0, end_;
};

Result<std::unique_ptr<SetProducer>> count_up(CallContext&, std::span<const Datum> arguments) {
  return std::make_unique<Counting>(static_cast<std::int32_t>(arguments[0].as_int()));
}

}  // namespace

TEST_CASE("ORDER BY: orders, NULLs, ties in order of input, and the first N") {
  in_world([](ExecutorWorld& w) {
    const Rows rows = {{2, 1}, {{}, 2}, {1, 3}, {2, 4}, {-5, 5}};
    const auto by = [&](KeyOrder order) {
      return w.run(sorted(w, nullable_values(w, rows), 0, order));
    };
    CHECK(by(KeyOrder::ascending_nulls_last()) == "-5,5;1,3;2,1;2,4;-,2");
    CHECK(by(KeyOrder::descending_nulls_first()) == "-,2;2,1;2,4;1,3;-5,5");
    CHECK(by({.descending = false, .nulls_first = true}) == "-,2;-5,5;1,3;2,1;2,4");
    CHECK(w.run(sorted(w, nullable_values(w, rows), 0, {}, w.int8(2))) == "-5,5;1,3");
    CHECK(w.run(sorted(w, nullable_values(w, rows), 0, {}, w.int8(0))) == "");

    Rng rng(7);
    std::vector<std::vector<int>> many;
    for (int i = 0; i < 20'000; ++i) many.push_back({static_cast<int>(rng.below(5000)), i});
    const std::string all = w.run(sorted(w, w.values({kInt4, kInt4}, many), 0, {}));
    const std::string first = w.run(sorted(w, w.values({kInt4, kInt4}, many), 0, {}, w.int8(1500)));
    std::sort(many.begin(), many.end());  // the second number is the row's place
    std::string expected;
    for (int i = 0; i < 1500; ++i)
      expected += (i == 0 ? "" : ";") + std::to_string(many[static_cast<std::size_t>(i)][0]) + "," +
                  std::to_string(many[static_cast<std::size_t>(i)][1]);
    CHECK(first == expected);
    CHECK(all.starts_with(expected + ";"));
    CHECK(std::count(all.begin(), all.end(), ';') == 19'999);
  });
}

TEST_CASE("ORDER BY of long texts compares all of them") {
  in_world([](ExecutorWorld& w) {
    NodeRef rows = ExecutorWorld::node(Kind::kValues, {kText});
    for (const char* tail : {"b", "", "ab", "a"})
      rows->rows.emplace_back().push_back(w.text("a long common beginning " + std::string(tail)));
    CHECK(w.run(w.project(sorted(w, rows, 0, {}),
                          w.of(Expr::kTextCast, kText, w.column(0, kText)))) ==
          "a long common beginning ;a long common beginning a;a long common beginning ab;a long "
          "common beginning b");
  });
}

TEST_CASE("aggregates: without groups one row, with groups one each; NULLs group together") {
  in_world([](ExecutorWorld& w) {
    const Rows rows = {{1, 10}, {2, 20}, {1, {}}, {{}, 5}, {{}, 6}, {2, 20}};
    const auto all = [&] { return nullable_values(w, rows); };
    const auto none = [&] { return w.filter(all(), w.constant(kBool, "f")); };
    CHECK(w.run(grouped(all(), {}, call(w, "count", nullptr), call(w, "count", w.column(1)),
                        call(w, "sum", w.column(1)), call(w, "min", w.column(1)),
                        call(w, "max", w.column(1)))) == "6,5,61,5,20");
    CHECK(w.run(grouped(none(), {}, call(w, "count", nullptr), call(w, "sum", w.column(1)))) ==
          "0,-");
    CHECK(w.run(grouped(none(), list_of(w.column(0)), call(w, "count", nullptr))) == "");
    CHECK(w.run(grouped(all(), list_of(w.column(0)), call(w, "count", nullptr),
                        call(w, "sum", w.column(1)))) == "1,2,10;2,2,40;-,2,11");
    CHECK(w.run(grouped(all(), {}, call(w, "count", w.column(1), true),
                        call(w, "sum", w.column(1), true))) == "4,41");
    CHECK(w.run(grouped(all(), list_of(w.column(0)), call(w, "count", w.column(1), true))) ==
          "1,1;2,1;-,2");
    AggregateCall filtered = call(w, "count", nullptr);
    filtered.filter = w.op(">", w.column(1), w.int4(6));
    CHECK(w.run(grouped(all(), list_of(w.column(0)), std::move(filtered))) == "1,1;2,2;-,0");
    NodeRef zeros = ExecutorWorld::node(Kind::kValues, {kFloat8});
    zeros->rows.emplace_back().push_back(w.constant(kFloat8, "0"));
    zeros->rows.emplace_back().push_back(w.constant(kFloat8, "-0"));
    CHECK(w.run(grouped(zeros, list_of(w.column(0, kFloat8)), call(w, "count", nullptr))) == "0,2");
  });
}

TEST_CASE("many groups are as many as they are") {
  in_world([](ExecutorWorld& w) {
    Rng rng(3);
    std::vector<std::vector<int>> rows;
    std::map<int, std::pair<int, int>> expected;
    for (int i = 0; i < 20'000; ++i) {
      rows.push_back({static_cast<int>(rng.below(3000)), static_cast<int>(rng.below(100))});
      auto& [count, sum] = expected[rows.back()[0]];
      ++count;
      sum += rows.back()[1];
    }
    std::vector<std::string> lines;
    for (const auto& [group, figures] : expected)
      lines.push_back(std::to_string(group) + "," + std::to_string(figures.first) + "," +
                      std::to_string(figures.second));
    std::sort(lines.begin(), lines.end());
    CHECK(bag(w.run(grouped(w.values({kInt4, kInt4}, rows), list_of(w.column(0)),
                            call(w, "count", nullptr), call(w, "sum", w.column(1))))) == lines);
  });
}

TEST_CASE("DISTINCT gives each row once, NULLs equal") {
  in_world([](ExecutorWorld& w) {
    NodeRef made = ExecutorWorld::node(Kind::kDistinct, {kInt4, kInt4});
    made->inputs.push_back(nullable_values(w, {{1, 2}, {1, {}}, {1, 2}, {1, {}}, {2, 1}}));
    CHECK(w.run(made) == "1,2;1,-;2,1");
  });
}

TEST_CASE("all kinds of joins agree with the plainest one") {
  constexpr std::array kKinds = {JoinKind::kInner, JoinKind::kLeft, JoinKind::kRight,
                                 JoinKind::kFull,  JoinKind::kSemi, JoinKind::kAnti};
  in_world([&](ExecutorWorld& w) {
    Rng rng(11);
    for (const auto& [left_size, right_size, key_count] :
         {std::array{5, 7, 4}, std::array{0, 3, 2}, std::array{3, 0, 2}, std::array{40, 1500, 20},
          std::array{1500, 30, 20}, std::array{300, 300, 5}}) {
      const auto make = [&, keys = key_count](int size) {
        Rows rows;
        for (int i = 0; i < size; ++i) {
          const auto value = [&](int below) -> std::optional<int> {
            if (rng.chance(0.1)) return std::nullopt;
            return static_cast<int>(rng.below(static_cast<std::uint64_t>(below)));
          };
          rows.push_back({value(keys), value(10)});
        }
        return rows;
      };
      const Rows left = make(left_size), right = make(right_size);
      for (const JoinKind how : kKinds) {
        CAPTURE(static_cast<int>(how));
        CAPTURE(left_size);
        const auto expected = joined(left, right, how);
        NodeRef hashed =
            join(Kind::kHashJoin, how, nullable_values(w, left), nullable_values(w, right));
        hashed->left_keys.push_back(w.column(0));
        hashed->right_keys.push_back(w.column(0));
        hashed->filter = even_sum(w);
        CHECK(bag(w.run(hashed)) == expected);
        NodeRef looped =
            join(Kind::kNestedLoop, how, nullable_values(w, left), nullable_values(w, right));
        looped->filter = w.all_of(w.op("=", w.column(0), w.column(2)), even_sum(w));
        CHECK(bag(w.run(looped)) == expected);
      }
    }
  });
}

TEST_CASE("a hash join compares integers of different widths; a cross join has no condition") {
  in_world([](ExecutorWorld& w) {
    NodeRef made = join(Kind::kHashJoin, JoinKind::kInner, w.values({kInt4}, {{1}, {2}}),
                        w.values({kInt8}, {{2}, {3}}));
    made->left_keys.push_back(w.column(0));
    made->right_keys.push_back(w.column(0, kInt8));
    CHECK(w.run(made) == "2,2");
    CHECK(sort_answer(w.run(join(Kind::kNestedLoop, JoinKind::kInner, w.values({kInt4}, {{1}, {2}}),
                                 w.values({kInt4}, {{7}, {8}})))) == "1,7;1,8;2,7;2,8");
  });
}

TEST_CASE("subqueries without outer values run once") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a")});
    REQUIRE(w.run(w.insert(t, w.values({kInt4}, {{1}, {2}, {3}}))) == "");
    const auto of_plan = [&](Expr kind, TypeOid type, NodeRef plan) {
      ExpressionRef made = w.make(kind, type);
      made->subplan = std::move(plan);
      return made;
    };
    const auto scalar = [&](NodeRef plan) {
      return of_plan(Expr::kScalarSubquery, kInt4, std::move(plan));
    };
    const NodeRef outer = w.values({kInt4}, {{1}, {5}});
    CHECK(w.run(w.project(
              outer, scalar(w.scan(t, {1}, false, w.op("=", w.column(0), w.int4(2)))))) == "2;2");
    CHECK(w.stats.back().loops == 1);
    CHECK(w.select(scalar(w.scan(t, {1}, false, w.op("=", w.column(0), w.int4(9))))) == "-");
    CHECK(w.select(scalar(w.scan(t, {1}))) ==
          "! 21000 more than one row returned by a subquery used as an expression");
    CHECK(w.select(of_plan(Expr::kExists, kBool, w.scan(t, {1})),
                   of_plan(Expr::kExists, kBool,
                           w.scan(t, {1}, false, w.op("=", w.column(0), w.int4(9))))) == "t,f");
    const auto in = [&](ExpressionRef value, NodeRef plan) {
      ExpressionRef made = of_plan(Expr::kInSubquery, kBool, std::move(plan));
      made->arguments.push_back(std::move(value));
      return made;
    };
    CHECK(w.run(w.project(outer, in(w.column(0), w.scan(t, {1})))) == "t;f");
    const auto with_null = [&] { return nullable_values(w, {{1, 0}, {{}, 0}}); };
    CHECK(w.run(w.project(outer, in(w.column(0), with_null()))) == "t;-");
    const auto nothing = [&] { return w.scan(t, {1}, false, w.constant(kBool, "f")); };
    CHECK(w.select(in(w.null(kInt4), nothing()), in(w.null(kInt4), w.scan(t, {1}))) == "f,-");
  });
}

TEST_CASE("subqueries with outer values run for each row that asks") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b")});
    REQUIRE(w.run(w.insert(t, w.values({kInt4, kInt4}, {{1, 10}, {1, 11}, {2, 20}}))) == "");
    const auto of_row = [&](Expr kind, TypeOid type, NodeRef plan) {
      ExpressionRef made = w.make(kind, type);
      made->subplan = std::move(plan);
      made->outer.push_back(w.column(0));
      made->first_parameter = 0;
      return made;
    };
    const auto matching = [&](std::vector<std::int16_t> columns) {
      const auto at = static_cast<std::uint32_t>(
          std::find(columns.begin(), columns.end(), std::int16_t{1}) - columns.begin());
      return w.scan(t, std::move(columns), false, w.op("=", w.column(at), w.parameter(0)));
    };
    const NodeRef outer = w.values({kInt4}, {{1}, {2}, {3}});
    NodeRef sum = grouped(matching({2, 1}), {}, call(w, "sum", w.column(0)));
    CHECK(w.run(w.project(outer, w.column(0), of_row(Expr::kScalarSubquery, kInt8, sum))) ==
          "1,21;2,20;3,-");
    CHECK(w.run(w.filter(outer, of_row(Expr::kExists, kBool, matching({1})))) == "1;2");
    ExpressionRef in = of_row(Expr::kInSubquery, kBool, matching({2, 1}));
    in->arguments.push_back(w.int4(20));
    CHECK(w.run(w.filter(outer, std::move(in))) == "2");
    CHECK(w.run(w.project(outer, of_row(Expr::kScalarSubquery, kInt4, matching({2, 1})))) ==
          "! 21000 more than one row returned by a subquery used as an expression");
    // A subquery inside of one, which looks at the outermost row: not worked out only once.
    ExpressionRef inner = w.make(Expr::kScalarSubquery, kInt4);
    inner->subplan = w.project(w.values(), w.op("*", w.parameter(0), w.int4(100)));
    CHECK(w.run(w.project(outer, of_row(Expr::kScalarSubquery, kInt4,
                                        w.project(w.values(), std::move(inner))))) ==
          "100;200;300");
  });
}

TEST_CASE("UNION ALL, functions that return sets, computed relations") {
  in_world([](ExecutorWorld& w) {
    NodeRef both = ExecutorWorld::node(Kind::kAppend, {kInt4});
    both->inputs = {w.values({kInt4}, {{1}, {2}}),
                    w.filter(w.values({kInt4}, {{7}}), w.constant(kBool, "f")),
                    w.values({kInt4}, {{3}})};
    CHECK(w.run(both) == "1;2;3");

    SqlFunction counting;
    counting.oid = 1;
    counting.name = "count_up";
    counting.arguments = {kInt4};
    counting.result = kInt4;
    counting.set_kernel = &count_up;
    NodeRef rows = ExecutorWorld::node(Kind::kFunction, {kInt4});
    rows->function = &counting;
    rows->projections.push_back(w.int4(5));
    CHECK(w.run(rows) == "0;1;2;3;4");
    rows->projections[0] = w.null(kInt4);
    CHECK(w.run(rows) == "");

    const auto txn = w.begin();
    const auto relation =
        w.catalog.view(*txn, w.ns).value()->find_table(kPgCatalogOid, "pg_database");
    REQUIRE(relation != nullptr);
    NodeRef computed = ExecutorWorld::node(Kind::kComputed);
    ExecutorWorld::read_columns(*computed, relation, {relation->find_column("datname")->attribute},
                                false);
    const std::string answer = w.run_in(*txn, computed);
    CHECK(answer.find("template1") != std::string::npos);
    CHECK(answer.find("coppice") != std::string::npos);
  });
}

TEST_CASE("UPDATE and DELETE of a join change a row once") {
  in_world([](ExecutorWorld& w) {
    const auto t = w.create("t", {column("a"), column("b")});
    REQUIRE(w.run(w.insert(t, w.values({kInt4, kInt4}, {{1, 0}, {2, 0}}))) == "");
    const auto joined_rows = [&] {
      NodeRef made = join(Kind::kHashJoin, JoinKind::kInner, w.scan(t, {1, 2}, true),
                          w.values({kInt4, kInt4}, {{1, 5}, {1, 6}}));
      made->left_keys.push_back(w.column(0));
      made->right_keys.push_back(w.column(0));
      return made;
    };
    NodeRef update = w.update(t, 2, w.column(4));
    update->inputs[0] = joined_rows();
    CHECK(w.run(update) == "");
    CHECK(w.affected == 1);
    CHECK(w.run(w.scan(t, {1, 2})) == "1,5;2,0");
    NodeRef gone = w.erase(t);
    gone->inputs[0] = joined_rows();
    CHECK(w.run(gone) == "");
    CHECK(w.affected == 1);
    CHECK(w.run(w.scan(t, {1, 2})) == "2,0");
  });
}

TEST_CASE("whatever keeps rows asks the budget first") {
  in_world([](ExecutorWorld& w) {
    std::vector<std::vector<int>> rows;
    for (int i = 0; i < 30'000; ++i) rows.push_back({i});
    const auto t = w.create("t", {column("a")});
    REQUIRE(w.run(w.insert(t, w.values({kInt4}, rows))) == "");
    const auto many = [&] { return w.scan(t, {1}); };
    SmallBudget small(100'000);
    w.budget = &small;
    const std::string refused = "! 53200 out of memory";
    CHECK(w.run(sorted(w, many(), 0, {})) == refused);
    CHECK(w.run(grouped(many(), list_of(w.column(0)), call(w, "count", nullptr))) == refused);
    CHECK(w.run(grouped(many(), {}, call(w, "count", w.column(0), true))) == refused);
    NodeRef distinct = ExecutorWorld::node(Kind::kDistinct, {kInt4});
    distinct->inputs.push_back(many());
    CHECK(w.run(distinct) == refused);
    NodeRef hashed = join(Kind::kHashJoin, JoinKind::kInner, many(), many());
    hashed->left_keys.push_back(w.column(0));
    hashed->right_keys.push_back(w.column(0));
    CHECK(w.run(hashed) == refused);
    CHECK(w.run(join(Kind::kNestedLoop, JoinKind::kInner, many(), many())) == refused);
    ExpressionRef in = w.make(Expr::kInSubquery, kBool);
    in->subplan = many();
    in->arguments.push_back(w.int4(1));
    CHECK(w.select(std::move(in)) == refused);
    ExpressionRef items = w.of(Expr::kInList, kBool, w.int4(1));
    for (int i = 0; i < 10'000; ++i) items->arguments.push_back(w.int4(i));
    CHECK(w.select(std::move(items)) == refused);
    CHECK(small.live() == 0);
    SmallBudget enough(800'000);  // for the first few
    w.budget = &enough;
    CHECK(w.run(sorted(w, many(), 0, {}, w.int8(2))) == "0;1");
    CHECK(w.run(sorted(w, many(), 0, {})) == refused);
  });
}

TEST_CASE("plans as deep as allowed fit on a fiber's stack; deeper ones are 54001") {
  in_world([](ExecutorWorld& w) {
    const std::string refused = "! 54001 stack depth limit exceeded";
    using Wrap = std::function<NodeRef(NodeRef)>;
    const auto nested = [&](unsigned depth, const Wrap& wrap) {
      NodeRef node = w.values({kInt4}, {{1}});
      for (unsigned i = 0; i < depth; ++i) node = wrap(std::move(node));
      return w.run(node);
    };
    const std::vector<std::pair<std::string, Wrap>> kinds = {
        {"limit", [&](NodeRef node) { return w.limit(std::move(node), w.int8(1)); }},
        {"filter", [&](NodeRef node) { return w.filter(std::move(node), w.constant(kBool, "t")); }},
        {"project", [&](NodeRef node) { return w.project(std::move(node), w.column(0)); }},
        {"sort", [&](NodeRef node) { return sorted(w, std::move(node), 0, {}); }},
        {"group", [&](NodeRef node) { return grouped(std::move(node), list_of(w.column(0))); }},
        {"distinct",
         [&](NodeRef node) {
           NodeRef made = ExecutorWorld::node(Kind::kDistinct, {kInt4});
           made->inputs.push_back(std::move(node));
           return made;
         }},
        {"append",
         [&](NodeRef node) {
           NodeRef made = ExecutorWorld::node(Kind::kAppend, {kInt4});
           made->inputs.push_back(std::move(node));
           return made;
         }},
        {"hash join",
         [&](NodeRef node) {
           NodeRef made =
               join(Kind::kHashJoin, JoinKind::kSemi, w.values({kInt4}, {{1}}), std::move(node));
           made->left_keys.push_back(w.column(0));
           made->right_keys.push_back(w.column(0));
           return made;
         }},
        {"nested loop",
         [&](NodeRef node) {
           return join(Kind::kNestedLoop, JoinKind::kSemi, w.values({kInt4}, {{1}}),
                       std::move(node));
         }},
    };
    for (const auto& [name, wrap] : kinds) {
      CAPTURE(name);
      CHECK(nested(executor::kLevelsMax / executor::kOperatorLevels - 2, wrap) == "1");
      CHECK(nested(400, wrap) == refused);
    }
    constexpr int few = executor::kLevelsMax / 60;
    const auto subqueries = [&](int depth, bool aggregated) {
      ExpressionRef deep = w.int4(1);
      for (int i = 0; i < depth; ++i) {
        ExpressionRef next = w.make(Expr::kScalarSubquery, kInt4);
        deep = w.op("+", std::move(deep), w.int4(1));
        next->subplan = aggregated ? grouped(w.values(), {}, call(w, "max", std::move(deep)))
                                   : w.project(w.values(), std::move(deep));
        deep = std::move(next);
      }
      return w.select(std::move(deep));
    };
    CHECK(subqueries(few, false) == std::to_string(few + 1));
    CHECK(subqueries(few, true) == std::to_string(few + 1));
    CHECK(subqueries(60, false) == refused);
  });
}
