// pg_constraint.cpp — PRIMARY KEY and UNIQUE. A constraint has the OID of its index.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

void fill_pg_constraint(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    for (const auto& index : table->indexes) {
      if (!index->constraint) continue;
      std::string key = "{";
      for (const IndexColumn& column : index->columns) {
        if (key.size() > 1) key += ',';
        key += std::to_string(column.attribute);
      }
      rows.begin();
      rows.set("oid", index->oid);
      rows.set("conname", index->name);
      rows.set("connamespace", table->schema);
      rows.set("contype", index->primary ? 'p' : 'u');
      rows.set("convalidated", true);
      rows.set("conrelid", table->oid);
      rows.set("conindid", index->oid);
      for (const char* action : {"confupdtype", "confdeltype", "confmatchtype"})
        rows.set(action, ' ');
      rows.set("conislocal", true);
      rows.set("connoinherit", true);
      rows.set("conkey", key + "}");
    }
  }
}

}  // namespace coppice::catalog
