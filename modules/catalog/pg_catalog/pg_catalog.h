// pg_catalog.h — the relations of pg_catalog, computed from views and from PostgreSQL's own data.
//
// Role:     makes a TableInfo for each relation of PostgreSQL 15. Those whose rows depend on this
//           server have a file here; of the others the rows are built-in, or there are none.
// Owns:     the infos and what computes their rows; outlives every view.
// Threads:  any. Parks: never.
#pragma once

#include <memory>
#include <vector>

#include "modules/catalog/definition_text.h"
#include "modules/catalog/namespace_view.h"
#include "modules/catalog/pg_catalog/relation_rows.h"

namespace coppice::catalog {

// What rows are computed from.
struct RelationContext {
  const CatalogView& view;
  const SqlRegistry& registry;
  CallContext* calls = nullptr;
};

// One file per relation; pg_catalog.cpp lists them.
void fill_pg_attrdef(const RelationContext& context, RelationRows& rows);
void fill_pg_attribute(const RelationContext& context, RelationRows& rows);
void fill_pg_class(const RelationContext& context, RelationRows& rows);
void fill_pg_constraint(const RelationContext& context, RelationRows& rows);
void fill_pg_database(const RelationContext& context, RelationRows& rows);
void fill_pg_index(const RelationContext& context, RelationRows& rows);
void fill_pg_indexes(const RelationContext& context, RelationRows& rows);
void fill_pg_namespace(const RelationContext& context, RelationRows& rows);
void fill_pg_operator(const RelationContext& context, RelationRows& rows);
void fill_pg_proc(const RelationContext& context, RelationRows& rows);
void fill_pg_authid(const RelationContext& context, RelationRows& rows);
void fill_pg_roles(const RelationContext& context, RelationRows& rows);
void fill_pg_user(const RelationContext& context, RelationRows& rows);
void fill_pg_settings(const RelationContext& context, RelationRows& rows);
void fill_pg_tables(const RelationContext& context, RelationRows& rows);

class PgCatalog {
 public:
  explicit PgCatalog(const SqlRegistry& registry);
  const ComputedRelations& relations() const { return relations_; }

 private:
  std::vector<std::unique_ptr<VirtualRelation>> computed_;
  ComputedRelations relations_;
};

}  // namespace coppice::catalog
