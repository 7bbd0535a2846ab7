// parts.h — what the pack is put together from.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_regex {

void add_matches(SqlRegistry& registry);  // ~ !~ ~* !~*

}  // namespace coppice::sql_regex
