// nodes.cpp — the simple nodes.
#include "modules/planner/plan/nodes.h"

#include <algorithm>
#include <utility>

namespace coppice::planner {

namespace {

using Kind = PlanNode::Kind;

Planned over(Planned input, Kind kind) {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  made.node->kind = kind;
  made.node->types = input.node->types;
  made.node->modifiers = input.node->modifiers;
  made.node->rows_estimate = input.node->rows_estimate;
  made.node->cost_estimate = input.node->cost_estimate;
  made.ids = std::move(input.ids);
  made.ordered = input.ordered;
  made.node->inputs.push_back(std::move(input.node));
  return made;
}

bool changes_nothing(const Planned& input, const std::vector<ExpressionRef>& values) {
  if (values.size() != input.ids.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]->kind != Expression::Kind::kColumn || values[i]->ordinal != input.ids[i] ||
        values[i]->type != input.node->types[i] || values[i]->modifier != input.node->modifiers[i])
      return false;
  return true;
}

}  // namespace

double guessed_selectivity(const Expression& condition) {
  using E = Expression::Kind;
  switch (condition.kind) {
    case E::kAnd: {
      double part = 1;
      for (const ExpressionRef& argument : condition.arguments)
        part *= guessed_selectivity(*argument);
      return std::max(part, 0.0001);
    }
    case E::kOr: {
      double part = 0;
      for (const ExpressionRef& argument : condition.arguments)
        part += guessed_selectivity(*argument);
      return std::min(part, 1.0);
    }
    case E::kNot:
      return 1 - guessed_selectivity(*condition.arguments.front());
    case E::kIsNull:
      return 0.005;
    case E::kIsNotNull:
      return 0.995;
    case E::kInList:
      return std::min(1.0, 0.005 * static_cast<double>(condition.arguments.size() - 1));
    case E::kCall: {
      const std::string& name = condition.function->name;
      if (name.ends_with("eq")) return 0.005;
      if (name.ends_with("ne")) return 0.995;
      return 0.333;
    }
    default:
      return 0.5;
  }
}

Result<Planned> filter(Planned input, ExpressionRef condition) {
  if (condition == nullptr) return input;
  const double part = guessed_selectivity(*condition);
  COPPICE_TRY(resolve_columns(*condition, input.ids));
  Planned made = over(std::move(input), Kind::kFilter);
  made.node->filter = std::move(condition);
  made.node->rows_estimate = std::max(1.0, made.node->rows_estimate * part);
  return made;
}

Result<Planned> project(Planned input, std::vector<ExpressionRef> values,
                        std::vector<std::uint32_t> ids) {
  if (changes_nothing(input, values)) {
    input.ids = std::move(ids);
    return input;
  }
  Planned made = over(std::move(input), Kind::kProject);
  made.node->types.clear();
  made.node->modifiers.clear();
  for (const ExpressionRef& value : values) {
    made.node->types.push_back(value->type);
    made.node->modifiers.push_back(value->modifier);
    COPPICE_TRY(resolve_columns(*value, made.ids));
  }
  made.node->projections = std::move(values);
  made.ids = std::move(ids);
  return made;
}

Result<Planned> distinct(Planned input) {
  Planned made = over(std::move(input), Kind::kDistinct);
  made.node->cost_estimate += cost::kHashRow * made.node->rows_estimate;
  made.ordered = false;
  return made;
}

Result<Planned> limited(Planned input, ExpressionRef limit, ExpressionRef offset) {
  if (limit == nullptr && offset == nullptr) return input;
  Planned made = over(std::move(input), Kind::kLimit);
  if (limit != nullptr && is_constant(*limit)) {
    made.node->rows_estimate =
        std::min(made.node->rows_estimate,
                 std::max(0.0, static_cast<double>(limit->value.datum().as_int())));
  }
  made.node->limit = std::move(limit);
  made.node->offset = std::move(offset);
  return made;
}

Planned one_row() {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  made.node->rows.emplace_back();
  made.node->rows_estimate = 1;
  return made;
}

Planned no_rows(std::vector<TypeOid> types, std::vector<std::int32_t> modifiers,
                std::vector<std::uint32_t> ids) {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  made.node->types = std::move(types);
  made.node->modifiers = std::move(modifiers);
  made.ids = std::move(ids);
  return made;
}

}  // namespace coppice::planner
