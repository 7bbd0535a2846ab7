// pg_tables.cpp — the views pg_tables and pg_indexes.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

std::string role_name(const CatalogView& view, Oid oid) {
  for (const RoleInfo& role : view.roles()) {
    if (role.oid == oid) return role.name;
  }
  return "unknown (OID=" + std::to_string(oid) + ")";
}

}  // namespace

void fill_pg_tables(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    if (table->kind != 'r') continue;
    rows.begin();
    rows.set("schemaname", table->schema_name);
    rows.set("tablename", table->name);
    rows.set("tableowner", role_name(context.view, table->owner));
    rows.set("hasindexes", !table->indexes.empty());
    for (const char* absent : {"hasrules", "hastriggers", "rowsecurity"}) rows.set(absent, false);
  }
}

void fill_pg_indexes(const RelationContext& context, RelationRows& rows) {
  const DefinitionContext definitions{context.view, context.registry, {}};
  for (const TableInfoRef& table : context.view.tables()) {
    for (const auto& index : table->indexes) {
      rows.begin();
      rows.set("schemaname", table->schema_name);
      rows.set("tablename", table->name);
      rows.set("indexname", index->name);
      rows.set("indexdef", index_definition(definitions, *index, false));
    }
  }
}

}  // namespace coppice::catalog
