// plan_dump.h — plans as text, for goldens.
#pragma once

#include <string>

#include "interfaces/types/plan.h"

namespace coppice::testing {

// Outputs, parameters, then the nodes, inputs below their node and indented.
std::string dump_plan(const QueryPlan& plan, const SqlRegistry& registry);
std::string dump_expression(const Expression& expression, const SqlRegistry& registry);

}  // namespace coppice::testing
