// output.cpp — aggregation and the order of outputs.
#include "modules/planner/plan/output.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice::planner {

namespace {

constexpr FunctionOid kInt8Plus = 463;

// count(*) of what an index condition alone finds: from the postings, without rows.
bool counts_condition(const Planned& input, const std::vector<GroupKey>& groups,
                      const std::vector<AggregateUse>& calls) {
  const PlanNode& node = *input.node;
  return groups.empty() && calls.size() == 1 && node.kind == PlanNode::Kind::kBitmapScan &&
         node.filter == nullptr && calls.front().call.aggregate->arguments.empty() &&
         calls.front().call.aggregate->name == "count" && calls.front().call.filter == nullptr;
}

// Rows to keep while sorting: those of LIMIT and those that OFFSET skips.
ExpressionRef rows_kept(const BindContext& context, const OrderAndLimit& tail) {
  if (tail.limit == nullptr) return nullptr;
  if (tail.offset == nullptr) return tail.limit->clone();
  const SqlFunction* const plus = context.registry().find_function(kInt8Plus);
  if (plus == nullptr) return nullptr;
  std::vector<ExpressionRef> both;
  both.push_back(tail.limit->clone());
  both.push_back(tail.offset->clone());
  return make_call(context, *plus, type_oid::kInt8, std::move(both), ast::kNoLocation);
}

Planned sorted(const BindContext& context, Planned input, const OrderAndLimit& tail) {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.kind = PlanNode::Kind::kSort;
  node.types = input.node->types;
  node.modifiers = input.node->modifiers;
  for (const SortEntry& entry : tail.sort) {
    SortKey key;
    key.value = make_column(context, static_cast<std::uint32_t>(entry.target),
                            node.types[entry.target], node.modifiers[entry.target]);
    key.order = entry.order;
    node.sort_keys.push_back(std::move(key));
  }
  const double rows = std::max(2.0, input.node->rows_estimate);
  node.rows_estimate = input.node->rows_estimate;
  node.cost_estimate = input.node->cost_estimate + rows * std::log2(rows) * 0.1 * cost::kSortRow;
  // OFFSET skips from what is kept; a volatile LIMIT would not be the same twice.
  if (tail.limit != nullptr && !is_volatile(*tail.limit)) node.limit = rows_kept(context, tail);
  made.ids = std::move(input.ids);
  node.inputs.push_back(std::move(input.node));
  return made;
}

}  // namespace

Result<Planned> aggregate(BindContext&, Planned input, std::vector<GroupKey> groups,
                          std::vector<AggregateUse> calls) {
  Planned made;
  if (counts_condition(input, groups, calls)) {
    made.node = std::make_shared<PlanNode>();
    made.node->kind = PlanNode::Kind::kCountOnly;
    made.node->table = input.node->table;
    made.node->condition = std::move(input.node->condition);
    made.node->types = {type_oid::kInt8};
    made.node->modifiers = {-1};
    made.node->rows_estimate = 1;
    made.node->cost_estimate = input.node->rows_estimate * cost::kIndexRow;
    made.ids = {calls.front().id};
    return made;
  }
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.kind = PlanNode::Kind::kAggregate;
  for (GroupKey& key : groups) {
    node.types.push_back(key.value->type);
    node.modifiers.push_back(key.value->modifier);
    made.ids.push_back(key.id);
    COPPICE_TRY(resolve_columns(*key.value, input.ids));
    node.groups.push_back(std::move(key.value));
  }
  for (AggregateUse& use : calls) {
    node.types.push_back(use.type);
    node.modifiers.push_back(-1);
    made.ids.push_back(use.id);
    for (const ExpressionRef& argument : use.call.arguments)
      COPPICE_TRY(resolve_columns(*argument, input.ids));
    if (use.call.filter != nullptr) COPPICE_TRY(resolve_columns(*use.call.filter, input.ids));
    node.calls.push_back(std::move(use.call));
  }
  const double rows = input.node->rows_estimate;
  node.rows_estimate = node.groups.empty() ? 1 : std::max(1.0, std::sqrt(rows));
  node.cost_estimate = input.node->cost_estimate + rows * cost::kHashRow;
  node.inputs.push_back(std::move(input.node));
  return made;
}

Result<Planned> finish_outputs(BindContext& context, Planned input,
                               std::vector<ExpressionRef> values, std::size_t width,
                               bool is_distinct, OrderAndLimit tail) {
  const bool in_order = input.ordered;
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < values.size(); ++i) ids.push_back(context.new_column_id());
  Planned output = COPPICE_TRY(project(std::move(input), std::move(values), ids));
  if (is_distinct) output = COPPICE_TRY(distinct(std::move(output)));
  if (!tail.sort.empty() && !in_order) output = sorted(context, std::move(output), tail);
  output = COPPICE_TRY(limited(std::move(output), std::move(tail.limit), std::move(tail.offset)));
  if (ids.size() == width) return output;
  std::vector<ExpressionRef> seen;
  for (std::size_t i = 0; i < width; ++i)
    seen.push_back(make_column(context, ids[i], output.node->types[i], output.node->modifiers[i]));
  ids.resize(width);
  return project(std::move(output), std::move(seen), ids);
}

}  // namespace coppice::planner
