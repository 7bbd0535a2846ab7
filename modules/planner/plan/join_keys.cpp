// join_keys.cpp — hash keys out of conditions, and the join nodes.
#include "modules/planner/plan/join_keys.h"

#include <algorithm>
#include <utility>

#include "modules/planner/bind/coerce.h"
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

}  // namespace

Result<Planned> join(BindContext& context, JoinRequest request) {
  // The right side is kept in memory: the smaller one.
  if (request.kind == JoinKind::kInner &&
      request.right.node->rows_estimate > request.left.node->rows_estimate) {
    std::swap(request.left, request.right);
    request.right_table = nullptr;
  }
  Planned made;
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.join = request.kind;
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
  node.cost_estimate = request.left.node->cost_estimate + request.right.node->cost_estimate;
  node.cost_estimate += node.left_keys.empty() ? left_rows * right_rows * 0.1
                                               : (left_rows + right_rows) * cost::kHashRow;
  made.ids = std::move(request.left.ids);
  made.ids.insert(made.ids.end(), request.right.ids.begin(), request.right.ids.end());
  node.types = request.left.node->types;
  node.modifiers = request.left.node->modifiers;
  node.types.insert(node.types.end(), request.right.node->types.begin(),
                    request.right.node->types.end());
  node.modifiers.insert(node.modifiers.end(), request.right.node->modifiers.begin(),
                        request.right.node->modifiers.end());
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
