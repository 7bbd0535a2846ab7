// query.h — one query level to a plan: what the parts of the binder share.
//
// Role:     bind_select() reads a SELECT, VALUES or set operation; the outputs may then still be
//           coerced (to INSERT's columns, to the other side of a UNION), so that literals take
//           their type where they stand; plan() comes last.
// Owns:     a BoundQuery owns its levels; those around it outlive it.
// Parks:    plan(), when access paths ask the engine for counts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "modules/planner/bind/expression_binder.h"
#include "modules/planner/bind/from.h"

namespace coppice::planner {

struct QueryColumn {
  std::string name = {};
  TypeOid type = 0;
  std::int32_t modifier = -1;
  Oid table = 0;
  std::int16_t attribute = 0;
};

struct PlannedQuery {
  std::shared_ptr<PlanNode> node;
  std::vector<QueryColumn> columns;  // of the node's outputs
};

using Coercion = std::function<Result<ExpressionRef>(ExpressionRef value)>;

class BoundQuery {
 public:
  virtual ~BoundQuery() = default;
  virtual std::size_t width() const = 0;
  virtual const QueryColumn& column(std::size_t index) const = 0;
  // An expression of the output's type, for rules that look at one; unknown where nothing gave it.
  virtual const Expression& output(std::size_t index) const = 0;
  virtual Status coerce(std::size_t index, const Coercion& coercion) = 0;
  // Outputs that are unknown still become text.
  virtual Result<PlannedQuery> plan() = 0;
};
using BoundQueryRef = std::unique_ptr<BoundQuery>;

// What is around a query: null at the top; `boundary` is set for the root of a subquery expression.
struct Surroundings {
  Level* outer = nullptr;
  OuterValues* boundary = nullptr;
  std::span<const CommonTableUse> common_tables = {};
};

Result<BoundQueryRef> bind_select(BindContext& context, const ast::Select& tree,
                                  const Surroundings& around);
Result<PlannedQuery> plan_select(BindContext& context, const ast::Select& tree,
                                 const Surroundings& around);

// The three kinds.
Result<BoundQueryRef> bind_plain_select(BindContext& context, const ast::Select& tree,
                                        const Surroundings& around);
Result<BoundQueryRef> bind_values(BindContext& context, const ast::Select& tree,
                                  const Surroundings& around);
Result<BoundQueryRef> bind_set_operation(BindContext& context, const ast::Select& tree,
                                         const Surroundings& around);

// What a select item without alias is called: a column's or a function's name, else "?column?".
std::string column_name(const ast::Expr& value);

// A select list, or RETURNING: stars expanded.
struct TargetItem {
  ExpressionRef value;
  QueryColumn column = {};
};
Result<std::vector<TargetItem>> bind_targets(BindContext& context, Level& level,
                                             ast::List<ast::Target> targets, Place place);

// ORDER BY, LIMIT, OFFSET of any of the three.
struct SortEntry {
  std::size_t target = 0;  // of the outputs
  KeyOrder order;
};
struct OrderAndLimit {
  std::vector<SortEntry> sort;
  ExpressionRef limit, offset;
};
Result<KeyOrder> sort_order(const BindContext& context, const ast::SortItem& item);
// LIMIT and OFFSET; nulls and absent ones stay null.
Status bind_limits(BindContext& context, Level& level, const ast::Select& tree, OrderAndLimit& to);
// The output that ORDER BY or GROUP BY names by its number; nothing if `tree` is no such constant.
Result<std::optional<std::size_t>> output_by_number(const BindContext& context,
                                                    const ast::Expr& tree, std::size_t width,
                                                    std::string_view clause);

// Common tables become visible in `level`, after those that it inherits.
Status add_common_tables(const BindContext& context, Level& level, const ast::With* with);

// INSERT, UPDATE, DELETE.
struct BulkTuples;  // bulk/bulk_tuples.h
// `more`: tuples after the only one of `tree`, or null. Any error then may be one of theirs, too.
Result<std::shared_ptr<QueryPlan>> bind_insert(BindContext& context, const ast::Insert& tree,
                                               const BulkTuples* more = nullptr);
Result<std::shared_ptr<QueryPlan>> bind_update(BindContext& context, const ast::Update& tree);
Result<std::shared_ptr<QueryPlan>> bind_delete(BindContext& context, const ast::Delete& tree);

}  // namespace coppice::planner
