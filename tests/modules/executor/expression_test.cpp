// expression_test.cpp — expressions over batches: NULLs, laziness, equality, depth.
#include <doctest/doctest.h>

#include <algorithm>

#include "modules/executor/execution.h"
#include "tests/modules/executor/executor_fixture.h"

using namespace coppice;
using namespace coppice::testing;

using Kind = Expression::Kind;

namespace {

constexpr TypeOid kBool = type_oid::kBool, kInt4 = type_oid::kInt4, kInt8 = type_oid::kInt8,
                  kText = type_oid::kText, kFloat8 = type_oid::kFloat8;

// 1 / (column - value): fails where they are equal.
ExpressionRef fails_at(ExecutorWorld& w, int value) {
  return w.op("/", w.int4(1), w.op("-", w.column(0), w.int4(value)));
}

constexpr unsigned kDeepest = std::min(kExpressionDepthMax, executor::kLevelsMax - 20);

unsigned depth_of(const Expression& expression) {
  unsigned deepest = 0;
  for (const ExpressionRef& argument : expression.arguments)
    deepest = std::max(deepest, depth_of(*argument));
  return deepest + 1;
}

}  // namespace

TEST_CASE("calls: strict functions give NULL for NULL, and fail as the packs say") {
  in_world([](ExecutorWorld& w) {
    CHECK(w.select(w.op("+", w.int4(2), w.int4(3))) == "5");
    CHECK(w.select(w.op("+", w.int4(2), w.null(kInt4))) == "-");
    CHECK(w.select(w.op("/", w.int4(2), w.int4(0))) == "! 22012 division by zero");
    const NodeRef rows = w.values({kInt4}, {{1}, {2}, {3}});
    CHECK(w.run(w.project(rows, w.op("*", w.column(0), w.column(0)))) == "1;4;9");
    NodeRef gaps = w.values({kInt4}, {{1}, {2}});
    gaps->rows.emplace_back().push_back(w.null(kInt4));
    CHECK(w.run(w.project(gaps, w.op("+", w.column(0), w.int4(1)),
                          w.op("=", w.column(0), w.int4(2)))) == "2,f;3,t;-,-");
    CHECK(w.run(w.filter(gaps, w.op("<>", w.column(0), w.int4(2)))) == "1");
  });
}

TEST_CASE("parameters are constants of the run") {
  in_world([](ExecutorWorld& w) {
    const std::vector<Value> given = {Value(Datum::integer(PhysicalType::kInt32, 7)), Value()};
    CHECK(w.run(w.project(w.values(), w.op("+", w.parameter(0), w.int4(1)), w.parameter(1)),
                given) == "8,-");
    CHECK(w.run(w.project(w.values(), w.parameter(5))) == "-");
  });
}

TEST_CASE("AND and OR are three-valued and leave out what they need not look at") {
  in_world([](ExecutorWorld& w) {
    const auto truth = [&](int value) {  // 0, 1, else NULL
      return value > 1 ? w.null(kBool) : w.constant(kBool, value == 1 ? "t" : "f");
    };
    std::string ands, ors;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        ands += w.select(w.all_of(truth(a), truth(b)));
        ors += w.select(w.any_of(truth(a), truth(b)));
      }
    }
    CHECK(ands == "fffft-f--");
    CHECK(ors == "ft-ttt-t-");
    CHECK(w.select(w.of(Kind::kNot, kBool, truth(0)), w.of(Kind::kNot, kBool, truth(2))) == "t,-");

    const NodeRef rows = w.values({kInt4}, {{1}, {2}, {3}});
    // Row 2 must never be divided by zero.
    const auto guarded = [&] {
      return w.all_of(w.op("<>", w.column(0), w.int4(2)), w.op(">=", fails_at(w, 2), w.int4(0)));
    };
    CHECK(w.run(w.filter(rows, guarded())) == "3");
    CHECK(w.run(w.project(rows, guarded())) == "f;f;t");
    CHECK(w.run(w.project(rows, w.any_of(w.op("=", w.column(0), w.int4(2)),
                                         w.op(">=", fails_at(w, 2), w.int4(0))))) == "f;t;t");
    CHECK(w.run(w.filter(rows, w.op(">=", fails_at(w, 2), w.int4(0)))) ==
          "! 22012 division by zero");
  });
}

