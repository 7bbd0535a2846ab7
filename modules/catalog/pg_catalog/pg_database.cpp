// pg_database.cpp — databases.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

constexpr int kEncodingUtf8 = 6;
constexpr Oid kDefaultTablespace = 1663;

}  // namespace

void fill_pg_database(const RelationContext& context, RelationRows& rows) {
  for (const DatabaseInfo& database : context.view.databases()) {
    rows.begin();
    rows.set("oid", database.oid);
    rows.set("datname", database.name);
    rows.set("datdba", database.owner);
    rows.set("encoding", kEncodingUtf8);
    rows.set("datlocprovider", 'c');
    rows.set("datistemplate", database.is_template);
    rows.set("datallowconn", database.allow_connections);
    rows.set("datconnlimit", -1);
    rows.set("dattablespace", kDefaultTablespace);
    rows.set("datcollate", "C");
    rows.set("datctype", "C.UTF-8");
  }
}

}  // namespace coppice::catalog
