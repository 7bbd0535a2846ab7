// restrictions.h — what a condition says about one column, as far as an index can use it.
#pragma once

#include <optional>
#include <vector>

#include "modules/planner/bind/from.h"

namespace coppice::planner {

// column = value, column < value …, column IN (…), column IS NULL, column LIKE 'abc%'.
struct Restriction {
  enum class Kind : std::uint8_t { kEqual, kIn, kIsNull, kFrom, kTo, kPrefix } kind = Kind::kEqual;
  std::int16_t attribute = 0;  // 0: egid
  bool inclusive = true;       // kFrom, kTo
  bool exact = true;           // says all that the condition says
  std::vector<ExpressionRef> values;
};

// Nothing: no index could use it. The values look at no column of the relation; `outside` says
// whether they may look at others (a join's left side), or must be known before the plan starts.
std::optional<Restriction> restriction_of(const BindContext& context, const Relation& relation,
                                          const Expression& condition, bool outside);

// The column's attribute if the expression is one of the relation's, 0 for its egid.
std::optional<std::int16_t> attribute_of(const Relation& relation, const Expression& expression);

}  // namespace coppice::planner
