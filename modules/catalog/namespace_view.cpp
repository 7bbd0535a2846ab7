// namespace_view.cpp — rows become tables with their columns and indexes.
#include "modules/catalog/namespace_view.h"

#include <algorithm>

namespace coppice::catalog {

const DatabaseRow* SystemDefinitions::find_database(std::string_view name) const {
  const auto at = std::ranges::find(databases, name, &DatabaseRow::name);
  return at == databases.end() ? nullptr : &*at;
}

const DatabaseRow* SystemDefinitions::find_database(NamespaceId ns) const {
  const auto at = std::ranges::find(databases, ns.value, &DatabaseRow::ns);
  return at == databases.end() ? nullptr : &*at;
}

const RoleRow* SystemDefinitions::find_role(std::string_view name) const {
  const auto at = std::ranges::find(roles, name, &RoleRow::name);
  return at == roles.end() ? nullptr : &*at;
}

DatabaseInfo info_of(const DatabaseRow& row) {
  return {.oid = row.oid,
          .name = row.name,
          .ns = {row.ns},
          .owner = row.owner,
          .allow_connections = row.allow_connections,
          .is_template = row.is_template};
}

NamespaceView::NamespaceView(DatabaseInfo database, std::uint64_t version, NamespaceRows rows,
                             std::shared_ptr<const SystemDefinitions> system,
                             const ComputedRelations& computed)
    : database_(std::move(database)),
      version_(version),
      rows_(std::move(rows)),
      system_(std::move(system)),
      computed_(computed) {
  for (const SchemaRow& row : rows_.schemas) schemas_.push_back({row.oid, row.name, row.owner});
  schemas_.push_back({.oid = kCoppiceSchemaOid, .name = "coppice"});
  std::ranges::sort(schemas_, {}, &SchemaInfo::oid);
}

std::vector<TableInfo> NamespaceView::collect() {
  const NamespaceId ns = database_.ns;
  std::map<Oid, TableInfo> tables;
  for (const TableRow& row : rows_.tables) {
    const SchemaInfo* const schema = find_schema(row.schema);
    if (schema == nullptr) broken_ = "table " + row.name + " is in no schema";
    TableInfo& table = tables[row.oid];
    table.oid = row.oid;
    table.schema = row.schema;
    if (schema != nullptr) table.schema_name = schema->name;
    table.name = row.name;
    table.owner = row.owner;
    table.storage = {ns, {row.storage}};
  }
  for (const ColumnRow& row : rows_.columns) {
    tables[row.table].columns.push_back({.name = row.name,
                                         .attribute = row.attribute,
                                         .type = row.type,
                                         .modifier = row.modifier,
                                         .not_null = row.not_null,
                                         .dropped = row.dropped,
                                         .default_sql = row.default_sql,
                                         .storage = {static_cast<std::uint16_t>(row.storage)}});
  }
  for (const IndexRow& row : rows_.indexes) {
    auto columns = decode_index_columns(row.columns);
    if (!columns || row.state < 0 || row.state > static_cast<int>(IndexState::kInvalid))
      broken_ = "index " + row.name + " cannot be read";
    auto index = std::make_shared<IndexInfo>();
    index->oid = row.oid;
    index->name = row.name;
    index->table = row.table;
    index->storage = {ns, {row.storage}};
    index->unique = row.unique;
    index->primary = row.primary;
    index->constraint = row.constraint;
    index->nulls_not_distinct = row.nulls_not_distinct;
    index->state = static_cast<IndexState>(row.state);
    index->valid_from = {static_cast<std::uint64_t>(row.valid_from)};
    if (columns) index->columns = *std::move(columns);
    tables[row.table].indexes.push_back(std::move(index));
  }
  std::vector<TableInfo> made;
  for (auto& [oid, table] : tables) {
    if (table.oid != oid) broken_ = "a column or an index belongs to no table";
    std::ranges::sort(table.columns, {}, &ColumnInfo::attribute);
    std::ranges::sort(table.indexes, {}, [](const auto& index) { return index->oid; });
    made.push_back(std::move(table));
  }
  return made;
}

void NamespaceView::add(TableInfoRef table) {
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    if (static_cast<std::size_t>(table->columns[i].attribute) != i + 1)
      broken_ = "table " + table->name + " lacks a column";
  }
  for (const auto& index : table->indexes) {
    for (const IndexColumn& column : index->columns) {
      if (table->find_column(column.attribute) == nullptr)
        broken_ = "index " + index->name + " is on a column that is not there";
    }
    indexes_.emplace(index->oid, index);
    indexes_by_name_.emplace(std::pair(table->schema, index->name), index);
  }
  tables_by_name_.emplace(std::pair(table->schema, table->name), table);
  tables_.emplace(table->oid, std::move(table));
}