TEST_CASE("CASE and COALESCE evaluate only what a row needs") {
  in_world([](ExecutorWorld& w) {
    const NodeRef rows = w.values({kInt4}, {{1}, {2}, {3}});
    CHECK(w.run(w.project(rows, w.of(Kind::kCase, kInt4, w.op("=", w.column(0), w.int4(2)),
                                     w.int4(0), fails_at(w, 2)))) == "-1;0;1");
    CHECK(w.run(w.project(rows,
                          w.of(Kind::kCase, kText, w.op("=", w.column(0), w.int4(1)), w.text("one"),
                               w.op("=", w.column(0), w.int4(2)), w.text("two")))) == "one;two;-");
    NodeRef gaps = w.values({kInt4}, {{1}});
    gaps->rows.emplace_back().push_back(w.null(kInt4));
    CHECK(w.run(w.project(gaps, w.of(Kind::kCoalesce, kInt4, w.column(0), w.int4(9)))) == "1;9");
    CHECK(w.run(w.project(gaps, w.of(Kind::kIsNull, kBool, w.column(0)),
                          w.of(Kind::kIsNotNull, kBool, w.column(0)))) == "f,t;t,f");
    CHECK(w.select(w.of(Kind::kCoalesce, kText, w.null(kText), w.null(kText))) == "-");
    // 1 is never looked at beyond its own value.
    CHECK(w.select(w.of(Kind::kCoalesce, kInt4, w.int4(1), w.op("/", w.int4(1), w.int4(0)))) ==
          "1");
  });
}

TEST_CASE("IN and IS DISTINCT FROM follow the type's equality") {
  in_world([](ExecutorWorld& w) {
    NodeRef rows = w.values({kInt4}, {{1}, {2}, {3}});
    rows->rows.emplace_back().push_back(w.null(kInt4));
    CHECK(w.run(w.project(rows, w.of(Kind::kInList, kBool, w.column(0), w.int4(3), w.int4(1)))) ==
          "t;f;t;-");
    CHECK(w.run(w.project(rows, w.of(Kind::kInList, kBool, w.column(0), w.int4(3),
                                     w.null(kInt4)))) == "-;-;t;-");
    // Items that are no constants: 2 IN (x + 1, 2 * x)
    CHECK(w.run(w.project(rows,
                          w.of(Kind::kInList, kBool, w.int4(2), w.op("+", w.column(0), w.int4(1)),
                               w.op("*", w.column(0), w.int4(2))))) == "t;f;f;-");
    const auto zero = [&] { return w.constant(kFloat8, "0"); };
    const auto minus_zero = [&] { return w.constant(kFloat8, "-0"); };
    CHECK(w.select(w.of(Kind::kInList, kBool, zero(), minus_zero())) == "t");
    CHECK(w.select(w.of(Kind::kDistinct, kBool, zero(), minus_zero())) == "f");
    CHECK(w.select(w.of(Kind::kDistinct, kBool, w.text("a"), w.text("b")),
                   w.of(Kind::kDistinct, kBool, w.null(kText), w.text("b")),
                   w.of(Kind::kDistinct, kBool, w.null(kText), w.null(kText))) == "t,t,f");
    const std::vector<Value> given = {Value(Datum::integer(PhysicalType::kInt32, 2))};
    CHECK(w.run(w.project(rows, w.of(Kind::kInList, kBool, w.column(0), w.parameter(0))), given) ==
          "f;t;f;-");
  });
}

TEST_CASE("= ANY looks into arrays, NULLs and all") {
  in_world([](ExecutorWorld& w) {
    constexpr TypeOid kInt4Array = 1007, kTextArray = 1009;
    NodeRef rows = w.values({kInt4}, {{1}, {2}, {3}});
    rows->rows.emplace_back().push_back(w.null(kInt4));
    const auto any = [&](std::string_view array) {
      return w.run(w.project(rows, w.of(Kind::kArrayAny, kBool, w.column(0),
                                        w.constant(kInt4Array, std::string(array)))));
    };
    CHECK(any("{1,3}") == "t;f;t;-");
    CHECK(any("{}") == "f;f;f;-");
    CHECK(any("{3,NULL}") == "-;-;t;-");
    CHECK(any("{{1,2},{2,2}}") == "t;t;f;-");
    std::string many = "{0";
    for (int i = 3; i < 3000; ++i) many += "," + std::to_string(i);
    CHECK(any(many + "}") == "f;f;t;-");
    CHECK(w.run(w.project(rows, w.of(Kind::kArrayAny, kBool, w.column(0), w.null(kInt4Array)))) ==
          "-;-;-;-");
    CHECK(w.select(w.of(Kind::kArrayAny, kBool, w.text("b"), w.constant(kTextArray, "{a,b}"))) ==
          "t");
    CHECK(w.select(w.of(Kind::kArrayAny, kBool, w.text("b"), w.int4(1))).starts_with("! XX000"));
    // Another array in each row.
    NodeRef pairs = w.values({kInt4}, {{1}, {2}});
    const auto array_of = [&](int row, const char* text) {
      pairs->rows[static_cast<std::size_t>(row)].push_back(w.constant(kInt4Array, text));
    };
    array_of(0, "{2}");
    array_of(1, "{2}");
    pairs->types.push_back(kInt4Array);
    pairs->rows.emplace_back().push_back(w.int4(5));
    array_of(2, "{4,5}");
    CHECK(w.run(w.project(pairs, w.of(Kind::kArrayAny, kBool, w.column(0),
                                      w.column(1, kInt4Array)))) == "f;t;t");
  });
}

