// table_ddl.cpp — CREATE TABLE, DROP TABLE, TRUNCATE.
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/errors.h"
#include "modules/catalog/object_names.h"
#include "modules/catalog/row_io.h"
#include "modules/catalog/stored_catalog.h"

namespace coppice::catalog {

namespace {

constexpr std::array<std::string_view, 6> kSystemColumns = {"tableoid", "cmax", "xmax",
                                                            "cmin",     "xmin", "ctid"};
constexpr std::int32_t kModifierHeader = 4;  // atttypmod counts varlena's header

Status check_columns(const SqlRegistry& registry, std::span<const NewColumn> columns) {
  if (columns.size() > kColumnsMax)
    return std::unexpected(sql_error("54011", "tables can have at most 1600 columns"));
  if (columns.empty())
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "tables without columns are not supported"));
  std::set<std::string_view> names;
  for (const NewColumn& column : columns) {
    if (std::ranges::find(kSystemColumns, column.name) != kSystemColumns.end())
      return std::unexpected(sql_error(
          "42701", "column name " + quoted(column.name) + " conflicts with a system column name"));
    if (!names.insert(column.name).second) return std::unexpected(duplicate_column(column.name));
    const SqlType* const type = registry.find_type(column.type);
    if (type == nullptr)
      return std::unexpected(
          sql_error("42704", "type with OID " + std::to_string(column.type) + " does not exist"));
    if (type->info().category == 'P' || type->info().category == 'X')
      return std::unexpected(sql_error(
          "42P16",
          "column " + quoted(column.name) + " has pseudo-type " + type->info().display_name));
  }
  return {};
}

}  // namespace

Status StoredCatalog::check_new_table(const CatalogView& view, const NewTable& table) const {
  if (view.find_schema(table.schema) == nullptr)
    return std::unexpected(no_such_schema(std::to_string(table.schema)));
  if (table.schema == kPgCatalogOid || table.schema == kCoppiceSchemaOid)
    return std::unexpected(
        sql_error("42501", "permission denied to create \"pg_catalog." + table.name + "\"")
            .note(sql_field::kDetail, "System catalog modifications are currently disallowed."));
  COPPICE_TRY(check_columns(registry_, table.columns));
  if (std::ranges::count_if(table.indexes, &NewIndex::primary) > 1)
    return std::unexpected(sql_error(
        "42P16", "multiple primary keys for table " + quoted(table.name) + " are not allowed"));
  return {};
}

Result<Column> StoredCatalog::storage_column(const ColumnInfo& column) const {
  const SqlType* const type = registry_.find_type(column.type);
  if (type == nullptr)
    return fail(Code::kCorruption,
                "catalog: column " + quoted(column.name) + " has an unknown type");
  Column made;
  made.id = column.storage;
  made.type = type->info().physical;
  made.nullable = !column.not_null;
  if (is_bytes(made.type) && column.modifier > kModifierHeader) {
    constexpr std::int32_t kMost = std::numeric_limits<std::uint16_t>::max();
    made.expected_bytes =
        static_cast<std::uint16_t>(std::min(column.modifier - kModifierHeader, kMost));
  }
  return made;
}

Result<TableSchema> StoredCatalog::storage_schema(std::span<const ColumnInfo> columns) const {
  TableSchema schema;
  for (const ColumnInfo& column : columns) {
    if (column.dropped) continue;
    Column stored = COPPICE_TRY(storage_column(column));
    schema.columns.push_back(std::move(stored));
  }
  assign_groups(schema.columns);
  return schema;
}

Result<NamespaceViewRef> StoredCatalog::claim_names(Transaction& txn, NamespaceId ns, Oid schema,
                                                    std::string_view table, bool new_table,
                                                    std::span<const NewIndex> indexes,
                                                    std::vector<std::string>& names) {
  NamespaceViewRef view = COPPICE_TRY(newest(txn, ns));
  std::set<std::string, std::less<>> taken_here;
  for (;;) {  // again only if somebody took a chosen name meanwhile; the locks are kept
    names.clear();
    taken_here.clear();
    if (new_table) names.emplace_back(table);
    taken_here.emplace(table);
    for (const NewIndex& index : indexes) {
      std::string name = index.name;
      for (unsigned attempt = 0; name.empty(); ++attempt) {
        name = index_name_choice(table, index, attempt);
        if (view->has_relation(schema, name) || taken_here.contains(name)) name.clear();
      }
      if (!taken_here.insert(name).second) return std::unexpected(relation_exists(name));
      names.push_back(std::move(name));
    }
    COPPICE_TRY(lock_names(txn, ns, schema, names));
    view = COPPICE_TRY(newest(txn, ns));
    bool clash = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!view->has_relation(schema, names[i])) continue;
      const bool chosen = !(new_table && i == 0) && indexes[i - (new_table ? 1 : 0)].name.empty();
      if (!chosen) return std::unexpected(relation_exists(names[i]));
      clash = true;
    }
    if (!clash) return view;
  }
}

