// stored_catalog.h — the catalog of interfaces/catalog.h over definitions in reserved tables.
//
// Role:     look-ups go through Views; DDL locks, checks against the newest committed state and its
//           own, and writes rows. One file per kind of object: table_ddl, index_ddl, schema_ddl,
//           database_ddl.
// Threads:  any. Parks: whatever gives a Result or a Status.
// Holds:    a new name is locked (as a key of the table of tables) before it is looked for, so of
//           two creators the second finds what the first committed. What is created in a schema
//           holds the schema's lock, so that it cannot be dropped meanwhile.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/catalog.h"
#include "modules/catalog/database_uses.h"
#include "modules/catalog/internal_budget.h"
#include "modules/catalog/oid_allocator.h"
#include "modules/catalog/views.h"

namespace coppice::catalog {

class StoredCatalog final : public Catalog {
 public:
  // `computed` are the relations of pg_catalog, by OID; they, the registry and the engine outlive
  // this.
  StoredCatalog(Engine& engine, TxnManager& txns, const SqlRegistry& registry,
                const ComputedRelations& computed);

  // First start: makes what a server begins with. Comes before everything else.
  Status start();

  const SqlRegistry& registry() const override { return registry_; }
  Result<DatabaseInfo> database(std::string_view name) override;
  Result<DatabaseUse> connect(std::string_view name) override;
  Result<RoleInfo> role(std::string_view name) override;
  Result<CatalogViewRef> view(Transaction& txn, NamespaceId ns) override;
  std::optional<std::string> answer(const CatalogView& view,
                                    std::span<const std::string> search_path,
                                    std::string_view question,
                                    std::span<const Datum> arguments) const override;

  Result<Oid> create_table(Transaction& txn, NamespaceId ns, const NewTable& table) override;
  Status drop_table(Transaction& txn, NamespaceId ns, Oid table) override;
  Status truncate_table(Transaction& txn, NamespaceId ns, Oid table) override;
  Result<std::shared_ptr<const IndexInfo>> create_index(Transaction& txn, NamespaceId ns, Oid table,
                                                        const NewIndex& index,
                                                        IndexState state) override;
  Status set_index_state(Transaction& txn, NamespaceId ns, Oid index, IndexState state,
                         Hlc valid_from) override;
  Status drop_index(Transaction& txn, NamespaceId ns, Oid index) override;
  Result<Oid> create_schema(Transaction& txn, NamespaceId ns, std::string_view name) override;
  Status drop_schema(Transaction& txn, NamespaceId ns, Oid schema) override;

  Status create_database(std::string_view name, std::string_view owner) override;
  Status drop_database(std::string_view name) override;

 private:
  // A table found, locked, and found again to be what was locked.
  struct Locked {
    NamespaceViewRef view;
    TableInfoRef table;
  };

  Result<std::shared_ptr<const SystemDefinitions>> newest_system();
  // The newest committed definitions and the transaction's own.
  Result<NamespaceViewRef> newest(Transaction& txn, NamespaceId ns);
  Result<Locked> lock_table(Transaction& txn, NamespaceId ns, Oid table, RelationLock mode);
  Result<Locked> lock_table_of(Transaction& txn, NamespaceId ns, Oid index, RelationLock mode);
  // Locks names of relations in a schema, against other creators.
  Status lock_names(Transaction& txn, NamespaceId ns, Oid schema,
                    std::span<const std::string> names);
  // Chooses the names that were left out and locks them all. 42P07.
  Result<NamespaceViewRef> claim_names(Transaction& txn, NamespaceId ns, Oid schema,
                                       std::string_view table, bool new_table,
                                       std::span<const NewIndex> indexes,
                                       std::vector<std::string>& names);
  Status check_new_table(const CatalogView& view, const NewTable& table) const;
  Status check_new_index(const TableInfo& table, const NewIndex& index) const;
  Result<Column> storage_column(const ColumnInfo& column) const;
  Result<TableSchema> storage_schema(std::span<const ColumnInfo> columns) const;
  Result<IndexRow> define_index(Transaction& txn, const TableInfo& table, const NewIndex& index,
                                std::string name, IndexState state);

  Engine& engine_;
  TxnManager& txns_;
  const SqlRegistry& registry_;
  InternalBudget budget_;
  Views views_;
  OidAllocator oids_;
  DatabaseUses uses_;
};

}  // namespace coppice::catalog
