// expression.cpp — copies of expression trees.
#include "interfaces/types/expression.h"

#include <utility>

namespace coppice {

namespace {

// What is still to be copied. A list, so that a deep tree takes no stack.
using Pending = std::vector<std::pair<const Expression*, ExpressionRef*>>;

void plan_copies(const std::vector<ExpressionRef>& from, std::vector<ExpressionRef>& to,
                 Pending& pending) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != nullptr) pending.emplace_back(from[i].get(), &to[i]);
  }
}

ExpressionRef copy_without_children(const Expression& from) {
  auto copy = std::make_unique<Expression>();
  copy->kind = from.kind;
  copy->type = from.type;
  copy->modifier = from.modifier;
  copy->physical = from.physical;
  copy->location = from.location;
  copy->value = from.value;
  copy->ordinal = from.ordinal;
  copy->function = from.function;
  copy->subplan = from.subplan;
  copy->first_parameter = from.first_parameter;
  return copy;
}

}  // namespace

ExpressionRef Expression::clone() const {
  ExpressionRef root;
  Pending pending = {{this, &root}};
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    *to = copy_without_children(*from);
    plan_copies(from->arguments, (*to)->arguments, pending);
    plan_copies(from->outer, (*to)->outer, pending);
  }
  return root;
}

}  // namespace coppice