Result<Oid> StoredCatalog::create_table(Transaction& txn, NamespaceId ns, const NewTable& table) {
  COPPICE_TRY(txn.lock_relation({ns, {table.schema}}, RelationLock::kAccessShare, LockWait::kWait));
  std::vector<std::string> names;
  {
    const NamespaceViewRef before = COPPICE_TRY(newest(txn, ns));
    COPPICE_TRY(check_new_table(*before, table));
  }
  COPPICE_TRY(claim_names(txn, ns, table.schema, table.name, true, table.indexes, names));

  TableInfo info;
  info.oid = COPPICE_TRY(oids_.next());
  info.schema = table.schema;
  info.name = table.name;
  info.storage = {ns, {info.oid}};
  for (const NewColumn& column : table.columns) {
    const auto number = static_cast<std::int16_t>(info.columns.size() + 1);
    info.columns.push_back({.name = column.name,
                            .attribute = number,
                            .type = column.type,
                            .modifier = column.modifier,
                            .not_null = column.not_null,
                            .dropped = false,
                            .default_sql = column.default_sql,
                            .storage = {static_cast<std::uint16_t>(number)}});
  }
  for (const NewIndex& index : table.indexes) {
    COPPICE_TRY(check_new_index(info, index));
    if (!index.primary) continue;
    for (const auto& [key, order] : index.columns) {
      std::ranges::find(info.columns, key, &ColumnInfo::name)->not_null = true;
    }
  }

  WriteSet& writes = txn.writes();
  TableDefinition definition{.table = info.storage, .rows = info.storage};
  definition.schema = COPPICE_TRY(storage_schema(info.columns));
  COPPICE_TRY(writes.create_table(definition));
  const TableRow row{.oid = info.oid,
                     .schema = info.schema,
                     .name = info.name,
                     .storage = info.storage.table.value};
  COPPICE_TRY(insert_row(writes, ns, row));
  for (const ColumnInfo& column : info.columns) {
    const ColumnRow column_row{.table = info.oid,
                               .attribute = column.attribute,
                               .name = column.name,
                               .type = column.type,
                               .modifier = column.modifier,
                               .not_null = column.not_null,
                               .dropped = false,
                               .default_sql = column.default_sql,
                               .storage = column.storage.value};
    COPPICE_TRY(insert_row(writes, ns, column_row));
  }
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    COPPICE_TRY(define_index(txn, info, table.indexes[i], names[i + 1], IndexState::kReadable));
  }
  writes.advance_epoch(epoch_table(ns));
  return info.oid;
}

Status StoredCatalog::drop_table(Transaction& txn, NamespaceId ns, Oid table) {
  const Locked locked = COPPICE_TRY(lock_table(txn, ns, table, RelationLock::kAccessExclusive));
  WriteSet& writes = txn.writes();
  const NamespaceRows& rows = locked.view->rows();
  for (const TableRow& row : rows.tables) {
    if (row.oid == table) COPPICE_TRY(erase_row(writes, ns, row));
  }
  for (const ColumnRow& row : rows.columns) {
    if (row.table == table) COPPICE_TRY(erase_row(writes, ns, row));
  }
  for (const IndexRow& row : rows.indexes) {
    if (row.table != table) continue;
    COPPICE_TRY(erase_row(writes, ns, row));
    COPPICE_TRY(writes.drop_table({ns, {row.storage}}));
  }
  COPPICE_TRY(writes.drop_table(locked.table->storage));
  writes.advance_epoch(locked.table->storage);
  writes.advance_epoch(epoch_table(ns));
  return {};
}

Status StoredCatalog::truncate_table(Transaction& txn, NamespaceId ns, Oid table) {
  const Locked locked = COPPICE_TRY(lock_table(txn, ns, table, RelationLock::kAccessExclusive));
  WriteSet& writes = txn.writes();
  const TableRef old_storage = locked.table->storage;
  TableDefinition definition;
  const Oid new_storage = COPPICE_TRY(oids_.next());
  definition.table = {ns, {new_storage}};
  definition.rows = definition.table;
  definition.schema = COPPICE_TRY(storage_schema(locked.table->columns));
  COPPICE_TRY(writes.create_table(definition));
  COPPICE_TRY(txn.lock_relation(definition.table, RelationLock::kAccessExclusive, LockWait::kWait));
  const NamespaceRows& rows = locked.view->rows();
  for (TableRow row : rows.tables) {
    if (row.oid != table) continue;
    row.storage = definition.table.table.value;
    COPPICE_TRY(update_row(writes, ns, row));
  }
  for (IndexRow row : rows.indexes) {
    if (row.table != table) continue;
    COPPICE_TRY(writes.drop_table({ns, {row.storage}}));
    row.storage = COPPICE_TRY(oids_.next());
    row.valid_from = 0;  // nothing is in it, so it is complete; one being built is started anew
    COPPICE_TRY(update_row(writes, ns, row));
    COPPICE_TRY(writes.create_table({.table = {ns, {row.storage}},
                                     .kind = row.unique ? TableKind::kUnique : TableKind::kIndex,
                                     .rows = definition.table}));
  }
  COPPICE_TRY(writes.drop_table(old_storage));
  writes.advance_epoch(old_storage);
  writes.advance_epoch(epoch_table(ns));
  return {};
}

}  // namespace coppice::catalog
