// join_keys.h — one join of two plans: by hash, by index look-ups, or by trying every pair.
#pragma once

#include <vector>

#include "modules/planner/bind/from.h"
#include "modules/planner/plan/nodes.h"

namespace coppice::planner {

struct JoinRequest {
  Planned left, right;
  JoinKind kind = JoinKind::kInner;
  std::vector<ExpressionRef> conditions;
  const Relation* right_table = nullptr;  // set: `right` reads this relation alone
};

Result<Planned> join(BindContext& context, JoinRequest request);

}  // namespace coppice::planner
