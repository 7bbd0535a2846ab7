// ddl_test.cpp — definitions are transactional, names unique, errors PostgreSQL's.
#include <doctest/doctest.h>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "tests/modules/catalog/catalog_fixture.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

template <class Body>
void in_world(Body body, std::uint64_t seed = 1) {
  fiber::SimRuntime runtime(seed);
  REQUIRE(runtime.run([&] {
    CatalogWorld world;
    world.start();
    body(world);
  }));
}

}  // namespace

TEST_CASE("a new server has the databases, roles and schemas that clients expect") {
  in_world([](CatalogWorld& world) {
    const CatalogViewRef view = world.view();
    std::string databases, schemas;
    for (const DatabaseInfo& database : view->databases()) databases += database.name + " ";
    for (const SchemaInfo& schema : view->schemas()) schemas += schema.name + " ";
    CHECK(databases == "template1 template0 postgres coppice ");
    CHECK(schemas == "pg_catalog pg_toast public information_schema coppice ");
    CHECK(view->find_schema("public")->oid == kPublicOid);
    CHECK(view->database().name == "coppice");
    CHECK(world.catalog.role("postgres").value().superuser);
    CHECK(outcome(world.catalog.role("nobody")) == "28000 role \"nobody\" does not exist");
    CHECK(outcome(world.catalog.connect("template0")) ==
          "55000 database \"template0\" is not currently accepting connections");
  });
}

TEST_CASE("starting twice makes nothing twice") {
  in_world([](CatalogWorld& world) {
    world.must_create(table_of("t", {column("a")}));
    const Hlc before = world.engine.snapshot()->read_at();
    REQUIRE(world.catalog.start());
    CHECK(world.engine.snapshot()->read_at() == before);
    catalog::StoredCatalog restarted(world.engine, world.txns, *world.registry,
                                     world.pg_catalog.relations());
    REQUIRE(restarted.start());
    const auto txn = world.begin();
    const CatalogViewRef view = restarted.view(*txn, world.ns).value();
    CHECK(view->find_table(kPublicOid, "t") != nullptr);
    const auto next = restarted.create_table(*txn, world.ns, table_of("u", {column("a")}));
    REQUIRE(next);
    CHECK(*next > view->find_table(kPublicOid, "t")->oid);
  });
}

TEST_CASE("CREATE TABLE: seen by its transaction at once, by others from the commit on") {
  in_world([](CatalogWorld& world) {
    NewTable wanted = table_of("t", {column("a"), column("b", type_oid::kVarchar, 14)});
    wanted.columns[1].default_sql = "'x'";
    wanted.indexes = {primary_key({"a"}), unique_constraint({"b", "a"}), index_on({"b"})};
    const auto txn = world.begin();
    const auto oid = world.catalog.create_table(*txn, world.ns, wanted);
    REQUIRE(oid);
    CHECK(*oid >= kFirstUserOid);
    const CatalogViewRef own = world.catalog.view(*txn, world.ns).value();
    REQUIRE(own->find_table(*oid) != nullptr);
    CHECK(world.view()->find_table(*oid) == nullptr);
    REQUIRE(txn->commit());

    const CatalogViewRef view = world.view();
    const TableInfoRef table = view->find_table(kPublicOid, "t");
    REQUIRE(table != nullptr);
    CHECK(table->oid == *oid);
    CHECK(table->storage == TableRef{world.ns, {*oid}});
    CHECK(table->schema_name == "public");
    CHECK(table->find_column("a")->not_null);  // of the primary key
    CHECK_FALSE(table->find_column("b")->not_null);
    CHECK(table->find_column("b")->default_sql == "'x'");
    CHECK(table->find_column("b")->modifier == 14);
    REQUIRE(table->indexes.size() == 3);
    CHECK(table->indexes[0]->name == "t_pkey");
    CHECK(table->indexes[1]->name == "t_b_a_key");
    CHECK(table->indexes[2]->name == "t_b_idx");
    CHECK(table->primary_key() == table->indexes[0].get());
    CHECK(view->find_index(kPublicOid, "t_b_idx")->table == *oid);

    const auto snapshot = world.engine.snapshot();
    const auto stored = world.engine.definition(*snapshot, table->storage);
    REQUIRE(stored);
    CHECK(stored->schema.columns.size() == 2);
    CHECK(stored->schema.columns[1].expected_bytes == 10);
    CHECK_FALSE(stored->schema.columns[0].nullable);
    const auto unique = world.engine.definition(*snapshot, table->indexes[1]->storage);
    REQUIRE(unique);
    CHECK(unique->kind == TableKind::kUnique);
    CHECK(unique->rows == table->storage);
    CHECK(world.engine.definition(*snapshot, table->indexes[2]->storage)->kind ==
          TableKind::kIndex);
  });
}

