// answers_test.cpp — what SQL functions and types ask about definitions, with the packs that ask.
#include <doctest/doctest.h>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "plugins/sql/catalog/catalog_pack.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/text/text_pack.h"
#include "tests/modules/catalog/catalog_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

std::unique_ptr<SqlRegistry> packs() {
  auto registry = std::make_unique<SqlRegistry>();
  const sql_core::CorePack core;
  const sql_text::TextPack text;
  const sql_catalog::CatalogPack catalog;
  const std::vector<const SqlPack*> all = {&core, &text, &catalog};
  for (const SqlPack* pack : all) pack->add_types(*registry);
  for (const SqlPack* pack : all) pack->add_functions(*registry);
  return registry;
}

// Puts questions to the catalog, as a session does.
class Asking final : public CallContext {
 public:
  Asking(const catalog::StoredCatalog& catalog, CatalogViewRef view, std::vector<std::string> path)
      : catalog_(catalog), view_(std::move(view)), path_(std::move(path)) {
    settings_.calls = this;
  }
  const SqlSettings& settings() const override { return settings_; }
  WallTime transaction_start() const override { return {}; }
  WallTime statement_start() const override { return {}; }
  WallTime clock_now() const override { return {}; }
  Rng& random() override { return random_; }
  const SqlRegistry* registry() const override { return &catalog_.registry(); }
  std::optional<std::string> ask(std::string_view question,
                                 std::span<const Datum> arguments) override {
    if (question == "pg_settings")  // one line, whose array is none
      return "a\tb\t\\N\tc\td\t\\N\tuser\tenum\tdefault\t\\N\t\\N\t{,x}\tb\tb\t\\N\t\\N\tf\n";
    return catalog_.answer(*view_, path_, question, arguments);
  }

  // The text of text::type, "SQLSTATE message" where that fails.
  std::string as(std::string_view type_name, std::string_view text) {
    const SqlType& type = *registry()->find_type(type_name);
    VectorBuffer value(type.info().physical);
    const Status read = type.parse(WireForm::kText, as_bytes(text), -1, settings_, value);
    if (!read) return std::string(sqlstate_of(read.error())) + " " + read.error().message();
    FormattedColumn out;
    REQUIRE(type.format(WireForm::kText, value.view(), Selection::all(1), settings_, out));
    return std::string(as_text(out.bytes));
  }
  Oid oid(std::string_view type_name, std::string_view text) {
    const SqlType& type = *registry()->find_type(type_name);
    VectorBuffer value(type.info().physical);
    REQUIRE(type.parse(WireForm::kText, as_bytes(text), -1, settings_, value));
    return static_cast<Oid>(value.view().int_at(0));
  }
  // function(numbers…)
  std::string call(FunctionOid function, std::vector<std::int64_t> numbers) {
    const SqlFunction& called = *registry()->find_function(function);
    std::vector<Vector> arguments;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const PhysicalType physical = registry()->find_type(called.arguments[i])->info().physical;
      arguments.push_back(Vector::constant(Datum::integer(physical, numbers[i]), 1));
    }
    const SqlType& type = *registry()->find_type(called.result);
    VectorBuffer out(type.info().physical);
    REQUIRE(called.kernel(*this, arguments, Selection::all(1), 1, out));
    FormattedColumn text;
    REQUIRE(type.format(WireForm::kText, out.view(), Selection::all(1), settings_, text));
    return text.ends.at(0) < 0 ? "NULL" : std::string(as_text(text.bytes));
  }

 private:
  const catalog::StoredCatalog& catalog_;
  CatalogViewRef view_;
  std::vector<std::string> path_;
  SqlSettings settings_;
  Rng random_{1};
};

template <class Body>
void in_world(Body body) {
  fiber::SimRuntime runtime(1);
  REQUIRE(runtime.run([&] {
    CatalogWorld world(packs());
    world.start();
    body(world);
  }));
}

constexpr FunctionOid kGetIndexdef = 1643, kGetIndexdefColumn = 2507, kGetConstraintdef = 1387,
                      kFormatType = 1081, kTableIsVisible = 2079, kGetUserbyid = 1642,
                      kFunctionArguments = 2162, kFunctionResult = 2165;

}  // namespace

