// operators.h — what an operator's function says about its arguments.
#pragma once

#include "modules/planner/bind/expressions.h"

namespace coppice::planner {

// The operator that a call of two arguments stands for; null if none has its function.
const SqlOperator* operator_of(const BindContext& context, const Expression& call);

// a = b, by an operator that an index would serve.
bool is_equality(const BindContext& context, const Expression& expression);

// The strategy with the sides exchanged: a < b is b > a.
IndexStrategy mirrored(IndexStrategy strategy);

}  // namespace coppice::planner