TEST_CASE("a transaction that is rolled back leaves no definition") {
  in_world([](CatalogWorld& world) {
    const std::uint64_t before = world.view()->version();
    const auto txn = world.begin();
    const auto oid = world.catalog.create_table(*txn, world.ns, table_of("t", {column("a")}));
    REQUIRE(oid);
    txn->savepoint("s");
    REQUIRE(world.catalog.drop_table(*txn, world.ns, *oid));
    CHECK(world.catalog.view(*txn, world.ns).value()->find_table(*oid) == nullptr);
    REQUIRE(txn->rollback_to_savepoint("s"));
    CHECK(world.catalog.view(*txn, world.ns).value()->find_table(*oid) != nullptr);
    txn->rollback();
    CHECK(world.view()->version() == before);  // the very same view
    CHECK_FALSE(world.engine.definition(*world.engine.snapshot(), {world.ns, {*oid}}));
  });
}

TEST_CASE("errors of DDL are PostgreSQL's") {
  in_world([](CatalogWorld& world) {
    const Oid t = world.must_create(table_of("t", {column("a"), column("j", 114)}));
    const auto create = [&](const NewTable& table) {
      const auto txn = world.begin();
      return outcome(world.catalog.create_table(*txn, world.ns, table));
    };
    CHECK(create(table_of("t", {column("a")})) == "42P07 relation \"t\" already exists");
    CHECK(create(table_of("u", {column("a"), column("b"), column("a")})) ==
          "42701 column \"a\" specified more than once");
    CHECK(create(table_of("u", {column("xmin")})) ==
          "42701 column name \"xmin\" conflicts with a system column name");
    CHECK(create(table_of("u", {column("a", 999)})) == "42704 type with OID 999 does not exist");
    CHECK(create(table_of("u", std::vector<NewColumn>(1601, column("a")))) ==
          "54011 tables can have at most 1600 columns");
    NewTable elsewhere = table_of("u", {column("a")});
    elsewhere.schema = 77;
    CHECK(create(elsewhere) == "3F000 schema \"77\" does not exist");
    elsewhere.schema = kPgCatalogOid;
    CHECK(create(elsewhere) == "42501 permission denied to create \"pg_catalog.u\"");
    NewTable keys = table_of("u", {column("a"), column("j", 114)});
    keys.indexes = {primary_key({"a"}), primary_key({"j"})};
    CHECK(create(keys) == "42P16 multiple primary keys for table \"u\" are not allowed");
    keys.indexes = {primary_key({"b"})};
    CHECK(create(keys) == "42703 column \"b\" named in key does not exist");
    keys.indexes = {unique_constraint({"a", "a"})};
    CHECK(create(keys) == "42701 column \"a\" appears twice in unique constraint");
    keys.indexes = {unique_constraint({"j"})};
    CHECK(create(keys) ==
          "42704 data type json has no default operator class for access method \"btree\"");

    const auto txn = world.begin();
    CHECK(outcome(world.catalog.create_index(*txn, world.ns, t, index_on({"zz"}),
                                             IndexState::kReadable)) ==
          "42703 column \"zz\" does not exist");
    CHECK(outcome(world.catalog.drop_table(*txn, world.ns, 4242)) ==
          "42P01 relation \"4242\" does not exist");
    CHECK(outcome(world.catalog.drop_table(*txn, world.ns, 1259)) ==
          "42501 permission denied: \"pg_class\" is a system catalog");
    CHECK(outcome(world.catalog.create_schema(*txn, world.ns, "public")) ==
          "42P06 schema \"public\" already exists");
    CHECK(outcome(world.catalog.create_schema(*txn, world.ns, "pg_mine")) ==
          "42939 unacceptable schema name \"pg_mine\"");
    CHECK(outcome(world.catalog.drop_schema(*txn, world.ns, kPublicOid)) ==
          "2BP01 cannot drop schema public because other objects depend on it");
    CHECK(outcome(world.catalog.drop_schema(*txn, world.ns, kPgCatalogOid)) ==
          "2BP01 cannot drop schema pg_catalog because it is required by the database system");
  });
}