TEST_CASE("relations, types, functions, schemas and roles have names and numbers") {
  in_world([](CatalogWorld& world) {
    const Oid table = world.must_create(table_of("Odd name", {column("a")}));
    Asking asking(world.catalog, world.view(), {"public"});
    CHECK(asking.oid("regclass", "\"Odd name\"") == table);
    CHECK(asking.as("regclass", std::to_string(table)) == "\"Odd name\"");
    CHECK(asking.as("regclass", "public.\"Odd name\"") == "\"Odd name\"");
    CHECK(asking.as("regclass", "PG_Class") == "pg_class");
    CHECK(asking.oid("regclass", "pg_catalog.pg_class") == 1259);
    CHECK(asking.as("regclass", "odd") == "42P01 relation \"odd\" does not exist");
    CHECK(asking.as("regclass", "99") == "99");
    Asking elsewhere(world.catalog, world.view(), {});
    CHECK(elsewhere.as("regclass", std::to_string(table)) == "public.\"Odd name\"");
    CHECK(elsewhere.as("regclass", "\"Odd name\"") ==
          "42P01 relation \"\"Odd name\"\" does not exist");

    CHECK(asking.as("regtype", "int4") == "integer");
    CHECK(asking.as("regtype", "character varying(20)") == "character varying");
    CHECK(asking.as("regtype", "pg_catalog.text[]") == "text[]");
    CHECK(asking.as("regtype", "\"char\"") == "\"char\"");
    CHECK(asking.oid("regtype", "char") == type_oid::kBpchar);
    CHECK(asking.as("regtype", "nope") == "42704 type \"nope\" does not exist");
    CHECK(asking.as("regproc", "pg_catalog.array_to_string") == "array_to_string");
    CHECK(asking.oid("regproc", "boolin") == 1242);
    CHECK(asking.as("regproc", "1242") == "boolin");
    CHECK(asking.as("regproc", "nope") == "42883 function \"nope\" does not exist");
    CHECK(asking.oid("regnamespace", "public") == kPublicOid);
    CHECK(asking.as("regnamespace", "11") == "pg_catalog");
    CHECK(asking.as("regrole", "10") == "coppice");
    CHECK(asking.as("regrole", "nope") == "42704 role \"nope\" does not exist");
  });
}

TEST_CASE("functions of psql are answered from the catalog") {
  in_world([](CatalogWorld& world) {
    NewTable table = table_of("t", {column("a"), column("B")});
    table.indexes.push_back(primary_key({"a"}));
    world.must_create(table);
    const CatalogViewRef view = world.view();
    const TableInfoRef info = view->find_table(kPublicOid, "t");
    const Oid index = info->indexes.front()->oid;
    Asking asking(world.catalog, view, {"public"});
    CHECK(asking.call(kGetIndexdef, {index}) ==
          "CREATE UNIQUE INDEX t_pkey ON public.t USING btree (a)");
    CHECK(asking.call(kGetIndexdefColumn, {index, 0, 1}) ==
          "CREATE UNIQUE INDEX t_pkey ON t USING btree (a)");
    CHECK(asking.call(kGetIndexdefColumn, {index, 1, 1}) == "a");
    CHECK(asking.call(kGetIndexdef, {99}) == "NULL");
    CHECK(asking.call(kGetConstraintdef, {index}) == "PRIMARY KEY (a)");
    CHECK(asking.call(kFormatType, {1043, 24}) == "character varying(20)");
    CHECK(asking.call(kFormatType, {1007, -1}) == "integer[]");
    CHECK(asking.call(kFormatType, {1015, 24}) == "character varying(20)[]");
    CHECK(asking.call(kTableIsVisible, {info->oid}) == "t");
    CHECK(asking.call(kTableIsVisible, {99}) == "NULL");
    CHECK(asking.call(kGetUserbyid, {10}) == "coppice");
    CHECK(asking.call(kFunctionArguments, {2507}) == "oid, integer, boolean");
    CHECK(asking.call(kFunctionResult, {2331}) == "SETOF anyelement");
    CHECK(Asking(world.catalog, view, {}).call(kTableIsVisible, {info->oid}) == "f");
  });
}

TEST_CASE("every value of pg_catalog can be printed by the type of its column") {
  in_world([](CatalogWorld& world) {
    NewTable table = table_of("t", {column("a"), column("b")});
    table.indexes.push_back(primary_key({"a", "b"}));
    world.must_create(table);
    const CatalogViewRef view = world.view();
    Asking asking(world.catalog, view, {"public"});
    std::size_t values = 0;
    for (const TableInfoRef& relation : world.pg_catalog.relations()) {
      const auto cursor = relation->computed->open(*view, &asking);
      RowBatch batch;
      for (;;) {
        const Result<bool> more = cursor->next(batch);
        REQUIRE(more);
        if (!*more) break;
        for (std::size_t i = 0; i < batch.columns.size(); ++i) {
          const SqlType* const type = world.registry->find_type(relation->columns[i].type);
          if (type == nullptr) continue;  // of a pack that is not here
          CAPTURE(relation->name);
          CAPTURE(relation->columns[i].name);
          REQUIRE(batch.columns[i].type() == type->info().physical);
          FormattedColumn out;
          const Status printed = type->format(WireForm::kText, batch.columns[i], batch.selection,
                                              asking.settings(), out);
          REQUIRE(printed);
          values += out.ends.size();
        }
      }
    }
    CHECK(values > 10'000);
  });
}
