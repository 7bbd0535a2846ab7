// explain_test.cpp — plans as text, in PostgreSQL's words.
#include <doctest/doctest.h>

#include "modules/planner/explain/explain.h"
#include "modules/planner/explain/expression_text.h"
#include "tests/modules/planner/bind/bind_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

using Kind = Expression::Kind;
using Node = PlanNode::Kind;

ExpressionRef column(std::uint32_t ordinal, TypeOid type = type_oid::kInt4) {
  auto made = std::make_unique<Expression>();
  made->kind = Kind::kColumn;
  made->type = type;
  made->ordinal = ordinal;
  return made;
}
ExpressionRef constant(TypeOid type, const Datum& value) {
  auto made = std::make_unique<Expression>();
  made->type = type;
  made->physical = value.type;
  made->value = Value(value);
  return made;
}
ExpressionRef number(std::int64_t value) {
  return constant(type_oid::kInt4, Datum::integer(PhysicalType::kInt32, value));
}
ExpressionRef text(std::string_view value) {
  return constant(type_oid::kText, Datum::of(as_bytes(value)));
}
template <class... Arguments>
ExpressionRef make(Kind kind, TypeOid type, Arguments... arguments) {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->type = type;
  (made->arguments.push_back(std::move(arguments)), ...);
  return made;
}
template <class... Arguments>
ExpressionRef call(const SqlRegistry& registry, FunctionOid function, Arguments... arguments) {
  auto made = make(Kind::kCall, 0, std::move(arguments)...);
  made->function = registry.find_function(function);
  made->type = made->function->result;
  return made;
}
constexpr FunctionOid kInt4Eq = 65, kInt4Pl = 177, kTextEq = 67, kInt8OfInt4 = 481, kInt4Um = 212;

struct Plans {
  BindWorld world;
  TableInfoRef table;

  Plans() {
    world.catalog->add_table("t", {{.name = "a"}, {.name = "B", .type = type_oid::kText}},
                             {{.columns = {"a"}, .unique = true, .primary = true}});
    table = world.catalog->find_table(kPublicOid, "t");
  }
  const SqlRegistry& registry() const { return *world.registry; }

  std::shared_ptr<PlanNode> scan(Node kind) const {
    auto node = std::make_shared<PlanNode>();
    node->kind = kind;
    node->types = {type_oid::kInt4, type_oid::kText};
    node->table = table;
    node->columns = {1, 2};
    node->rows_estimate = 12.4;
    node->cost_estimate = 34.567;
    return node;
  }
  ExpressionRef equals(std::int64_t value) const {
    return call(registry(), kInt4Eq, column(0), number(value));
  }
  static std::shared_ptr<PlanNode> over(Node kind, std::vector<PlanNodeRef> inputs) {
    auto node = std::make_shared<PlanNode>();
    node->kind = kind;
    node->inputs = std::move(inputs);
    return node;
  }
  std::string lines(PlanNodeRef root, ExplainStatement options = plain(),
                    std::vector<OperatorStats> stats = {}) const {
    QueryPlan plan;
    plan.root = std::move(root);
    std::string all;
    for (const std::string& line : planner::explain_plan(plan, options, stats, registry()))
      all += line + "\n";
    return all;
  }
  static ExplainStatement plain() {
    ExplainStatement options;
    options.costs = false;
    return options;
  }
  std::string print(const ExpressionRef& expression) const {
    return planner::ExpressionPrinter(registry()).print(*expression, {"a", "\"B\""});
  }
};

}  // namespace

TEST_CASE("expressions are printed as PostgreSQL prints them") {
  const Plans plans;
  const SqlRegistry& registry = plans.registry();
  CHECK(plans.print(plans.equals(1)) == "(a = 1)");
  CHECK(plans.print(plans.equals(-1)) == "(a = '-1'::integer)");
  CHECK(plans.print(call(registry, kInt4Pl, column(0), number(2))) == "(a + 2)");
  CHECK(plans.print(call(registry, kInt4Um, column(0))) == "(- a)");
  CHECK(plans.print(call(registry, kInt8OfInt4, column(0))) == "(a)::bigint");
  CHECK(plans.print(call(registry, kTextEq, column(1, type_oid::kVarchar), text("it's"))) ==
        "((\"B\")::text = 'it''s'::text)");
  CHECK(plans.print(make(Kind::kAnd, type_oid::kBool, plans.equals(1), plans.equals(2))) ==
        "((a = 1) AND (a = 2))");
  CHECK(plans.print(make(Kind::kNot, type_oid::kBool, plans.equals(1))) == "(NOT (a = 1))");
  CHECK(plans.print(make(Kind::kIsNull, type_oid::kBool, column(1))) == "(\"B\" IS NULL)");
  CHECK(plans.print(make(Kind::kInList, type_oid::kBool, column(0), number(1), number(2))) ==
        "(a = ANY ('{1,2}'::integer[]))");
  CHECK(plans.print(make(Kind::kInList, type_oid::kBool, column(0), column(0))) ==
        "(a = ANY (ARRAY[a]))");
  CHECK(plans.print(make(Kind::kCase, type_oid::kInt4, plans.equals(1), number(2), number(3))) ==
        "CASE WHEN (a = 1) THEN 2 ELSE 3 END");
  CHECK(plans.print(make(Kind::kCoalesce, type_oid::kInt4, column(0), number(0))) ==
        "COALESCE(a, 0)");
  CHECK(plans.print(constant(type_oid::kInt4, Datum::null_of(PhysicalType::kInt32))) ==
        "NULL::integer");
  CHECK(plans.print(constant(type_oid::kBool, Datum::integer(PhysicalType::kBool, 1))) == "true");
  CHECK(plans.print(constant(type_oid::kInt8, Datum::integer(PhysicalType::kInt64, 7))) ==
        "'7'::bigint");
  CHECK(planner::ExpressionPrinter(registry).condition(*column(0), {"a"}) == "a");
  CHECK(planner::ExpressionPrinter(registry).condition(
            *make(Kind::kCoalesce, type_oid::kBool, column(0)), {"a"}) == "(COALESCE(a))");
}

