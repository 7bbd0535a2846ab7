// relations.cpp — which relation a name means.
#include "modules/planner/bind/relations.h"

#include <algorithm>

namespace coppice::planner {

namespace {

std::string full_name(const ast::RelationName& name) {
  return name.schema.empty() ? std::string(name.name)
                             : std::string(name.schema) + "." + std::string(name.name);
}

}  // namespace

std::vector<const SchemaInfo*> schemas_in_path(const BindContext& context) {
  const std::span<const std::string> path = context.plan().search_path;
  std::vector<const SchemaInfo*> schemas;
  if (std::find(path.begin(), path.end(), "pg_catalog") == path.end())
    schemas.push_back(context.catalog().find_schema(kPgCatalogOid));
  for (const std::string& entry : path)
    schemas.push_back(
        context.catalog().find_schema(entry == "$user" ? context.plan().user : entry));
  std::erase(schemas, nullptr);
  return schemas;
}

Result<TableInfoRef> find_relation(const BindContext& context, const ast::RelationName& name) {
  if (!name.database.empty() && name.database != context.catalog().database().name) {
    return context.error(name.location, sqlstate::kFeatureNotSupported,
                         "cross-database references are not implemented: \"" +
                             std::string(name.database) + "." + full_name(name) + "\"");
  }
  if (!name.schema.empty()) {
    const SchemaInfo* const schema = context.catalog().find_schema(name.schema);
    return schema == nullptr ? TableInfoRef()
                             : context.catalog().find_table(schema->oid, name.name);
  }
  for (const SchemaInfo* const schema : schemas_in_path(context))
    if (TableInfoRef found = context.catalog().find_table(schema->oid, name.name)) return found;
  return TableInfoRef();
}

Result<TableInfoRef> resolve_relation(const BindContext& context, const ast::RelationName& name) {
  TableInfoRef found = COPPICE_TRY(find_relation(context, name));
  if (found != nullptr) return found;
  return context.error(name.location, sqlstate::kUndefinedTable,
                       "relation " + quoted(full_name(name)) + " does not exist");
}

}  // namespace coppice::planner
