// access_path.h — one relation and its conditions to a plan.
//
// Parks:    when it asks the engine for counts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modules/planner/bind/from.h"
#include "modules/planner/plan/from_planner.h"
#include "modules/planner/plan/nodes.h"

namespace coppice::planner {

// `needed` is sorted and has each column as often as anything reads it, the conditions included: a
// column that only conditions read which an index answers is not read at all. The plan gives the
// others, in the order of the relation's.
Result<Planned> plan_relation(BindContext& context, Relation& relation,
                              std::span<const std::uint32_t> needed,
                              std::vector<ExpressionRef> conjuncts,
                              const std::optional<OrderWish>& order);

}  // namespace coppice::planner
