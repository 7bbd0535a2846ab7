// names_test.cpp — type names, relation names, what ends a transaction.
#include <doctest/doctest.h>

#include "modules/planner/bind/relations.h"
#include "modules/planner/bind/type_names.h"
#include "tests/modules/planner/bind/bind_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

// The type that SELECT NULL::<name> names: "varchar/9", or the error.
std::string type_of(const std::string& name) {
  BindWorld world;
  const std::string text = "SELECT NULL::" + name;
  const auto parsed = planner::parse(text);
  REQUIRE(parsed);
  const auto& select = planner::ast::as<planner::ast::Select>(*parsed->statements[0].tree);
  const auto& cast = planner::ast::as<planner::ast::Cast>(*select.targets[0].value);
  const PlanContext plan = world.context();
  const planner::BindContext context(plan, *world.registry, text);
  const auto type = planner::resolve_type(context, *cast.type);
  if (!type) return error_text(type.error());
  return world.registry->find_type(type->oid)->info().name + "/" + std::to_string(type->modifier);
}

}  // namespace

TEST_CASE("a type name is found with its modifier") {
  CHECK(type_of("int") == "int4/-1");
  CHECK(type_of("pg_catalog.int8") == "int8/-1");
  CHECK(type_of("varchar(5)") == "varchar/9");
  CHECK(type_of("char") == "bpchar/5");
  CHECK(type_of("nowhere") == "42704 type \"nowhere\" does not exist @14");
  CHECK(type_of("a.nowhere") == "42704 type \"a.nowhere\" does not exist @14");
  CHECK(type_of("int4(5)") == "42601 type modifier is not allowed for type \"int4\" @14");
  CHECK(type_of("text(x)") == "42601 type modifiers must be simple constants or identifiers @14");
}

TEST_CASE("relations are found along the search path, pg_catalog first") {
  BindWorld world;
  world.catalog->add_table("t", {{.name = "a"}});
  const Oid system = world.catalog->add_table("t", {{.name = "b"}}, {}, kPgCatalogOid);
  const Oid other = world.catalog->add_table("u", {{.name = "b"}});
  const PlanContext plan = world.context();
  const planner::BindContext context(plan, *world.registry, "");
  planner::ast::RelationName name;
  name.name = "t";
  CHECK(planner::find_relation(context, name).value()->oid == system);
  name.name = "u";
  CHECK(planner::find_relation(context, name).value()->oid == other);
  name.schema = "pg_catalog";
  CHECK(planner::find_relation(context, name).value() == nullptr);
  name.database = "elsewhere";
  CHECK(error_text(planner::find_relation(context, name).error()) ==
        "0A000 cross-database references are not implemented: \"elsewhere.pg_catalog.u\"");
}

TEST_CASE("what ends a transaction is known without a plan") {
  BindWorld world;
  const auto script =
      world.planner.parse("ROLLBACK; SELECT 1; COMMIT; ROLLBACK TO s; BEGIN", world.budget);
  REQUIRE(script);
  REQUIRE((*script)->size() == 5);
  CHECK((*script)->text(1) == "SELECT 1");
  CHECK((*script)->ends_transaction(0));
  CHECK_FALSE((*script)->ends_transaction(1));
  CHECK((*script)->ends_transaction(2));
  CHECK((*script)->ends_transaction(3));
  CHECK_FALSE((*script)->ends_transaction(4));
}
