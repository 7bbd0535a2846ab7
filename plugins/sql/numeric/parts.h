// parts.h — what the pack is put together from; each adds its rows to the registry.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_numeric {

void add_numeric_type(SqlRegistry& registry);
void add_comparisons(SqlRegistry& registry);
void add_functions(SqlRegistry& registry);
void add_casts(SqlRegistry& registry);  // with their functions
void add_operators(SqlRegistry& registry);
void add_aggregates(SqlRegistry& registry);  // sum, avg, min, max
void add_variances(SqlRegistry& registry);
void add_series(SqlRegistry& registry);  // generate_series

}  // namespace coppice::sql_numeric
