// bulk_test.cpp — large INSERTs: read without the grammar, with the values the binder would give.
#include <doctest/doctest.h>

#include "tests/modules/planner/bind/bind_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

struct InsertWorld : BindWorld {
  InsertWorld() {
    catalog->add_table("t", {{.name = "a", .type = type_oid::kInt8},
                             {.name = "b", .type = type_oid::kInt2},
                             {.name = "c", .type = type_oid::kBpchar, .modifier = 9},
                             {.name = "d", .type = type_oid::kText},
                             {.name = "e", .type = type_oid::kNumeric, .modifier = -1},
                             {.name = "f", .type = type_oid::kFloat8},
                             {.name = "g", .type = type_oid::kBool},
                             {.name = "h", .default_sql = "7"}});
  }

  std::string print(const Expression& value) const {
    if (value.value.null) return "null";
    FormattedColumn out;
    const SqlType& type = *registry->find_type(value.type);
    REQUIRE(type.format(WireForm::kText, Vector::constant(value.value.datum(), 1),
                        Selection::all(1), settings, out));
    return std::string(as_text(out.bytes));
  }
  std::string print(const Vector& values, TypeOid oid, std::uint32_t row) const {
    if (values.is_null(row)) return "null";
    FormattedColumn out;
    const Vector one = Vector::constant(values.datum_at(row), 1);
    REQUIRE(
        registry->find_type(oid)->format(WireForm::kText, one, Selection::all(1), settings, out));
    return std::string(as_text(out.bytes));
  }

  // All values of the INSERT's source, row by row; what it came from in `batches`.
  std::string values_of(const std::string& text, bool& batches) {
    const auto statement = plan(text);
    REQUIRE_MESSAGE(statement, (statement ? "" : error_text(statement.error())));
    const auto& query = *std::get<std::shared_ptr<const QueryPlan>>(statement->body);
    const PlanNode& values = *query.root->inputs.front();
    std::string printed;
    for (const auto& row : values.rows) {
      for (const ExpressionRef& value : row) printed += print(*value) + "|";
      printed += "\n";
    }
    for (const RowBatch& batch : values.batches) {
      REQUIRE(batch.columns.size() == values.types.size());
      for (std::uint32_t row = 0; row < batch.rows; ++row) {
        for (std::size_t i = 0; i < batch.columns.size(); ++i)
          printed += print(batch.columns[i], values.types[i], row) + "|";
        printed += "\n";
      }
    }
    batches = !values.batches.empty();
    return printed;
  }
};

// Longer than what is read by itself.
std::string tuples(std::string_view tuple, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::string(tuple);
  return text;
}

}  // namespace

TEST_CASE("tuples of a large INSERT have the values of a small one") {
  InsertWorld world;
  const std::string_view rows[] = {"(1, -2, 'x', 'it''s', 1.50, 2, true)",
                                   "(9223372036854775807, 0, '5', '7', 5, 1.5, 'f')",
                                   "(null, null, null, null, null, null, null)",
                                   "('12', '3', 'abcde', '', '1e3', 'NaN', false)"};
  for (const std::string_view row : rows) {
    bool batches = false;
    const std::string header = "INSERT INTO t (a, b, c, d, e, f, g) VALUES ";
    const std::string one = world.values_of(header + std::string(row), batches);
    CHECK_FALSE(batches);
    const std::string many = world.values_of(header + tuples(row, 1500), batches);
    CHECK(batches);
    std::string expected;
    for (int i = 0; i < 1500; ++i) expected += one;
    CHECK(many == expected);
  }
}

TEST_CASE("what is unusual in a large INSERT goes to the parser, with the error's place") {
  InsertWorld world;
  const auto insert = [](std::string_view last) {
    return "INSERT INTO t (a, b, d) VALUES " + tuples("(1, 2, 'some text')", 50) + ", " +
           std::string(last);
  };
  bool batches = false;
  CHECK_FALSE(world.values_of(insert("(1 + 1, 2, 'x')"), batches).empty());
  CHECK_FALSE(batches);
  CHECK_FALSE(world.values_of(insert("(DEFAULT, 2, 'x')"), batches).empty());
  CHECK_FALSE(batches);
  const auto error_of = [&](const std::string& text) {
    const auto statement = world.plan(text);
    REQUIRE_FALSE(statement);
    return error_text(statement.error());
  };
  const std::string bad = insert("(1, 'x', 'y')");
  CHECK(error_of(bad) == "22P02 invalid input syntax for type smallint: \"x\" @" +
                             std::to_string(bad.find("'x'") + 1));
  const std::string wrong = insert("(true, 2, 'y')");
  CHECK(error_of(wrong).starts_with(
      "42804 column \"a\" is of type bigint but expression is of type boolean @" +
      std::to_string(wrong.find("true") + 1)));
  CHECK(error_of("INSERT INTO nowhere VALUES " + tuples("(1, 2, 'some text')", 50)) ==
        "42P01 relation \"nowhere\" does not exist @13");
  CHECK(error_of(insert("(1, 2)")).starts_with("42601 VALUES lists must all be the same length"));
  CHECK(error_of(insert("(1, 2, 'x') nonsense")).starts_with("42601 syntax error at or near"));
}

TEST_CASE("RETURNING stays with a large INSERT") {
  InsertWorld world;
  const auto statement = world.plan("INSERT INTO t (a, d) VALUES " +
                                    tuples("(1, 'some text')", 50) + " RETURNING a, h");
  REQUIRE(statement);
  const auto& query = *std::get<std::shared_ptr<const QueryPlan>>(statement->body);
  CHECK(query.output.size() == 2);
  CHECK(query.root->inputs.front()->batches.size() == 1);
}
