// access_path.cpp — how a relation's rows are reached: by scan, by indexes, by their egids.
#include "modules/planner/plan/access_path.h"

#include <algorithm>
#include <utility>

#include "modules/planner/bind/coerce.h"
#include "modules/planner/plan/index_match.h"

namespace coppice::planner {

namespace {

using Conjuncts = std::vector<ExpressionRef>;

constexpr double kRowsUnknown = 1000;
// A prepared plan outlives the smallness of a table, and on a small one every plan is quick.
constexpr double kRowsLeast = 1000;

double row_count(BindContext& context, const TableInfo& table) {
  const PlanContext& plan = context.plan();
  if (plan.engine == nullptr || table.computed != nullptr) return kRowsUnknown;
  const auto count = plan.engine->row_count_estimate(plan.view, table.storage);
  return count ? std::max(kRowsLeast, static_cast<double>(*count)) : kRowsUnknown;
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

// How an index gives rows in the order that is wished for.
struct OrderedPath {
  IndexMatch match;
  Direction direction = Direction::kForward;
  double cost = 0;
};

class AccessPlanner {
 public:
  AccessPlanner(BindContext& context, Relation& relation, std::span<const std::uint32_t> needed,
                Conjuncts conjuncts)
      : context_(context),
        relation_(relation),
        needed_(needed.begin(), needed.end()),
        conjuncts_(std::move(conjuncts)),
        table_rows_(row_count(context, *relation.table)),
        matcher_(context, relation, table_rows_) {}

  Result<Planned> plan(const std::optional<OrderWish>& order);

 private:
  bool take_egids();
  std::optional<OrderedPath> ordered_path(const OrderWish& wish) const;
  std::optional<Direction> direction_of(const IndexCondition& condition,
                                        const OrderWish& wish) const;
  std::optional<OrderedPath> ordered_by(const std::shared_ptr<const IndexInfo>& index,
                                        const OrderWish& wish) const;
  Status keep_scan();
  void drop(const std::vector<std::size_t>& covered);
  void use_bitmap(IndexMatch match);
  void use_order(OrderedPath path);
  Status finish();

  BindContext& context_;
  Relation& relation_;
  std::vector<std::uint32_t> needed_;  // sorted, once for each reader
  Planned made_;
  Conjuncts conjuncts_;
  double table_rows_;
  IndexMatcher matcher_;
};

// WHERE egid = n, WHERE egid IN (…).
bool AccessPlanner::take_egids() {
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    auto found = restriction_of(context_, relation_, *conjuncts_[i], false);
    if (!found || found->attribute != 0 ||
        (found->kind != Restriction::Kind::kEqual && found->kind != Restriction::Kind::kIn))
      continue;
    PlanNode& node = *made_.node;
    node.kind = PlanNode::Kind::kEgidLookup;
    node.rows_estimate = static_cast<double>(found->values.size());
    node.cost_estimate = node.rows_estimate * cost::kRandomRow;
    for (ExpressionRef& value : found->values) {
      if (value->type == type_oid::kInt8) continue;
      auto widened = coerce_implicit(context_, std::move(value), type_oid::kInt8);
      if (!widened) return false;
      value = *std::move(widened);
    }
    node.rows.push_back(std::move(found->values));
    drop({i});
    return true;
  }
  return false;
}

// The direction in which an index, its bounds fixing some columns, gives rows as wished.
std::optional<Direction> AccessPlanner::direction_of(const IndexCondition& condition,
                                                     const OrderWish& wish) const {
  const IndexInfo& index = *condition.index;
  const auto fixed = [&](std::size_t column) {
    return column < condition.bounds.size() &&
           (condition.bounds[column].equal || condition.bounds[column].is_null);
  };
  std::size_t at = 0;
  while (fixed(at)) ++at;
  std::optional<Direction> direction;
  for (const OrderWish::Key& key : wish.keys) {
    const auto column =
        std::find_if(relation_.columns.begin(), relation_.columns.end(),
                     [&](const RelationColumn& candidate) { return candidate.id == key.id; });
    if (column == relation_.columns.end()) return {};
    bool one_value = false;
    for (std::size_t i = 0; fixed(i); ++i)
      one_value |= index.columns[i].attribute == column->attribute;
    if (one_value) continue;
    if (at == index.columns.size() || index.columns[at].attribute != column->attribute) return {};
    const KeyOrder has = index.columns[at].order;
    const bool same_way = has.descending == key.order.descending;
    if ((has.nulls_first == key.order.nulls_first) != same_way) return {};
    const Direction needed = same_way ? Direction::kForward : Direction::kBackward;
    if (direction && *direction != needed) return {};
    direction = needed;
    ++at;
  }
  return direction.value_or(Direction::kForward);
}

std::optional<OrderedPath> AccessPlanner::ordered_by(const std::shared_ptr<const IndexInfo>& index,
                                                     const OrderWish& wish) const {
  OrderedPath path;
  if (auto match = matcher_.leaf(index, conjuncts_, false)) {
    path.match = *std::move(match);
  } else {
    path.match.condition.index = index;
    path.match.rows = table_rows_;
  }
  for (const IndexBound& bound : path.match.condition.bounds)
    if (!bound.in_list.empty()) return {};  // several ranges: not in order
  const auto direction = direction_of(path.match.condition, wish);
  if (!direction) return {};
  path.direction = *direction;
  double part = 1;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    const auto& covered = path.match.covered;
    if (std::find(covered.begin(), covered.end(), i) == covered.end())
      part *= guessed_selectivity(*conjuncts_[i]);
  }
  path.cost = std::min(path.match.rows, wish.rows / std::max(part, 0.0001)) * cost::kRandomRow;
  return path;
}

std::optional<OrderedPath> AccessPlanner::ordered_path(const OrderWish& wish) const {
  std::optional<OrderedPath> best;
  for (const auto& index : matcher_.readable()) {
    auto path = ordered_by(index, wish);
    if (path && (!best || path->cost < best->cost)) best = std::move(path);
  }
  return best;
}

// The whole table with all conditions, for a join that looks rows up itself.
Status AccessPlanner::keep_scan() {
  auto scan = std::make_shared<Planned>(table_node(relation_, needed_));
  scan->node->rows_estimate = table_rows_;
  Conjuncts copies;
  for (const ExpressionRef& conjunct : conjuncts_) copies.push_back(conjunct->clone());
  scan->node->filter = make_and(context_, std::move(copies));
  if (scan->node->filter != nullptr) COPPICE_TRY(resolve_columns(*scan->node->filter, scan->ids));
  made_.scan = std::move(scan);
  return {};
}

void AccessPlanner::drop(const std::vector<std::size_t>& covered) {
  Conjuncts rest;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    if (std::find(covered.begin(), covered.end(), i) == covered.end()) {
      rest.push_back(std::move(conjuncts_[i]));
      continue;
    }
    std::vector<std::uint32_t> read;
    collect_columns(*conjuncts_[i], read);
    for (const std::uint32_t id : read) {
      const auto reader = std::lower_bound(needed_.begin(), needed_.end(), id);
      if (reader != needed_.end() && *reader == id) needed_.erase(reader);
    }
  }
  conjuncts_ = std::move(rest);
}

