// namespace_view.h — one database's definitions at a snapshot, ready for look-ups.
//
// Role:     made by Views from the rows of the reserved tables; keeps each row's egid beside what
//           it became, for DDL.
// Threads:  immutable. Parks: never.
// Holds:    a name within a schema names one relation, table or index.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "modules/catalog/reserved_tables.h"

namespace coppice::catalog {

// Databases and roles; shared by the views of all databases.
struct SystemDefinitions {
  std::vector<DatabaseRow> databases;
  std::vector<RoleRow> roles;

  const DatabaseRow* find_database(std::string_view name) const;
  const DatabaseRow* find_database(NamespaceId ns) const;
  const RoleRow* find_role(std::string_view name) const;
};
DatabaseInfo info_of(const DatabaseRow& row);

struct NamespaceRows {
  std::vector<SchemaRow> schemas;
  std::vector<TableRow> tables;
  std::vector<ColumnRow> columns;
  std::vector<IndexRow> indexes;
};

// Computed relations, the same in every database; by OID.
using ComputedRelations = std::vector<TableInfoRef>;

class NamespaceView final : public CatalogView {
 public:
  // `epoch_of` gives a table's schema epoch at the snapshot. kCorruption where rows contradict each
  // other.
  template <class EpochOf>
  static Result<std::shared_ptr<const NamespaceView>> make(
      DatabaseInfo database, std::uint64_t version, NamespaceRows rows,
      std::shared_ptr<const SystemDefinitions> system, const ComputedRelations& computed,
      EpochOf epoch_of) {
    auto view = std::make_shared<NamespaceView>(std::move(database), version, std::move(rows),
                                                std::move(system), computed);
    for (TableInfo& table : view->collect()) {
      table.epoch = epoch_of(table.storage);
      view->add(std::make_shared<const TableInfo>(std::move(table)));
    }
    COPPICE_TRY(view->check());
    return view;
  }
  NamespaceView(DatabaseInfo database, std::uint64_t version, NamespaceRows rows,
                std::shared_ptr<const SystemDefinitions> system, const ComputedRelations& computed);

  const DatabaseInfo& database() const override { return database_; }
  std::uint64_t version() const override { return version_; }

  const SchemaInfo* find_schema(std::string_view name) const override;
  const SchemaInfo* find_schema(Oid oid) const override;
  TableInfoRef find_table(Oid schema, std::string_view name) const override;
  TableInfoRef find_table(Oid oid) const override;
  std::shared_ptr<const IndexInfo> find_index(Oid schema, std::string_view name) const override;
  std::shared_ptr<const IndexInfo> find_index(Oid oid) const override;

  std::vector<SchemaInfo> schemas() const override { return schemas_; }
  std::vector<TableInfoRef> tables() const override;
  std::vector<DatabaseInfo> databases() const override;
  std::vector<RoleInfo> roles() const override;

  // A table or an index of this name exists.
  bool has_relation(Oid schema, std::string_view name) const;
  const NamespaceRows& rows() const { return rows_; }
  const SystemDefinitions& system() const { return *system_; }

 private:
  // Tables with columns and indexes, epochs missing. Sets `broken_` where rows contradict.
  std::vector<TableInfo> collect();
  void add(TableInfoRef table);
  Status check() const;

  DatabaseInfo database_;
  std::uint64_t version_;
  NamespaceRows rows_;
  std::shared_ptr<const SystemDefinitions> system_;
  const ComputedRelations& computed_;  // of the catalog, which outlives its views
  std::vector<SchemaInfo> schemas_;
  std::map<Oid, TableInfoRef> tables_;
  std::unordered_map<Oid, std::shared_ptr<const IndexInfo>> indexes_;
  std::map<std::pair<Oid, std::string>, TableInfoRef, std::less<>> tables_by_name_;
  std::map<std::pair<Oid, std::string>, std::shared_ptr<const IndexInfo>> indexes_by_name_;
  std::string broken_;  // what contradicts; empty: nothing
};
using NamespaceViewRef = std::shared_ptr<const NamespaceView>;

}  // namespace coppice::catalog
