// plan_test.cpp — texts to plans: the dumps of corpus/plan/*.txt.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "tests/modules/planner/bind/bind_fixture.h"
#include "tests/modules/planner/bind/plan_dump.h"
#include "tests/support/datadriven.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

// The tables that all texts are about; corpus/bind/tables.sql says the same to PostgreSQL.
void add_tables(FakeCatalog& catalog) {
  catalog.add_table("t",
                    {{.name = "id", .not_null = true},
                     {.name = "k", .default_sql = "'0'"},
                     {.name = "c", .type = type_oid::kBpchar, .modifier = 124},
                     {.name = "pad", .type = type_oid::kText}},
                    {{.columns = {"id"}, .primary = true}, {.columns = {"k"}}});
  catalog.add_table(
      "u",
      {{.name = "id", .type = type_oid::kInt8, .not_null = true},
       {.name = "tid"},
       {.name = "name", .type = type_oid::kVarchar, .modifier = 14},
       {.name = "v", .type = type_oid::kFloat8},
       {.name = "b", .type = type_oid::kBool}},
      {{.columns = {"id"}, .primary = true}, {.columns = {"tid", "v"}}, {.columns = {"name"}}});
  catalog.add_table("orders",
                    {{.name = "id", .type = type_oid::kInt8, .not_null = true},
                     {.name = "customer_id", .type = type_oid::kInt8},
                     {.name = "sku", .type = type_oid::kInt8},
                     {.name = "day"},
                     {.name = "amount", .type = type_oid::kInt8},
                     {.name = "note", .type = type_oid::kText}},
                    {{.columns = {"id"}, .primary = true},
                     {.columns = {"customer_id"}},
                     {.columns = {"sku"}},
                     {.columns = {"day"}},
                     {.columns = {"amount"}}});
}

std::string plan_text(const DataCase& item) {
  BindWorld world;
  add_tables(*world.catalog);
  // "plan int8 int8": declared parameter types.
  for (std::size_t at = item.command.find(' '); at != std::string::npos;) {
    const std::size_t end = item.command.find(' ', at + 1);
    const std::string name = item.command.substr(at + 1, end - at - 1);
    world.parameter_types.push_back(world.registry->find_type(name)->info().oid);
    at = end;
  }
  const auto statement = world.plan(item.input);
  if (!statement) return error_text(statement.error()) + "\n";
  const auto* const plan = std::get_if<std::shared_ptr<const QueryPlan>>(&statement->body);
  REQUIRE(plan != nullptr);
  return dump_plan(**plan, *world.registry);
}

}  // namespace

TEST_CASE("expressions are typed as PostgreSQL types them") {
  run_data_file("tests/modules/planner/corpus/plan/expressions.txt", plan_text);
}

TEST_CASE("queries become plans") {
  run_data_file("tests/modules/planner/corpus/plan/queries.txt", plan_text);
}

TEST_CASE("changes become plans") {
  run_data_file("tests/modules/planner/corpus/plan/changes.txt", plan_text);
}

TEST_CASE("subqueries become plans") {
  run_data_file("tests/modules/planner/corpus/plan/subqueries.txt", plan_text);
}

TEST_CASE("conditions find their indexes") {
  run_data_file("tests/modules/planner/corpus/plan/access.txt", plan_text);
}

TEST_CASE("errors are PostgreSQL's") {
  // corpus/bind/record.py wrote what PostgreSQL 15 says; differs.txt says where we may differ.
  std::ifstream golden("tests/modules/planner/corpus/bind/errors.golden");
  REQUIRE(golden.is_open());
  std::ifstream differs_file("tests/modules/planner/corpus/bind/differs.txt");
  REQUIRE(differs_file.is_open());
  std::string differs((std::istreambuf_iterator<char>(differs_file)), {});
  BindWorld world;
  add_tables(*world.catalog);
  std::string line, statement, expected;
  const auto check = [&] {
    if (statement.empty() || differs.find("\n" + statement + "\n") != std::string::npos) return;
    world.parameter_types.clear();
    const auto planned = world.plan(statement);
    const std::string got = planned ? "ok" : error_text(planned.error());
    CHECK_MESSAGE(got + "\n" == expected, statement, "\n  ours: ", got, "\n  theirs: ", expected);
  };
  while (std::getline(golden, line)) {
    if (line.starts_with("> ")) {
      check();
      statement = line.substr(2);
      expected.clear();
    } else {
      expected += line + "\n";
    }
  }
  check();
}
