// bind_fixture.cpp — the fake catalog, and one call from text to statement.
#include "tests/modules/planner/bind/bind_fixture.h"

#include <algorithm>
#include <utility>

#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/numeric/numeric_pack.h"
#include "plugins/sql/text/text_pack.h"

namespace coppice::testing {

std::unique_ptr<SqlRegistry> packs_registry() {
  auto registry = std::make_unique<SqlRegistry>();
  const sql_core::CorePack core;
  const sql_numeric::NumericPack numeric;
  const sql_text::TextPack text;
  const std::vector<const SqlPack*> packs = {&core, &numeric, &text};
  for (const SqlPack* const pack : packs) pack->add_types(*registry);
  for (const SqlPack* const pack : packs) pack->add_functions(*registry);
  return registry;
}

FakeCatalog::FakeCatalog() {
  database_.oid = 5;
  database_.name = "coppice";
  database_.ns = NamespaceId(7);
  schemas_ = {{.oid = kPgCatalogOid, .name = "pg_catalog"},
              {.oid = kPublicOid, .name = "public"},
              {.oid = kInformationSchemaOid, .name = "information_schema"}};
}

Oid FakeCatalog::add_table(std::string name, const std::vector<Column>& columns,
                           const std::vector<Index>& indexes, Oid schema) {
  auto table = std::make_shared<TableInfo>();
  table->oid = next_oid_++;
  table->schema = schema;
  table->schema_name = find_schema(schema)->name;
  table->name = std::move(name);
  table->storage = {database_.ns, TableId(table->oid)};
  table->epoch = 1;
  for (const Column& column : columns) {
    const auto attribute = static_cast<std::int16_t>(table->columns.size() + 1);
    table->columns.push_back({.name = column.name,
                              .attribute = attribute,
                              .type = column.type,
                              .modifier = column.modifier,
                              .not_null = column.not_null,
                              .dropped = column.name.empty(),
                              .default_sql = column.default_sql,
                              .storage = ColumnId(static_cast<std::uint16_t>(attribute))});
  }
  for (const Index& index : indexes) {
    auto info = std::make_shared<IndexInfo>();
    info->oid = next_oid_++;
    info->table = table->oid;
    info->storage = {database_.ns, TableId(info->oid)};
    info->unique = index.unique || index.primary;
    info->primary = index.primary;
    info->constraint = index.primary;
    info->name = table->name;
    for (const std::string& column : index.columns) {
      info->name += "_" + column;
      info->columns.push_back({.attribute = table->find_column(column)->attribute, .order = {}});
    }
    info->name = index.primary ? table->name + "_pkey" : info->name + "_idx";
    table->indexes.push_back(std::move(info));
  }
  tables_.push_back(table);
  return table->oid;
}

const SchemaInfo* FakeCatalog::find_schema(std::string_view name) const {
  const auto found = std::find_if(schemas_.begin(), schemas_.end(),
                                  [&](const SchemaInfo& schema) { return schema.name == name; });
  return found == schemas_.end() ? nullptr : &*found;
}

const SchemaInfo* FakeCatalog::find_schema(Oid oid) const {
  const auto found = std::find_if(schemas_.begin(), schemas_.end(),
                                  [&](const SchemaInfo& schema) { return schema.oid == oid; });
  return found == schemas_.end() ? nullptr : &*found;
}

TableInfoRef FakeCatalog::find_table(Oid schema, std::string_view name) const {
  for (const TableInfoRef& table : tables_)
    if (table->schema == schema && table->name == name) return table;
  return nullptr;
}

TableInfoRef FakeCatalog::find_table(Oid oid) const {
  for (const TableInfoRef& table : tables_)
    if (table->oid == oid) return table;
  return nullptr;
}

std::shared_ptr<const IndexInfo> FakeCatalog::find_index(Oid schema, std::string_view name) const {
  for (const TableInfoRef& table : tables_)
    for (const auto& index : table->indexes)
      if (table->schema == schema && index->name == name) return index;
  return nullptr;
}

std::shared_ptr<const IndexInfo> FakeCatalog::find_index(Oid oid) const {
  for (const TableInfoRef& table : tables_)
    for (const auto& index : table->indexes)
      if (index->oid == oid) return index;
  return nullptr;
}

PlanContext BindWorld::context() const {
  return {.catalog = catalog,
          .search_path = search_path,
          .user = "coppice",
          .settings = &settings,
          .parameter_types = parameter_types,
          .engine = engine,
          .view = view};
}

Result<Statement> BindWorld::plan(std::string_view text) {
  const auto script = planner.parse(text, budget);
  if (!script) return std::unexpected(script.error().clone());
  REQUIRE((*script)->size() == 1);
  return planner.plan(**script, 0, context());
}

std::string error_text(const Error& error) {
  std::string text = std::string(sqlstate_of(error)) + " " + error.message();
  if (const std::string* const position = error.find_note(sql_field::kPosition))
    text += " @" + *position;
  if (const std::string* const detail = error.find_note(sql_field::kDetail))
    text += "\ndetail: " + *detail;
  if (const std::string* const hint = error.find_note(sql_field::kHint)) text += "\nhint: " + *hint;
  return text;
}

}  // namespace coppice::testing
