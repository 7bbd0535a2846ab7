// nodes.h — plan nodes on top of others, with the numbers of the columns that they give.
//
// Role:     every maker takes expressions on numbers of columns and turns them into positions.
// Threads:  any.   Parks: never.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interfaces/types/plan.h"
#include "modules/planner/bind/expressions.h"

namespace coppice::planner {

// A node and, for each of its outputs, the number by which expressions know it.
struct Planned {
  std::shared_ptr<PlanNode> node;
  std::vector<std::uint32_t> ids = {};
  bool ordered = false;  // as the caller wished
  // A table by itself: all its rows under the same conditions, for joins by index look-ups.
  std::shared_ptr<Planned> scan = {};
};

// Costs are in units of one row passed on by a scan.
namespace cost {
inline constexpr double kRow = 1, kRandomRow = 4, kIndexRow = 0.05, kSortRow = 2, kHashRow = 1.5;
}

Result<Planned> filter(Planned input, ExpressionRef condition);
// Outputs are `values`, known as `ids`; the node is left out where it would change nothing.
Result<Planned> project(Planned input, std::vector<ExpressionRef> values,
                        std::vector<std::uint32_t> ids);
Result<Planned> distinct(Planned input);
Result<Planned> limited(Planned input, ExpressionRef limit, ExpressionRef offset);
// One row without columns: SELECT without FROM.
Planned one_row();
// No rows; columns as wished.
Planned no_rows(std::vector<TypeOid> types, std::vector<std::int32_t> modifiers,
                std::vector<std::uint32_t> ids);

// The part of the rows that a condition keeps, where nothing better is known.
double guessed_selectivity(const Expression& condition);

}  // namespace coppice::planner
