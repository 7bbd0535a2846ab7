// output.h — what stands above FROM: aggregation, select list, DISTINCT, ORDER BY, LIMIT.
#pragma once

#include <vector>

#include "modules/planner/bind/grouping.h"
#include "modules/planner/bind/query.h"
#include "modules/planner/plan/nodes.h"

namespace coppice::planner {

// Groups and calls on the input's columns; gives the keys' and the calls' columns.
Result<Planned> aggregate(BindContext& context, Planned input, std::vector<GroupKey> groups,
                          std::vector<AggregateUse> calls);

// The outputs, of which the caller sees the first `width`; the others are sorted by only.
Result<Planned> finish_outputs(BindContext& context, Planned input,
                               std::vector<ExpressionRef> values, std::size_t width,
                               bool is_distinct, OrderAndLimit tail);

}  // namespace coppice::planner
