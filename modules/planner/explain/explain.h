// explain.h — a plan as EXPLAIN prints it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interfaces/types/statement.h"

namespace coppice::planner {

// The lines of EXPLAIN; with `stats` (by node) those of ANALYZE.
std::vector<std::string> explain_plan(const QueryPlan& plan, const ExplainStatement& options,
                                      std::span<const OperatorStats> stats,
                                      const SqlRegistry& registry);

}  // namespace coppice::planner
