// access_path.cpp — how a relation's rows are reached.
#include "modules/planner/plan/access_path.h"

#include <algorithm>
#include <utility>

namespace coppice::planner {

namespace {

constexpr double kRowsUnknown = 1000;

double row_count(BindContext& context, const TableInfo& table) {
  const PlanContext& plan = context.plan();
  if (plan.engine == nullptr || table.computed != nullptr) return kRowsUnknown;
  const auto count = plan.engine->row_count_estimate(plan.view, table.storage);
  return count ? std::max(1.0, static_cast<double>(*count)) : kRowsUnknown;
}

Planned table_node(const Relation& relation, std::span<const std::uint32_t> needed) {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.kind =
      relation.table->computed != nullptr ? PlanNode::Kind::kComputed : PlanNode::Kind::kScan;
  node.table = relation.table;
  for (const RelationColumn& column : relation.columns) {
    if (!std::binary_search(needed.begin(), needed.end(), column.id)) continue;
    node.columns.push_back(column.attribute);
    node.types.push_back(column.type);
    node.modifiers.push_back(column.modifier);
    made.ids.push_back(column.id);
  }
  if (relation.egid && std::binary_search(needed.begin(), needed.end(), *relation.egid)) {
    node.with_egid = true;
    node.types.push_back(type_oid::kInt8);
    node.modifiers.push_back(-1);
    made.ids.push_back(*relation.egid);
  }
  return made;
}

Planned other_node(Relation& relation) {
  Planned made;
  for (const RelationColumn& column : relation.columns) made.ids.push_back(column.id);
  if (relation.plan != nullptr) {
    made.node = std::move(relation.plan);
    return made;
  }
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.kind = PlanNode::Kind::kFunction;
  node.function = relation.function->function;
  node.projections = std::move(relation.function->arguments);
  node.rows_estimate = kRowsUnknown;
  for (const RelationColumn& column : relation.columns) {
    node.types.push_back(column.type);
    node.modifiers.push_back(column.modifier);
  }
  return made;
}

}  // namespace

Result<Planned> plan_relation(BindContext& context, Relation& relation,
                              std::span<const std::uint32_t> needed,
                              std::vector<ExpressionRef> conjuncts,
                              const std::optional<OrderWish>&) {
  if (relation.table == nullptr)
    return filter(other_node(relation), make_and(context, std::move(conjuncts)));
  Planned made = table_node(relation, needed);
  made.node->rows_estimate = row_count(context, *relation.table);
  made.node->cost_estimate = made.node->rows_estimate * cost::kRow;
  ExpressionRef condition = make_and(context, std::move(conjuncts));
  if (condition == nullptr) return made;
  if (relation.table->computed != nullptr) return filter(std::move(made), std::move(condition));
  made.node->rows_estimate =
      std::max(1.0, made.node->rows_estimate * guessed_selectivity(*condition));
  COPPICE_TRY(resolve_columns(*condition, made.ids));
  made.node->filter = std::move(condition);
  return made;
}

}  // namespace coppice::planner