TEST_CASE("text casts write with one type and read with the other") {
  in_world([](ExecutorWorld& w) {
    const NodeRef rows = w.values({kInt4}, {{1}, {20}});
    CHECK(w.run(w.project(rows, w.of(Kind::kTextCast, kText, w.column(0)))) == "1;20");
    CHECK(w.select(w.of(Kind::kTextCast, kInt8, w.text(" 12 "))) == "12");
    CHECK(w.select(w.of(Kind::kTextCast, kInt8, w.null(kText))) == "-");
    CHECK(w.select(w.of(Kind::kTextCast, kInt4, w.text("x"))) ==
          "! 22P02 invalid input syntax for type integer: \"x\"");
    ExpressionRef cut = w.of(Kind::kTextCast, type_oid::kVarchar, w.text("abcdef"));
    cut->modifier = 4 + 3;
    CHECK(w.select(std::move(cut)) == "! 22001 value too long for type character varying(3)");
  });
}

TEST_CASE("an expression as deep as allowed fits on a fiber's stack; a deeper one is 54001") {
  in_world([](ExecutorWorld& w) {
    const auto sum_of = [&](unsigned depth) {
      ExpressionRef sum = w.column(0);
      for (unsigned i = 1; i < depth; ++i) sum = w.op("+", std::move(sum), w.int4(1));
      return sum;
    };
    const NodeRef rows = w.values({kInt4}, {{1}, {2}});
    CHECK(w.run(w.project(rows, sum_of(kDeepest))) ==
          std::to_string(kDeepest) + ";" + std::to_string(kDeepest + 1));
    CHECK(w.run(w.project(rows, sum_of(2 * kExpressionDepthMax))) ==
          "! 54001 stack depth limit exceeded");
    // The kinds whose evaluators call others, each as deep as allowed.
    ExpressionRef logic = w.op("=", w.column(0), w.int4(1));
    ExpressionRef choice = w.column(0);
    while (depth_of(*logic) + 3 <= kDeepest) {
      logic = w.of(Kind::kNot, kBool, std::move(logic));
      logic = w.any_of(w.op("=", w.column(0), w.int4(9)), std::move(logic));
      logic = w.all_of(w.op("<", w.column(0), w.int4(9)), std::move(logic));
    }
    while (depth_of(*choice) + 2 <= kDeepest) {
      choice =
          w.of(Kind::kCase, kInt4, w.op("=", w.column(0), w.int4(9)), w.int4(9), std::move(choice));
      choice = w.of(Kind::kCoalesce, kInt4, w.null(kInt4), std::move(choice));
    }
    // Each NOT turns it round.
    const bool turned = (depth_of(*logic) / 3) % 2 != 0;
    const std::string truth = turned ? "f" : "t", other = turned ? "t" : "f";
    CHECK(w.run(w.project(rows, logic->clone(), std::move(choice))) ==
          truth + ",1;" + other + ",2");
    CHECK(w.run(w.filter(rows, std::move(logic))) == (turned ? "2" : "1"));
  });
}

TEST_CASE("plans that do not fit together are refused, not run") {
  in_world([](ExecutorWorld& w) {
    const NodeRef rows = w.values({kInt4}, {{1}});
    CHECK(w.run(w.project(rows, w.column(3))).starts_with("! XX000"));
    CHECK(w.run(w.project(rows, w.column(0, kText))).starts_with("! XX000"));
    ExpressionRef wrong = w.op("+", w.int4(1), w.int4(1));
    wrong->arguments[1] = w.int8(1);
    CHECK(w.select(std::move(wrong)).starts_with("! XX000"));
  });
}

TEST_CASE("evaluate() gives one value") {
  in_world([](ExecutorWorld& w) {
    ExecuteContext context;
    context.calls = &w.calls;
    context.budget = w.budget;
    const auto value = w.executor.evaluate(*w.op("+", w.int4(40), w.int4(2)), context);
    REQUIRE(value);
    CHECK(value->datum().as_int() == 42);
  });
}
