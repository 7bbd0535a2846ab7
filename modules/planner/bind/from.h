// from.h — the FROM clause: relations, joins, and what names they offer.
//
// Errors:   42P01, 42712, 42703, 42702, 42P10 as PostgreSQL words them.
// Source:   PostgreSQL 15, parse_clause.c (transformFromClauseItem) and parse_relation.c.
#pragma once

#include <memory>
#include <vector>

#include "modules/planner/bind/scope.h"

namespace coppice::planner {

struct RelationColumn {
  std::uint32_t id = 0;
  TypeOid type = 0;
  std::int32_t modifier = -1;
  std::int16_t attribute = 0;
};

// A leaf of FROM: a table, a planned subquery, or a function's rows.
struct Relation {
  TableInfoRef table;
  std::shared_ptr<PlanNode> plan;
  ExpressionRef function;  // a call of a set-returning function
  std::vector<RelationColumn> columns;
  std::optional<std::uint32_t> egid;  // stored tables have it
};

struct FromTree {
  std::size_t relation = 0;  // of a leaf
  JoinKind join = JoinKind::kInner;
  std::unique_ptr<FromTree> left, right;  // null: a leaf
  ExpressionRef condition;                // null: none
};

struct FromClause {
  std::vector<Relation> relations;
  std::unique_ptr<FromTree> tree;  // null: no FROM
};

// Binds the items; their names become visible in `level`.
Status bind_from(BindContext& context, Level& level, ast::List<const ast::FromItem*> items,
                 FromClause& clause);

// A table to change, as the first relation; its names become visible under `alias`.
Result<std::size_t> add_target_table(BindContext& context, Level& level, const TableInfoRef& table,
                                     const ast::RelationName& name, FromClause& clause);

// Joins `tree` to what is there already.
void join_inner(FromClause& clause, std::unique_ptr<FromTree> tree);

}  // namespace coppice::planner
