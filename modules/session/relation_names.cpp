// relation_names.cpp — look-ups and their errors.
#include "modules/session/relation_names.h"

#include "interfaces/types/sql_error.h"

namespace coppice::session {

namespace {

Error no_schema(std::string_view name) {
  return sql_error("3F000", "schema \"" + std::string(name) + "\" does not exist");
}

FoundRelation in_schema(Oid schema, std::string_view name, const CatalogView& view) {
  FoundRelation found;
  found.table = view.find_table(schema, name);
  if (found.table == nullptr) found.index = view.find_index(schema, name);
  return found;
}

}  // namespace

std::string display_name(const QualifiedName& name) {
  return name.schema.empty() ? name.name : name.schema + "." + name.name;
}

Result<FoundRelation> find_relation(const QualifiedName& name, const CatalogView& view,
                                    const SessionState& state) {
  if (!name.schema.empty()) {
    const SchemaInfo* schema = view.find_schema(name.schema);
    if (schema == nullptr) return std::unexpected(no_schema(name.schema));
    return in_schema(schema->oid, name.name, view);
  }
  const std::vector<std::string>& path = state.settings.hot().search_path;
  bool system_named = false;
  for (const std::string& part : path) system_named = system_named || part == "pg_catalog";
  if (!system_named) {
    if (FoundRelation found = in_schema(kPgCatalogOid, name.name, view)) return found;
  }
  for (const std::string& part : path) {
    const SchemaInfo* schema = view.find_schema(part);
    if (schema == nullptr) continue;
    if (FoundRelation found = in_schema(schema->oid, name.name, view)) return found;
  }
  return FoundRelation();
}

Result<TableInfoRef> stored_table(const QualifiedName& name, const CatalogView& view,
                                  const SessionState& state) {
  FoundRelation found = COPPICE_TRY(find_relation(name, view, state));
  if (!found) {
    return std::unexpected(sql_error(sqlstate::kUndefinedTable,
                                     "relation \"" + display_name(name) + "\" does not exist"));
  }
  if (found.table == nullptr)
    return std::unexpected(sql_error("42809", "\"" + name.name + "\" is not a table"));
  if (found.table->computed != nullptr) {
    return std::unexpected(
        sql_error("42501", "permission denied: \"" + name.name + "\" is a system catalog"));
  }
  return std::move(found.table);
}

Result<const SchemaInfo*> creation_schema(const QualifiedName& name, const CatalogView& view,
                                          const SessionState& state) {
  const SchemaInfo* schema = nullptr;
  if (!name.schema.empty()) {
    schema = view.find_schema(name.schema);
    if (schema == nullptr) return std::unexpected(no_schema(name.schema));
  } else {
    const std::vector<std::string>& path = state.settings.hot().search_path;
    for (const std::string& part : path) {
      if (schema == nullptr) schema = view.find_schema(part);
    }
    if (schema == nullptr)
      return std::unexpected(sql_error("3F000", "no schema has been selected to create in"));
  }
  if (schema->oid == kPgCatalogOid || schema->oid == kInformationSchemaOid ||
      schema->name == "coppice") {
    return std::unexpected(
        sql_error("42501", "permission denied to create \"" + schema->name + "." + name.name + "\"")
            .note(sql_field::kDetail, "System catalog modifications are currently disallowed."));
  }
  return schema;
}

}  // namespace coppice::session
