// join_keys.cpp — hash keys out of conditions, and the join nodes.
#include "modules/planner/plan/join_keys.h"

#include <algorithm>
#include <utility>

#include "modules/planner/bind/coerce.h"
#include "modules/planner/plan/index_match.h"
#include "modules/planner/plan/operators.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

bool reads_only(const Expression& expression, const std::vector<std::uint32_t>& ids) {
  return !any_of(expression, [&](const Expression& node) {
    return node.kind == Kind::kColumn &&
           std::find(ids.begin(), ids.end(), node.ordinal) == ids.end();
  });
}

bool reads_any(const Expression& expression) {
  return any_of(expression, [](const Expression& node) { return node.kind == Kind::kColumn; });
}

bool hashable(const BindContext& context, TypeOid type) {
  const SqlType* const known = context.registry().find_type(type);
  return known != nullptr && known->info().equality != Equality::kNone;
}

// Moves `left = right` into the keys, both of one type; leaves the condition as it is otherwise.
Result<bool> take_key(BindContext& context, const JoinRequest& request, ExpressionRef& condition,
                      PlanNode& node) {
  if (!is_equality(context, *condition)) return false;
  ExpressionRef& first = condition->arguments[0];
  ExpressionRef& second = condition->arguments[1];
  if (!reads_any(*first) || !reads_any(*second)) return false;
  bool swapped = false;
  if (reads_only(*first, request.right.ids) && reads_only(*second, request.left.ids)) {
    swapped = true;
  } else if (!reads_only(*first, request.left.ids) || !reads_only(*second, request.right.ids)) {
    return false;
  }
  ExpressionRef& left = swapped ? second : first;
  ExpressionRef& right = swapped ? first : second;
  TypeOid type = left->type;
  if (left->type != right->type) {
    if (can_coerce(context, left->type, right->type, CastContext::kImplicit)) {
      type = right->type;
    } else if (!can_coerce(context, right->type, left->type, CastContext::kImplicit)) {
      return false;
    }
  }
  if (!hashable(context, type)) return false;
  left = COPPICE_TRY(coerce_implicit(context, std::move(left), type));
  right = COPPICE_TRY(coerce_implicit(context, std::move(right), type));
  COPPICE_TRY(resolve_columns(*left, request.left.ids));
  COPPICE_TRY(resolve_columns(*right, request.right.ids));
  node.left_keys.push_back(std::move(left));
  node.right_keys.push_back(std::move(right));
  return true;
}

double hash_cost(const JoinRequest& request) {
  return request.right.node->cost_estimate +
         (request.left.node->rows_estimate + request.right.node->rows_estimate) * cost::kHashRow;
}

struct Lookup {
  IndexMatch match;
  double cost = 0;
};

// An index of the right table that finds each left row's partners for less than reading it all.
std::optional<Lookup> best_lookup(BindContext& context, const JoinRequest& request) {
  const bool fits = request.kind == JoinKind::kInner || request.kind == JoinKind::kLeft;
  if (!fits || request.right_table == nullptr || request.right.scan == nullptr) return {};
  const double left_rows = request.left.node->rows_estimate;
  const IndexMatcher matcher(context, *request.right_table,
                             request.right.scan->node->rows_estimate);
  std::optional<Lookup> best;
  for (const auto& index : matcher.readable()) {
    auto match = matcher.leaf(index, request.conditions, true);
    if (!match || !match->condition.bounds.front().equal) continue;
    const bool joins = any_of(*match->condition.bounds.front().from,
                              [](const Expression& node) { return node.kind == Kind::kColumn; });
    if (!joins) continue;
    const double price = left_rows * (1 + match->rows) * cost::kRandomRow;
    if (!best || price < best->cost) best = Lookup{*std::move(match), price};
  }
  if (!best || best->cost >= hash_cost(request)) return {};
  return best;
}

void shift_columns(Expression& expression, std::uint32_t by) {
  if (expression.kind == Kind::kColumn) expression.ordinal += by;
  for (const ExpressionRef& argument : expression.arguments) shift_columns(*argument, by);
  for (const ExpressionRef& outer : expression.outer) shift_columns(*outer, by);
}

Status resolve_bounds(IndexCondition& leaf, const std::vector<std::uint32_t>& ids) {
  for (IndexBound& bound : leaf.bounds) {
    if (bound.from != nullptr) COPPICE_TRY(resolve_columns(*bound.from, ids));
    if (bound.to != nullptr) COPPICE_TRY(resolve_columns(*bound.to, ids));
    for (const ExpressionRef& item : bound.in_list) COPPICE_TRY(resolve_columns(*item, ids));
  }
  return {};
}

