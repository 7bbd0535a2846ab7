// parts.h — what the pack is put together from; each adds its rows to the registry.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_core {

void add_bool_type(SqlRegistry& registry);
void add_integer_types(SqlRegistry& registry);  // int2, int4, int8, oid
void add_float_types(SqlRegistry& registry);
void add_pseudo_types(SqlRegistry& registry);

void add_integer_comparisons(SqlRegistry& registry);
void add_other_comparisons(SqlRegistry& registry);  // bool, oid, floats
void add_integer_functions(SqlRegistry& registry);
void add_float_functions(SqlRegistry& registry);
void add_session_functions(SqlRegistry& registry);
void add_series(SqlRegistry& registry);  // generate_series
void add_operators(SqlRegistry& registry);
void add_casts(SqlRegistry& registry);
void add_aggregates(SqlRegistry& registry);     // count, sum, bool_and, bool_or
void add_float_moments(SqlRegistry& registry);  // avg, variance, stddev of floats
void add_extremes(SqlRegistry& registry);       // min, max

}  // namespace coppice::sql_core
