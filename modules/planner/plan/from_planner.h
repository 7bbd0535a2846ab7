// from_planner.h — FROM and WHERE to a plan: access paths, joins, their order.
//
// Parks:    when it asks the engine for counts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modules/planner/bind/from.h"
#include "modules/planner/plan/nodes.h"

namespace coppice::planner {

// The order that the rows would best come in, and of how many of them anybody looks at.
struct OrderWish {
  struct Key {
    std::uint32_t id = 0;
    KeyOrder order;
  };
  std::vector<Key> keys;
  double rows = 0;
};

struct FromRequest {
  FromClause* clause = nullptr;
  ExpressionRef where;
  std::vector<std::uint32_t> needed;  // columns that the caller reads
  std::optional<OrderWish> order;
};

// A missing FROM is one row without columns.
Result<Planned> plan_from(BindContext& context, FromRequest request);

// Appends the columns that an expression reads.
void collect_columns(const Expression& expression, std::vector<std::uint32_t>& to);

}  // namespace coppice::planner