// Both sides' columns, left ones first.
Planned side_by_side(const JoinRequest& request) {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  made.node->join = request.kind;
  for (const Planned* const side : {&request.left, &request.right}) {
    made.ids.insert(made.ids.end(), side->ids.begin(), side->ids.end());
    const PlanNode& from = *side->node;
    made.node->types.insert(made.node->types.end(), from.types.begin(), from.types.end());
    made.node->modifiers.insert(made.node->modifiers.end(), from.modifiers.begin(),
                                from.modifiers.end());
  }
  return made;
}

Result<Planned> join_by_lookup(BindContext& context, JoinRequest request, Lookup lookup) {
  const std::shared_ptr<Planned> right = std::move(request.right.scan);
  PlanNode& scan = *right->node;
  request.right = *right;
  Planned made = side_by_side(request);
  PlanNode& node = *made.node;
  node.kind = PlanNode::Kind::kLookupJoin;
  node.table = scan.table;
  node.columns = scan.columns;
  node.with_egid = scan.with_egid;
  node.condition = std::move(lookup.match.condition);
  COPPICE_TRY(resolve_bounds(node.condition, request.left.ids));
  std::vector<ExpressionRef> rest;
  for (std::size_t i = 0; i < request.conditions.size(); ++i) {
    const auto& covered = lookup.match.covered;
    if (std::find(covered.begin(), covered.end(), i) != covered.end()) continue;
    COPPICE_TRY(resolve_columns(*request.conditions[i], made.ids));
    rest.push_back(std::move(request.conditions[i]));
  }
  if (scan.filter != nullptr) {
    shift_columns(*scan.filter, static_cast<std::uint32_t>(request.left.ids.size()));
    rest.push_back(std::move(scan.filter));
  }
  const double left_rows = request.left.node->rows_estimate;
  double rows = left_rows * lookup.match.rows;
  node.filter = make_and(context, std::move(rest));
  if (node.filter != nullptr) rows *= guessed_selectivity(*node.filter);
  if (request.kind == JoinKind::kLeft) rows = std::max(rows, left_rows);
  node.rows_estimate = std::max(1.0, rows);
  node.cost_estimate = request.left.node->cost_estimate + lookup.cost;
  node.inputs.push_back(std::move(request.left.node));
  return made;
}

}  // namespace

Result<Planned> join(BindContext& context, JoinRequest request) {
  if (auto lookup = best_lookup(context, request))
    return join_by_lookup(context, std::move(request), *std::move(lookup));
  // The right side is kept in memory: the smaller one.
  if (request.kind == JoinKind::kInner &&
      request.right.node->rows_estimate > request.left.node->rows_estimate) {
    std::swap(request.left, request.right);
    request.right_table = nullptr;
  }
  Planned made = side_by_side(request);
  PlanNode& node = *made.node;
  std::vector<ExpressionRef> rest;
  for (ExpressionRef& condition : request.conditions) {
    const bool taken = COPPICE_TRY(take_key(context, request, condition, node));
    if (!taken) rest.push_back(std::move(condition));
  }
  node.kind = node.left_keys.empty() ? PlanNode::Kind::kNestedLoop : PlanNode::Kind::kHashJoin;
  const double left_rows = request.left.node->rows_estimate;
  const double right_rows = request.right.node->rows_estimate;
  double rows = left_rows * right_rows;
  if (!node.left_keys.empty()) rows = std::max(left_rows, right_rows);
  node.cost_estimate = request.left.node->cost_estimate;
  node.cost_estimate += node.left_keys.empty()
                            ? request.right.node->cost_estimate + left_rows * right_rows * 0.1
                            : hash_cost(request);
  node.filter = make_and(context, std::move(rest));
  if (node.filter != nullptr) {
    rows *= guessed_selectivity(*node.filter);
    COPPICE_TRY(resolve_columns(*node.filter, made.ids));
  }
  if (request.kind == JoinKind::kLeft) rows = std::max(rows, left_rows);
  node.rows_estimate = std::max(1.0, rows);
  node.inputs.push_back(std::move(request.left.node));
  node.inputs.push_back(std::move(request.right.node));
  return made;
}

}  // namespace coppice::planner
