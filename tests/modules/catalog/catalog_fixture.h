// catalog_fixture.h — a catalog on the model engine, with a registry of four types.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/pg_catalog/pg_catalog.h"
#include "modules/catalog/stored_catalog.h"
#include "modules/txn/manager.h"
#include "tests/support/mem_engine.h"
#include "tests/support/unlimited_budget.h"

namespace coppice::testing {

// Knows what it is called and made of; no test of the catalog reads or writes values.
class NamedType final : public SqlType {
 public:
  explicit NamedType(Info info) : SqlType(std::move(info)) {}
  Status parse(WireForm, ByteView, std::int32_t, const SqlSettings&, VectorBuffer&) const override {
    return fail(Code::kUnsupported, "a type for tests");
  }
  Status format(WireForm, const Vector&, const Selection&, const SqlSettings&,
                FormattedColumn&) const override {
    return fail(Code::kUnsupported, "a type for tests");
  }
  void write_key(const Vector&, std::uint32_t, KeyOrder, KeyWriter&) const override {}
  std::string describe(std::int32_t modifier) const override {
    if (info().oid != type_oid::kVarchar || modifier < 0) return info().display_name;
    return info().display_name + "(" + std::to_string(modifier - 4) + ")";
  }
};

inline std::unique_ptr<SqlRegistry> make_registry() {
  auto registry = std::make_unique<SqlRegistry>();
  const auto add = [&](TypeOid oid, const char* name, const char* display, PhysicalType physical,
                       std::int16_t size, char category, TypeOid array, bool ordered) {
    registry->add(std::make_unique<NamedType>(SqlType::Info{.oid = oid,
                                                            .name = name,
                                                            .display_name = display,
                                                            .physical = physical,
                                                            .size = size,
                                                            .category = category,
                                                            .array = array,
                                                            .ordered = ordered}));
  };
  add(type_oid::kInt4, "int4", "integer", PhysicalType::kInt32, 4, 'N', 1007, true);
  add(type_oid::kVarchar, "varchar", "character varying", PhysicalType::kBytes, -1, 'S', 1015,
      true);
  add(type_oid::kOid, "oid", "oid", PhysicalType::kInt64, 4, 'N', 1028, true);
  add(114, "json", "json", PhysicalType::kBytes, -1, 'U', 199, false);
  return registry;
}

struct CatalogWorld {
  MemEngine engine;
  UnlimitedBudget budget;
  txn::LockingTxnManager txns{engine};
  std::unique_ptr<SqlRegistry> registry;
  catalog::PgCatalog pg_catalog{*registry};
  catalog::StoredCatalog catalog{engine, txns, *registry, pg_catalog.relations()};
  NamespaceId ns;

  CatalogWorld() : CatalogWorld(make_registry()) {}
  explicit CatalogWorld(std::unique_ptr<SqlRegistry> types) : registry(std::move(types)) {}

  // Everything below runs on a fiber.
  void start() {
    REQUIRE(catalog.start());
    ns = catalog.database("coppice").value().ns;
  }
  std::unique_ptr<Transaction> begin() {
    auto txn = txns.begin({}, budget);
    REQUIRE(txn->begin_statement());
    return txn;
  }
  // As a transaction that begins now sees the database.
  CatalogViewRef view() {
    const auto txn = begin();
    return catalog.view(*txn, ns).value();
  }
  Oid must_create(const NewTable& table) {
    const auto txn = begin();
    const auto oid = catalog.create_table(*txn, ns, table);
    REQUIRE_MESSAGE(oid, (oid ? std::string() : oid.error().to_string()));
    REQUIRE(txn->commit());
    return *oid;
  }
};

inline NewColumn column(std::string name, TypeOid type = type_oid::kInt4,
                        std::int32_t modifier = -1) {
  return {.name = std::move(name),
          .type = type,
          .modifier = modifier,
          .not_null = false,
          .default_sql = {}};
}

inline NewTable table_of(std::string name, std::vector<NewColumn> columns) {
  return {
      .schema = kPublicOid, .name = std::move(name), .columns = std::move(columns), .indexes = {}};
}

inline NewIndex index_on(std::vector<std::string> columns) {
  NewIndex index;
  for (std::string& name : columns) index.columns.emplace_back(std::move(name), KeyOrder());
  return index;
}

inline NewIndex primary_key(std::vector<std::string> columns) {
  NewIndex index = index_on(std::move(columns));
  index.unique = index.primary = index.constraint = true;
  return index;
}

inline NewIndex unique_constraint(std::vector<std::string> columns) {
  NewIndex index = index_on(std::move(columns));
  index.unique = index.constraint = true;
  return index;
}

// "42P07 relation "t" already exists"; "ok" where there is no error.
template <class T>
std::string outcome(const Result<T>& result) {
  if (result) return "ok";
  return std::string(sqlstate_of(result.error())) + " " + result.error().message();
}

}  // namespace coppice::testing
