// index_keys.h — the key ranges of an index condition whose values are constants, for estimates.
#pragma once

#include <optional>
#include <vector>

#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

// Nothing where a value is known only when the plan runs. No ranges: no row can match.
std::optional<std::vector<KeyRange>> constant_ranges(const BindContext& context,
                                                     const TableInfo& table,
                                                     const IndexCondition& leaf);

}  // namespace coppice::planner
