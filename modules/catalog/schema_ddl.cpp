// schema_ddl.cpp — CREATE SCHEMA, DROP SCHEMA.
#include <string>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/errors.h"
#include "modules/catalog/row_io.h"
#include "modules/catalog/stored_catalog.h"

namespace coppice::catalog {

namespace {

// Names of schemas are locked beside those of relations, in a schema that is none.
constexpr Oid kNoSchema = 0;

Error not_empty(const std::string& schema, const std::string& detail) {
  return sql_error("2BP01", "cannot drop schema " + schema + " because other objects depend on it")
      .note(sql_field::kDetail, detail)
      .note(sql_field::kHint, "Use DROP ... CASCADE to drop the dependent objects too.");
}

}  // namespace

Result<Oid> StoredCatalog::create_schema(Transaction& txn, NamespaceId ns, std::string_view name) {
  if (name.starts_with("pg_"))
    return std::unexpected(
        sql_error("42939", "unacceptable schema name " + quoted(name))
            .note(sql_field::kDetail, "The prefix \"pg_\" is reserved for system schemas."));
  const std::string owned(name);
  COPPICE_TRY(lock_names(txn, ns, kNoSchema, std::span(&owned, 1)));
  const NamespaceViewRef view = COPPICE_TRY(newest(txn, ns));
  if (view->find_schema(name) != nullptr)
    return std::unexpected(sql_error("42P06", "schema " + quoted(name) + " already exists"));
  SchemaRow row{.name = owned};
  row.oid = COPPICE_TRY(oids_.next());
  COPPICE_TRY(insert_row(txn.writes(), ns, row));
  txn.writes().advance_epoch(epoch_table(ns));
  return row.oid;
}

Status StoredCatalog::drop_schema(Transaction& txn, NamespaceId ns, Oid schema) {
  COPPICE_TRY(txn.lock_relation({ns, {schema}}, RelationLock::kAccessExclusive, LockWait::kWait));
  const NamespaceViewRef view = COPPICE_TRY(newest(txn, ns));
  const SchemaInfo* const info = view->find_schema(schema);
  if (info == nullptr) return std::unexpected(no_such_schema(std::to_string(schema)));
  if (schema != kPublicOid && schema < kFirstUserOid)
    return std::unexpected(sql_error(
        "2BP01",
        "cannot drop schema " + info->name + " because it is required by the database system"));
  std::string detail;
  const NamespaceRows& rows = view->rows();
  for (const TableRow& table : rows.tables) {
    if (table.schema != schema) continue;
    if (!detail.empty()) detail += '\n';
    detail += "table " + info->name + "." + table.name + " depends on schema " + info->name;
  }
  if (!detail.empty()) return std::unexpected(not_empty(info->name, detail));
  for (const SchemaRow& row : rows.schemas) {
    if (row.oid == schema) COPPICE_TRY(erase_row(txn.writes(), ns, row));
  }
  txn.writes().advance_epoch(epoch_table(ns));
  return {};
}

}  // namespace coppice::catalog
