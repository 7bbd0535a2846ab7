// relations.h — names of relations and schemas, looked up along the search path.
//
// Errors:   42P01, 3F000, 0A000 for other databases.
#pragma once

#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

// Null if there is none; an error only where the name itself cannot be.
Result<TableInfoRef> find_relation(const BindContext& context, const ast::RelationName& name);

// 42P01 relation "x" does not exist, with the position of the name.
Result<TableInfoRef> resolve_relation(const BindContext& context, const ast::RelationName& name);

// Schemas to look in, in order: pg_catalog first unless the path names it.
std::vector<const SchemaInfo*> schemas_in_path(const BindContext& context);

}  // namespace coppice::planner
