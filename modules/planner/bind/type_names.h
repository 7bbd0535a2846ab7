// type_names.h — type names of the text to types of the registry.
#pragma once

#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

struct ResolvedType {
  TypeOid oid = 0;
  std::int32_t modifier = -1;
};

// 42704 type "x" does not exist; 42601 for modifiers that are no constants; 0A000.
Result<ResolvedType> resolve_type(const BindContext& context, const ast::TypeName& name);

}  // namespace coppice::planner
