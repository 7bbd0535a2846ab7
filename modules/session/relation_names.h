// relation_names.h — finding what a statement names, by schema or by search_path.
#pragma once

#include "interfaces/catalog.h"
#include "interfaces/types/statement.h"
#include "modules/session/session_state.h"

namespace coppice::session {

// What a name stands for; at most one is set.
struct FoundRelation {
  TableInfoRef table;
  std::shared_ptr<const IndexInfo> index;
  explicit operator bool() const { return table != nullptr || index != nullptr; }
};

// 3F000 for a schema that does not exist; nothing found is not an error.
Result<FoundRelation> find_relation(const QualifiedName& name, const CatalogView& view,
                                    const SessionState& state);
// A stored table: 42P01, 42809, 42501 for one of the system's.
Result<TableInfoRef> stored_table(const QualifiedName& name, const CatalogView& view,
                                  const SessionState& state);
// Where something new goes: 3F000, 42501 for pg_catalog.
Result<const SchemaInfo*> creation_schema(const QualifiedName& name, const CatalogView& view,
                                          const SessionState& state);
std::string display_name(const QualifiedName& name);  // "s.t"

}  // namespace coppice::session
