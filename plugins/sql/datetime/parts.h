// parts.h — what the pack is put together from; each adds its rows to the registry.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_datetime {

void add_date_types(SqlRegistry& registry);  // date, time, timestamp, timestamptz, interval

void add_comparisons(SqlRegistry& registry);
void add_arithmetic(SqlRegistry& registry);       // + - * /, age, justify_*
void add_clock_functions(SqlRegistry& registry);  // now(), make_date() …
void add_truncation(SqlRegistry& registry);       // date_trunc
void add_extraction(SqlRegistry& registry);       // extract, date_part
void add_series(SqlRegistry& registry);
void add_operators(SqlRegistry& registry);
void add_casts(SqlRegistry& registry);  // and AT TIME ZONE
void add_aggregates(SqlRegistry& registry);

}  // namespace coppice::sql_datetime