TEST_CASE("indexes: named around those that exist, states, and dropping") {
  in_world([](CatalogWorld& world) {
    const Oid t = world.must_create(table_of("t", {column("a")}));
    world.must_create(table_of("t_a_idx1", {column("a")}));
    const auto txn = world.begin();
    const auto make = [&](const NewIndex& index) {
      return world.catalog.create_index(*txn, world.ns, t, index, IndexState::kWriteOnly)
          .value()
          ->name;
    };
    CHECK(make(index_on({"a"})) == "t_a_idx");
    CHECK(make(index_on({"a"})) == "t_a_idx2");
    CHECK(make(unique_constraint({"a"})) == "t_a_key");
    NewIndex named = index_on({"a"});
    named.name = "t";
    CHECK(outcome(world.catalog.create_index(*txn, world.ns, t, named, IndexState::kReadable)) ==
          "42P07 relation \"t\" already exists");
    REQUIRE(txn->commit());

    const auto index = world.view()->find_index(kPublicOid, "t_a_idx");
    CHECK(index->state == IndexState::kWriteOnly);
    const auto built = world.begin();
    REQUIRE(world.catalog.set_index_state(*built, world.ns, index->oid, IndexState::kReadable,
                                          Hlc{77}));
    REQUIRE(built->commit());
    CHECK(world.view()->find_index(index->oid)->state == IndexState::kReadable);
    CHECK(world.view()->find_index(index->oid)->valid_from == Hlc{77});

    const auto drop = world.begin();
    REQUIRE(world.catalog.drop_index(*drop, world.ns, index->oid));
    CHECK(outcome(world.catalog.drop_index(*drop, world.ns,
                                           world.view()->find_index(kPublicOid, "t_a_key")->oid)) ==
          "2BP01 cannot drop index t_a_key because constraint t_a_key on table t requires it");
    REQUIRE(drop->commit());
    CHECK(world.view()->find_index(index->oid) == nullptr);
    CHECK_FALSE(world.engine.definition(*world.engine.snapshot(), index->storage));
  });
}

TEST_CASE("TRUNCATE gives new storage to the table and its indexes, empty") {
  in_world([](CatalogWorld& world) {
    NewTable wanted = table_of("t", {column("a")});
    wanted.indexes = {primary_key({"a"})};
    const Oid t = world.must_create(wanted);
    const TableInfoRef before = world.view()->find_table(t);
    const auto txn = world.begin();
    REQUIRE(world.catalog.truncate_table(*txn, world.ns, t));
    REQUIRE(txn->commit());
    const TableInfoRef after = world.view()->find_table(t);
    CHECK(after->oid == before->oid);
    CHECK(after->storage != before->storage);
    CHECK(after->indexes[0]->storage != before->indexes[0]->storage);
    const auto snapshot = world.engine.snapshot();
    CHECK_FALSE(world.engine.definition(*snapshot, before->storage));
    CHECK_FALSE(world.engine.definition(*snapshot, before->indexes[0]->storage));
    CHECK(world.engine.definition(*snapshot, after->storage)->schema.columns.size() == 1);
    CHECK(world.engine.definition(*snapshot, after->indexes[0]->storage)->rows == after->storage);
  });
}

TEST_CASE("a write set built under an older definition is refused at commit") {
  in_world([](CatalogWorld& world) {
    const Oid t = world.must_create(table_of("t", {column("a")}));
    const TableInfoRef info = world.view()->find_table(t);
    const auto writer = world.begin();
    VectorBuffer values(PhysicalType::kInt32);
    values.append(Datum::integer(PhysicalType::kInt32, 1));
    RowBatch batch;
    batch.rows = 1;
    batch.selection = Selection::all(1);
    batch.columns.push_back(values.view());
    REQUIRE(writer->writes().insert(info->storage, batch));
    writer->writes().expect_epoch(info->storage, info->epoch);

    const auto ddl = world.begin();
    REQUIRE(world.catalog.create_index(*ddl, world.ns, t, index_on({"a"}), IndexState::kWriteOnly));
    REQUIRE(ddl->commit());
    CHECK(world.view()->find_table(t)->epoch == info->epoch + 1);
    const auto committed = writer->commit();
    REQUIRE_FALSE(committed);
    CHECK(committed.error().code() == Code::kConflict);
  });
}

