// explain.cpp — not there yet: says so.
#include "modules/planner/explain/explain.h"

namespace coppice::planner {

std::vector<std::string> explain_plan(const QueryPlan&, const ExplainStatement&,
                                      std::span<const OperatorStats>, const SqlRegistry&) {
  return {"EXPLAIN is not supported yet"};
}

}  // namespace coppice::planner
