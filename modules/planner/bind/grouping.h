// grouping.h — GROUP BY keys, and what stands for them above the aggregation.
//
// Errors:   42803 for columns that are neither grouped nor aggregated.
// Source:   PostgreSQL 15, parse_agg.c (parseCheckAggregates).
#pragma once

#include <vector>

#include "modules/planner/bind/from.h"

namespace coppice::planner {

struct GroupKey {
  ExpressionRef value;   // on the input
  std::uint32_t id = 0;  // the column that it becomes
};

// One key for equal expressions.
void add_group(BindContext& context, std::vector<GroupKey>& groups, ExpressionRef value);

bool reads_aggregate(const Level& level, const Expression& expression);

// In each of `above`: expressions equal to a key become its column. A column of a table whose
// primary key is grouped becomes a key itself.
Status replace_groups(BindContext& context, const Level& level, const FromClause& from,
                      std::vector<GroupKey>& groups, std::span<ExpressionRef* const> above);

}  // namespace coppice::planner