TEST_CASE("of two creators of one name the second waits and gets 42P07") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    in_world(
        [](CatalogWorld& world) {
          std::vector<std::string> outcomes;
          fiber::TaskGroup group;
          for (int i = 0; i < 3; ++i) {
            group.spawn({.name = "creator"}, [&] {
              const auto txn = world.begin();
              const auto made =
                  world.catalog.create_table(*txn, world.ns, table_of("t", {column("a")}));
              outcomes.push_back(outcome(made));
              fiber::yield();
              if (made) REQUIRE(txn->commit());
            });
          }
          group.join();
          std::ranges::sort(outcomes);
          CHECK(outcomes == std::vector<std::string>{"42P07 relation \"t\" already exists",
                                                     "42P07 relation \"t\" already exists", "ok"});
          CHECK(world.view()->tables().size() == world.pg_catalog.relations().size() + 1);
        },
        seed);
  }
}

TEST_CASE("a name is free again when its creator rolls back") {
  in_world([](CatalogWorld& world) {
    auto first = world.begin();
    REQUIRE(world.catalog.create_table(*first, world.ns, table_of("t", {column("a")})));
    std::string second_outcome;
    fiber::Task second = fiber::spawn({.name = "second"}, [&] {
      const auto txn = world.begin();
      second_outcome =
          outcome(world.catalog.create_table(*txn, world.ns, table_of("t", {column("a")})));
    });
    for (int i = 0; i < 50; ++i) fiber::yield();
    CHECK(second_outcome.empty());  // it waits
    first->rollback();
    second.join();
    CHECK(second_outcome == "ok");
  });
}

TEST_CASE("schemas: created, used, and dropped when empty") {
  in_world([](CatalogWorld& world) {
    const auto txn = world.begin();
    const auto schema = world.catalog.create_schema(*txn, world.ns, "shop");
    REQUIRE(schema);
    NewTable table = table_of("t", {column("a")});
    table.schema = *schema;
    const auto t = world.catalog.create_table(*txn, world.ns, table);
    REQUIRE(t);
    CHECK(world.catalog.view(*txn, world.ns).value()->find_table(*t)->schema_name == "shop");
    const Status refused = world.catalog.drop_schema(*txn, world.ns, *schema);
    REQUIRE_FALSE(refused);
    CHECK(*refused.error().find_note(sql_field::kDetail) == "table shop.t depends on schema shop");
    REQUIRE(world.catalog.drop_table(*txn, world.ns, *t));
    REQUIRE(world.catalog.drop_schema(*txn, world.ns, *schema));
    REQUIRE(txn->commit());
    CHECK(world.view()->find_schema("shop") == nullptr);
  });
}

TEST_CASE("databases: created whole, refused while in use, dropped with their namespace") {
  in_world([](CatalogWorld& world) {
    REQUIRE(world.catalog.create_database("shop", "postgres"));
    CHECK(outcome(world.catalog.create_database("shop", "")) ==
          "42P04 database \"shop\" already exists");
    CHECK(outcome(world.catalog.create_database("x", "nobody")) ==
          "42704 role \"nobody\" does not exist");
    auto use = world.catalog.connect("shop").value();
    CHECK(use.info.ns.value == use.info.oid);
    const auto txn = world.begin();
    CHECK(world.catalog.view(*txn, use.info.ns).value()->find_schema("public") != nullptr);
    REQUIRE(world.catalog.create_table(*txn, use.info.ns, table_of("t", {column("a")})));
    REQUIRE(txn->commit());
    CHECK(world.view()->find_table(kPublicOid, "t") == nullptr);  // another database

    const Status busy = world.catalog.drop_database("shop");
    CHECK(outcome(busy) == "55006 database \"shop\" is being accessed by other users");
    CHECK(*busy.error().find_note(sql_field::kDetail) ==
          "There is 1 other session using the database.");
    use.hold.reset();
    REQUIRE(world.catalog.drop_database("shop"));
    CHECK(outcome(world.catalog.connect("shop")) == "3D000 database \"shop\" does not exist");
    CHECK(outcome(world.catalog.drop_database("shop")) == "3D000 database \"shop\" does not exist");
    CHECK(outcome(world.catalog.drop_database("template1")) ==
          "42809 cannot drop a template database");
    CHECK(world.engine.namespaces(*world.engine.snapshot()).size() == 5);
    const auto late = world.begin();
    CHECK(outcome(world.catalog.view(*late, use.info.ns)) ==
          "3D000 the current database was dropped");
  });
}