void AccessPlanner::use_bitmap(IndexMatch match) {
  PlanNode& node = *made_.node;
  node.kind = PlanNode::Kind::kBitmapScan;
  node.rows_estimate = match.rows;
  node.cost_estimate = match.rows * cost::kRandomRow;
  node.condition = std::move(match.condition);
  drop(match.covered);
}

void AccessPlanner::use_order(OrderedPath path) {
  PlanNode& node = *made_.node;
  node.kind = PlanNode::Kind::kIndexOrder;
  node.direction = path.direction;
  node.rows_estimate = path.match.rows;
  node.cost_estimate = path.cost;
  node.condition = std::move(path.match.condition);
  made_.ordered = true;
  drop(path.match.covered);
}

// What no index says is looked at row by row; subqueries last.
Status AccessPlanner::finish() {
  Conjuncts cheap, costly;
  for (ExpressionRef& conjunct : conjuncts_) {
    const bool subquery =
        any_of(*conjunct, [](const Expression& node) { return node.subplan != nullptr; });
    (subquery ? costly : cheap).push_back(std::move(conjunct));
  }
  for (ExpressionRef& conjunct : costly) cheap.push_back(std::move(conjunct));
  ExpressionRef condition = make_and(context_, std::move(cheap));
  PlanNode& node = *made_.node;
  Planned columns = table_node(relation_, needed_);
  node.table = columns.node->table;
  node.columns = std::move(columns.node->columns);
  node.with_egid = columns.node->with_egid;
  node.types = std::move(columns.node->types);
  node.modifiers = std::move(columns.node->modifiers);
  made_.ids = std::move(columns.ids);
  if (condition == nullptr) return {};
  node.rows_estimate = std::max(1.0, node.rows_estimate * guessed_selectivity(*condition));
  COPPICE_TRY(resolve_columns(*condition, made_.ids));
  node.filter = std::move(condition);
  return {};
}

Result<Planned> AccessPlanner::plan(const std::optional<OrderWish>& order) {
  made_.node = std::make_shared<PlanNode>();
  PlanNode& node = *made_.node;
  node.kind = PlanNode::Kind::kScan;
  node.rows_estimate = table_rows_;
  node.cost_estimate = table_rows_ * cost::kRow;
  if (!relation_.table->indexes.empty()) COPPICE_TRY(keep_scan());
  if (!take_egids()) {
    auto match = matcher_.best(conjuncts_);
    std::optional<OrderedPath> path;
    if (order) path = ordered_path(*order);
    // Without counts every index is taken; a scan is cheaper where it finds most of the rows.
    const double scan_cost = node.cost_estimate;
    const double bitmap_cost = match ? match->rows * cost::kRandomRow : scan_cost;
    const bool bitmap = match && (context_.plan().engine == nullptr || bitmap_cost < scan_cost);
    if (path && path->cost <= (bitmap ? bitmap_cost : scan_cost)) {
      use_order(*std::move(path));
    } else if (bitmap) {
      use_bitmap(*std::move(match));
    }
  }
  COPPICE_TRY(finish());
  return std::move(made_);
}

}  // namespace

Result<Planned> plan_relation(BindContext& context, Relation& relation,
                              std::span<const std::uint32_t> needed,
                              std::vector<ExpressionRef> conjuncts,
                              const std::optional<OrderWish>& order) {
  if (relation.table == nullptr)
    return filter(other_node(relation), make_and(context, std::move(conjuncts)));
  if (relation.table->computed != nullptr) {
    Planned made = table_node(relation, needed);
    made.node->rows_estimate = kRowsUnknown;
    return filter(std::move(made), make_and(context, std::move(conjuncts)));
  }
  return AccessPlanner(context, relation, needed, std::move(conjuncts)).plan(order);
}

}  // namespace coppice::planner
