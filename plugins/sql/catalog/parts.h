// parts.h — what the pack is put together from; each adds its rows to the registry.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_catalog {

void add_reg_types(SqlRegistry& registry);      // regclass, regtype, regproc …
void add_catalog_types(SqlRegistry& registry);  // xid, cid, tid, aclitem, pg_node_tree …
void add_array_types(SqlRegistry& registry);    // of all types there are by then; the vectors

void add_reg_functions(SqlRegistry& registry);      // casts and functions of the reg types
void add_catalog_functions(SqlRegistry& registry);  // pg_get_indexdef, format_type …
void add_server_functions(SqlRegistry& registry);   // version, current_database …; xid, encodings
void add_privilege_functions(SqlRegistry& registry);
void add_size_functions(SqlRegistry& registry);
void add_array_functions(SqlRegistry& registry);
void add_array_comparisons(SqlRegistry& registry);

}  // namespace coppice::sql_catalog
