// pg_attrdef.cpp — DEFAULTs. One has its table's OID and its column's number, put together: nothing
// else of the catalog counts them.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

void fill_pg_attrdef(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    for (const ColumnInfo& column : table->columns) {
      if (column.dropped || column.default_sql.empty()) continue;
      rows.begin();
      rows.set("oid", table->oid * 2048 + static_cast<Oid>(column.attribute));
      rows.set("adrelid", table->oid);
      rows.set("adnum", column.attribute);
      rows.set("adbin", default_definition(context.registry, column));
    }
  }
}

}  // namespace coppice::catalog
