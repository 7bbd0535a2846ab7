// change.h — what INSERT, UPDATE and DELETE share.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "modules/planner/bind/query.h"

namespace coppice::planner {

// The table of the statement, locked for changes. 42P01; 42501 for system catalogs.
Result<TableInfoRef> table_to_change(BindContext& context, const ast::RelationName& name);

// 42703 column "x" of relation "t" does not exist.
Result<const ColumnInfo*> target_column(const BindContext& context, const TableInfo& table,
                                        std::string_view name, ast::Location at);

// As PostgreSQL assigns: 42804 column "a" is of type integer but expression is of type text.
Result<ExpressionRef> coerce_assignment(BindContext& context, const ColumnInfo& column,
                                        ExpressionRef value);

// RETURNING sees the table's columns in the order in which the node gives them.
struct ReturningTable {
  TableInfoRef table;
  const ast::RelationName* name = nullptr;
  std::vector<std::int16_t> columns;
};
Result<std::shared_ptr<QueryPlan>> finish_change(BindContext& context, QueryPlan::Command command,
                                                 std::shared_ptr<PlanNode> node,
                                                 const ReturningTable& returning,
                                                 ast::List<ast::Target> targets,
                                                 std::span<const CommonTableUse> common_tables);

}  // namespace coppice::planner
