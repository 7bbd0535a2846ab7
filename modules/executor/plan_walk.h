// plan_walk.h — looks at all nodes and expressions of a plan, subqueries included.
//
// Role:     what is asked of a plan before it runs: does it read a table, does it need outer
//           values.
// Threads:  any.   Parks: never.
#pragma once

#include "interfaces/types/plan.h"

namespace coppice::executor {

class PlanVisitor {
 public:
  virtual ~PlanVisitor() = default;
  virtual void node(const PlanNode&) {}
  virtual void expression(const Expression&) {}
};
void walk_plan(const PlanNode& plan, PlanVisitor& visitor);
void walk_expression(const Expression& expression, PlanVisitor& visitor);

// Whether any node reads the stored table.
bool reads_table(const PlanNode& plan, TableRef table);
bool reads_table(const std::vector<ExpressionRef>& expressions, TableRef table);
// Whether rows of the plan may come more than once: a join outside of subqueries.
bool has_join(const PlanNode& plan);
// Whether it has parameters of an outer query, which are those from `statement_parameters` on,
// that
// no query inside of it sets.
bool needs_outer_values(const PlanNode& plan, std::size_t statement_parameters);

}  // namespace coppice::executor