TEST_CASE("an expression that is too deep is cut, not followed") {
  const Plans plans;
  ExpressionRef deep = plans.equals(1);
  for (int i = 0; i < 5000; ++i) deep = make(Kind::kNot, type_oid::kBool, std::move(deep));
  CHECK(plans.print(deep).find("...") != std::string::npos);
  while (!deep->arguments.empty()) {  // taken apart level by level: a destructor would recurse
    ExpressionRef inner = std::move(deep->arguments[0]);
    deep = std::move(inner);
    if (deep->kind != Kind::kNot) break;
  }
}

TEST_CASE("scans and their conditions") {
  const Plans plans;
  const auto scan = plans.scan(Node::kScan);
  scan->filter = plans.equals(1);
  CHECK(plans.lines(scan) == "Seq Scan on t\n  Filter: (a = 1)\n");
  ExplainStatement costs;
  CHECK(plans.lines(scan, costs) ==
        "Seq Scan on t  (cost=0.00..34.57 rows=12 width=36)\n  Filter: (a = 1)\n");
  ExplainStatement verbose = Plans::plain();
  verbose.verbose = true;
  CHECK(plans.lines(scan, verbose) == "Seq Scan on public.t\n  Filter: (t.a = 1)\n");

  const auto order = plans.scan(Node::kIndexOrder);
  order->condition.index = plans.table->indexes.front();
  order->direction = Direction::kBackward;
  IndexBound range;
  range.from = number(1);
  range.to = number(9);
  range.to_inclusive = false;
  order->condition.bounds.push_back(std::move(range));
  const std::string index = plans.table->indexes.front()->name;
  CHECK(plans.lines(order) ==
        "Index Scan Backward using " + index + " on t\n  Index Cond: ((a >= 1) AND (a < 9))\n");

  const auto bitmap = plans.scan(Node::kBitmapScan);
  bitmap->condition.kind = IndexCondition::Kind::kOr;
  for (const int value : {1, 2}) {
    IndexCondition leaf;
    leaf.index = plans.table->indexes.front();
    IndexBound bound;
    bound.from = number(value);
    bound.equal = true;
    leaf.bounds.push_back(std::move(bound));
    bitmap->condition.children.push_back(std::move(leaf));
  }
  CHECK(plans.lines(bitmap) ==
        "Bitmap Heap Scan on t\n"
        "  ->  BitmapOr\n"
        "        ->  Bitmap Index Scan on " +
            index +
            "\n"
            "              Index Cond: (a = 1)\n"
            "        ->  Bitmap Index Scan on " +
            index +
            "\n"
            "              Index Cond: (a = 2)\n");
}

TEST_CASE("sort, limit, aggregate and projection are one above the other") {
  const Plans plans;
  const auto aggregate = Plans::over(Node::kAggregate, {plans.scan(Node::kScan)});
  aggregate->groups.push_back(column(1, type_oid::kText));
  AggregateCall count;
  count.aggregate = plans.registry().aggregates("count").front();
  aggregate->calls.push_back(std::move(count));
  const auto project = Plans::over(Node::kProject, {aggregate});
  project->projections.push_back(column(1));
  project->projections.push_back(column(0));
  const auto sort = Plans::over(Node::kSort, {project});
  SortKey key;
  key.value = column(1, type_oid::kText);
  key.order = KeyOrder::descending_nulls_first();
  sort->sort_keys.push_back(std::move(key));
  const auto limit = Plans::over(Node::kLimit, {sort});
  CHECK(plans.lines(limit) ==
        "Limit\n"
        "  ->  Sort\n"
        "        Sort Key: \"B\" DESC\n"
        "        ->  HashAggregate\n"
        "              Group Key: \"B\"\n"
        "              ->  Seq Scan on t\n");
}

TEST_CASE("joins name their columns by table") {
  const Plans plans;
  const auto join =
      Plans::over(Node::kHashJoin, {plans.scan(Node::kScan), plans.scan(Node::kScan)});
  join->join = JoinKind::kLeft;
  join->left_keys.push_back(column(0));
  join->right_keys.push_back(column(0));
  CHECK(plans.lines(join) ==
        "Hash Left Join\n"
        "  Hash Cond: (t.a = t.a)\n"
        "  ->  Seq Scan on t\n"
        "  ->  Hash\n"
        "        ->  Seq Scan on t\n");
}

TEST_CASE("ANALYZE shows what was measured") {
  const Plans plans;
  const auto scan = plans.scan(Node::kScan);
  ExplainStatement options;
  options.analyze = true;
  options.timing = false;
  OperatorStats stats;
  stats.node = scan.get();
  stats.rows = 7;
  stats.loops = 1;
  CHECK(plans.lines(scan, options, {stats}) ==
        "Seq Scan on t  (cost=0.00..34.57 rows=12 width=36) (actual rows=7 loops=1)\n");
  CHECK(plans.lines(scan, options) ==
        "Seq Scan on t  (cost=0.00..34.57 rows=12 width=36) (never executed)\n");
  options.timing = true;
  options.costs = false;
  CHECK(
      plans.lines(scan, options, {stats}).starts_with("Seq Scan on t  (actual time=0.000..0.000"));
}
