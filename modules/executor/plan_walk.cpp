// plan_walk.cpp — depth first; as deep as the makers of operators and evaluators go.
#include "modules/executor/plan_walk.h"

#include <algorithm>
#include <set>

namespace coppice::executor {

namespace {

void walk(const ExpressionRef& expression, PlanVisitor& visitor) {
  if (expression != nullptr) walk_expression(*expression, visitor);
}

void walk(const std::vector<ExpressionRef>& expressions, PlanVisitor& visitor) {
  for (const ExpressionRef& expression : expressions) walk(expression, visitor);
}

void walk(const IndexCondition& condition, PlanVisitor& visitor) {
  for (const IndexBound& bound : condition.bounds) {
    walk(bound.from, visitor);
    walk(bound.to, visitor);
    walk(bound.in_list, visitor);
  }
  for (const IndexCondition& child : condition.children) walk(child, visitor);
}

class TableSearch final : public PlanVisitor {
 public:
  explicit TableSearch(TableRef table) : table_(table) {}
  void node(const PlanNode& node) override {
    found = found || (node.table != nullptr && node.table->computed == nullptr &&
                      node.table->storage == table_);
  }
  bool found = false;

 private:
  TableRef table_;
};

class OuterSearch final : public PlanVisitor {
 public:
  explicit OuterSearch(std::size_t statement_parameters) : first_(statement_parameters) {}
  void expression(const Expression& expression) override {
    if (expression.kind == Expression::Kind::kParameter && expression.ordinal >= first_)
      used_.insert(expression.ordinal);
    for (std::size_t i = 0; i < expression.outer.size(); ++i)
      set_.insert(expression.first_parameter + i);
  }
  bool found() const { return !std::ranges::includes(set_, used_); }

 private:
  std::size_t first_;
  std::set<std::size_t> used_, set_;
};

}  // namespace

void walk_plan(const PlanNode& plan, PlanVisitor& visitor) {
  visitor.node(plan);
  for (const auto& row : plan.rows) walk(row, visitor);
  for (const AggregateCall& call : plan.calls) {
    walk(call.arguments, visitor);
    walk(call.filter, visitor);
  }
  for (const SortKey& key : plan.sort_keys) walk(key.value, visitor);
  walk(plan.condition, visitor);
  walk(plan.filter, visitor);
  walk(plan.projections, visitor);
  walk(plan.left_keys, visitor);
  walk(plan.right_keys, visitor);
  walk(plan.groups, visitor);
  walk(plan.limit, visitor);
  walk(plan.offset, visitor);
  walk(plan.returning, visitor);
  for (const PlanNodeRef& input : plan.inputs) walk_plan(*input, visitor);
}

void walk_expression(const Expression& expression, PlanVisitor& visitor) {
  visitor.expression(expression);
  walk(expression.arguments, visitor);
  walk(expression.outer, visitor);
  if (expression.subplan != nullptr) walk_plan(*expression.subplan, visitor);
}

bool reads_table(const PlanNode& plan, TableRef table) {
  TableSearch search(table);
  walk_plan(plan, search);
  return search.found;
}

bool reads_table(const std::vector<ExpressionRef>& expressions, TableRef table) {
  TableSearch search(table);
  walk(expressions, search);
  return search.found;
}

bool has_join(const PlanNode& plan) {
  const bool joins = plan.kind == PlanNode::Kind::kHashJoin ||
                     plan.kind == PlanNode::Kind::kLookupJoin ||
                     plan.kind == PlanNode::Kind::kNestedLoop;
  return joins || std::ranges::any_of(plan.inputs,
                                      [](const PlanNodeRef& input) { return has_join(*input); });
}

bool needs_outer_values(const PlanNode& plan, std::size_t statement_parameters) {
  OuterSearch search(statement_parameters);
  walk_plan(plan, search);
  return search.found();
}

}  // namespace coppice::executor
