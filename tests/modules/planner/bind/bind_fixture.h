// bind_fixture.h — a planner on the real packs, over definitions that a test writes down.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "interfaces/types/sql_error.h"
#include "modules/planner/sql_planner.h"
#include "tests/support/unlimited_budget.h"

namespace coppice::testing {

// Every type and function of the packs.
std::unique_ptr<SqlRegistry> packs_registry();

// Definitions in memory: schemas pg_catalog, public and information_schema, tables as added.
class FakeCatalog final : public CatalogView {
 public:
  FakeCatalog();

  struct Column {
    std::string name;
    TypeOid type = type_oid::kInt4;
    std::int32_t modifier = -1;
    bool not_null = false;
    std::string default_sql = {};
  };
  struct Index {
    std::vector<std::string> columns;
    bool unique = false;
    bool primary = false;
  };
  Oid add_table(std::string name, const std::vector<Column>& columns,
                const std::vector<Index>& indexes = {}, Oid schema = kPublicOid);

  const DatabaseInfo& database() const override { return database_; }
  std::uint64_t version() const override { return 1; }
  const SchemaInfo* find_schema(std::string_view name) const override;
  const SchemaInfo* find_schema(Oid oid) const override;
  TableInfoRef find_table(Oid schema, std::string_view name) const override;
  TableInfoRef find_table(Oid oid) const override;
  std::shared_ptr<const IndexInfo> find_index(Oid schema, std::string_view name) const override;
  std::shared_ptr<const IndexInfo> find_index(Oid oid) const override;
  std::vector<SchemaInfo> schemas() const override { return schemas_; }
  std::vector<TableInfoRef> tables() const override { return tables_; }
  std::vector<DatabaseInfo> databases() const override { return {database_}; }
  std::vector<RoleInfo> roles() const override { return {}; }

 private:
  DatabaseInfo database_;
  std::vector<SchemaInfo> schemas_;
  std::vector<TableInfoRef> tables_;
  Oid next_oid_ = kFirstUserOid;
};

struct BindWorld {
  std::unique_ptr<SqlRegistry> registry = packs_registry();
  std::shared_ptr<FakeCatalog> catalog = std::make_shared<FakeCatalog>();
  planner::SqlPlanner planner{*registry};
  UnlimitedBudget budget;
  std::vector<std::string> search_path = {"$user", "public"};
  std::vector<TypeOid> parameter_types;
  Engine* engine = nullptr;
  ReadView view;
  SqlSettings settings;

  PlanContext context() const;
  // The first statement of `text`.
  Result<Statement> plan(std::string_view text);
};

// "42P01 relation … does not exist @15"; "hint: …" and "detail: …" lines where there are any.
std::string error_text(const Error& error);

}  // namespace coppice::testing