Status NamespaceView::check() const {
  if (broken_.empty()) return {};
  return fail(Code::kCorruption, "catalog of database " + database_.name + ": " + broken_);
}

const SchemaInfo* NamespaceView::find_schema(std::string_view name) const {
  const auto at = std::ranges::find(schemas_, name, &SchemaInfo::name);
  return at == schemas_.end() ? nullptr : &*at;
}

const SchemaInfo* NamespaceView::find_schema(Oid oid) const {
  const auto at = std::ranges::lower_bound(schemas_, oid, {}, &SchemaInfo::oid);
  return at == schemas_.end() || at->oid != oid ? nullptr : &*at;
}

TableInfoRef NamespaceView::find_table(Oid schema, std::string_view name) const {
  if (schema == kPgCatalogOid || schema == kCoppiceSchemaOid) {
    const auto at = std::ranges::find_if(computed_, [&](const TableInfoRef& table) {
      return table->schema == schema && table->name == name;
    });
    if (at != computed_.end()) return *at;
  }
  const auto at = tables_by_name_.find(std::pair(schema, std::string(name)));
  return at == tables_by_name_.end() ? nullptr : at->second;
}

TableInfoRef NamespaceView::find_table(Oid oid) const {
  const auto at = tables_.find(oid);
  if (at != tables_.end()) return at->second;
  const auto computed =
      std::ranges::lower_bound(computed_, oid, {}, [](const auto& table) { return table->oid; });
  return computed == computed_.end() || (*computed)->oid != oid ? nullptr : *computed;
}

std::shared_ptr<const IndexInfo> NamespaceView::find_index(Oid schema,
                                                           std::string_view name) const {
  const auto at = indexes_by_name_.find(std::pair(schema, std::string(name)));
  return at == indexes_by_name_.end() ? nullptr : at->second;
}

std::shared_ptr<const IndexInfo> NamespaceView::find_index(Oid oid) const {
  const auto at = indexes_.find(oid);
  return at == indexes_.end() ? nullptr : at->second;
}

std::vector<TableInfoRef> NamespaceView::tables() const {
  std::vector<TableInfoRef> all = computed_;
  for (const auto& [oid, table] : tables_) all.push_back(table);
  std::ranges::sort(all, {}, [](const TableInfoRef& table) { return table->oid; });
  return all;
}

std::vector<DatabaseInfo> NamespaceView::databases() const {
  std::vector<DatabaseInfo> all;
  for (const DatabaseRow& row : system_->databases) all.push_back(info_of(row));
  return all;
}

std::vector<RoleInfo> NamespaceView::roles() const {
  std::vector<RoleInfo> all;
  for (const RoleRow& row : system_->roles) {
    all.push_back(
        {.oid = row.oid, .name = row.name, .superuser = row.superuser, .can_login = row.can_login});
  }
  return all;
}

bool NamespaceView::has_relation(Oid schema, std::string_view name) const {
  return find_table(schema, name) != nullptr || find_index(schema, name) != nullptr;
}

}  // namespace coppice::catalog
