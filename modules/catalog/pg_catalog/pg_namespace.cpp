// pg_namespace.cpp — schemas.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

void fill_pg_namespace(const RelationContext& context, RelationRows& rows) {
  for (const SchemaInfo& schema : context.view.schemas()) {
    rows.begin();
    rows.set("oid", schema.oid);
    rows.set("nspname", schema.name);
    rows.set("nspowner", schema.owner);
  }
}

}  // namespace coppice::catalog
