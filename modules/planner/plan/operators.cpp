// operators.cpp — functions back to operators.
#include "modules/planner/plan/operators.h"

namespace coppice::planner {

namespace {

// The names of operators that indexes serve: few, so that a search stays short.
constexpr std::string_view kIndexable[] = {"=", "<", "<=", ">", ">=", "~~"};

}  // namespace

const SqlOperator* operator_of(const BindContext& context, const Expression& call) {
  if (call.kind != Expression::Kind::kCall || call.arguments.size() != 2) return nullptr;
  for (const std::string_view name : kIndexable) {
    const std::span<const SqlOperator* const> operators = context.registry().operators(name);
    for (const SqlOperator* const op : operators)
      if (op->function == call.function && op->left != 0) return op;
  }
  return nullptr;
}

bool is_equality(const BindContext& context, const Expression& expression) {
  const SqlOperator* const op = operator_of(context, expression);
  return op != nullptr && op->strategy == IndexStrategy::kEqual;
}

IndexStrategy mirrored(IndexStrategy strategy) {
  switch (strategy) {
    case IndexStrategy::kLess:
      return IndexStrategy::kGreater;
    case IndexStrategy::kLessEqual:
      return IndexStrategy::kGreaterEqual;
    case IndexStrategy::kGreater:
      return IndexStrategy::kLess;
    case IndexStrategy::kGreaterEqual:
      return IndexStrategy::kLessEqual;
    case IndexStrategy::kEqual:
      return IndexStrategy::kEqual;
    case IndexStrategy::kNone:
    case IndexStrategy::kPrefix:
      return IndexStrategy::kNone;
  }
  return IndexStrategy::kNone;
}

}  // namespace coppice::planner
