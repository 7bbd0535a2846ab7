// pg_class.cpp — tables, indexes, and the computed relations themselves.
#include <algorithm>

#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

constexpr Oid kHeapAm = 2, kBtreeAm = 403;

void common(RelationRows& rows, Oid oid, const std::string& name, Oid schema, char kind,
            std::size_t columns) {
  rows.begin();
  rows.set("oid", oid);
  rows.set("relname", name);
  rows.set("relnamespace", schema);
  rows.set("relowner", kSuperuserOid);
  rows.set("reltuples", -1);
  rows.set("relpersistence", 'p');
  rows.set("relkind", kind);
  rows.set("relnatts", columns);
  rows.set("relispopulated", true);
  rows.set("relreplident", kind == 'r' && oid >= kFirstUserOid ? 'd' : 'n');
}

}  // namespace

void fill_pg_class(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    common(rows, table->oid, table->name, table->schema, table->kind, table->columns.size());
    rows.set("relowner", table->owner);
    rows.set("relam", table->kind == 'r' ? kHeapAm : 0);
    rows.set("relfilenode", table->storage.table.value);
    rows.set("relhasindex", !table->indexes.empty());
    for (const auto& index : table->indexes) {
      common(rows, index->oid, index->name, table->schema, 'i', index->columns.size());
      rows.set("relowner", table->owner);
      rows.set("relam", kBtreeAm);
      rows.set("relfilenode", index->storage.table.value);
    }
  }
}

}  // namespace coppice::catalog
