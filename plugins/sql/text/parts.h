// parts.h — what the pack is put together from; each adds its rows to the registry.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_text {

void add_text_types(SqlRegistry& registry);  // text, varchar, bpchar, name, "char"
void add_bytea_type(SqlRegistry& registry);

void add_comparisons(SqlRegistry& registry);
void add_casts_between_texts(SqlRegistry& registry);  // the functions of casts
void add_string_functions(SqlRegistry& registry);     // length, substr, trim, replace, lpad …
void add_case_functions(SqlRegistry& registry);       // lower, upper, initcap
void add_quote_functions(SqlRegistry& registry);      // quote_ident, concat, format …
void add_bytea_functions(SqlRegistry& registry);      // encode, decode, md5 …
void add_pattern_functions(SqlRegistry& registry);    // LIKE
void add_regex_functions(SqlRegistry& registry);
void add_aggregates(SqlRegistry& registry);
void add_operators(SqlRegistry& registry);
void add_casts(SqlRegistry& registry);

}  // namespace coppice::sql_text
