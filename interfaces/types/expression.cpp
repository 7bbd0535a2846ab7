// expression.cpp — copies of expression trees.
#include "interfaces/types/expression.h"

namespace coppice {

namespace {

std::vector<ExpressionRef> clone_all(const std::vector<ExpressionRef>& from) {
  std::vector<ExpressionRef> copies;
  copies.reserve(from.size());
  for (const ExpressionRef& item : from)
    copies.push_back(item == nullptr ? nullptr : item->clone());
  return copies;
}

}  // namespace

ExpressionRef Expression::clone() const {
  auto copy = std::make_unique<Expression>();
  copy->kind = kind;
  copy->type = type;
  copy->modifier = modifier;
  copy->physical = physical;
  copy->value = value;
  copy->ordinal = ordinal;
  copy->function = function;
  copy->arguments = clone_all(arguments);
  copy->subplan = subplan;
  copy->outer = clone_all(outer);
  copy->first_parameter = first_parameter;
  return copy;
}

}  // namespace coppice
