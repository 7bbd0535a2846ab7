// index_match.h — which indexes serve the conditions on a table, and how many rows they find.
//
// Parks:    when it asks the engine for counts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modules/planner/plan/restrictions.h"

namespace coppice::planner {

struct IndexMatch {
  IndexCondition condition;
  std::vector<std::size_t> covered;  // the conditions that it says all of
  double rows = 0;                   // estimated
  bool unique = false;               // at most one row, by a unique index
};

class IndexMatcher {
 public:
  IndexMatcher(BindContext& context, const Relation& relation, double table_rows)
      : context_(context), relation_(relation), table_rows_(table_rows) {}

  // The indexes that the snapshot may read.
  std::vector<std::shared_ptr<const IndexInfo>> readable() const;

  // The best that indexes can do together; nothing if none helps.
  std::optional<IndexMatch> best(std::span<const ExpressionRef> conditions) const;

  // One index's leading columns restricted by the conditions; nothing if the first one is not.
  // `outside`: values may come from a join's left side.
  std::optional<IndexMatch> leaf(const std::shared_ptr<const IndexInfo>& index,
                                 std::span<const ExpressionRef> conditions, bool outside) const;

 private:
  std::optional<IndexMatch> any(const Expression& condition) const;
  double estimate(const IndexCondition& leaf) const;
  double guess(const IndexCondition& leaf) const;

  BindContext& context_;
  const Relation& relation_;
  double table_rows_;
};

}  // namespace coppice::planner
