// change.cpp — UPDATE and DELETE, and what all changes share.
#include "modules/planner/bind/change.h"

#include <algorithm>
#include <utility>

#include "modules/planner/bind/bind.h"
#include "modules/planner/bind/relations.h"
#include "modules/planner/plan/from_planner.h"

namespace coppice::planner {

namespace {

using Attributes = std::vector<std::int16_t>;

// UPDATE and DELETE: which rows, and what of them the change needs.
struct ChangedRows {
  Level level;
  FromClause from;
  TableInfoRef table;
  std::size_t relation = 0;

  const RelationColumn& column(std::int16_t attribute) const {
    const auto& columns = from.relations[relation].columns;
    return *std::find_if(columns.begin(), columns.end(), [&](const RelationColumn& column) {
      return column.attribute == attribute;
    });
  }
};

void add_attribute(Attributes& to, std::int16_t attribute) {
  if (std::find(to.begin(), to.end(), attribute) == to.end()) to.push_back(attribute);
}

// Columns of the indexes that a change of `assigned` touches; all indexes for an empty list.
void add_index_columns(const TableInfo& table, const Attributes& assigned, Attributes& to) {
  for (const auto& index : table.indexes) {
    const bool touched =
        assigned.empty() ||
        std::any_of(index->columns.begin(), index->columns.end(), [&](const IndexColumn& column) {
          return std::find(assigned.begin(), assigned.end(), column.attribute) != assigned.end();
        });
    if (!touched) continue;
    for (const IndexColumn& column : index->columns) add_attribute(to, column.attribute);
  }
}

// What RETURNING reads of the table: all its columns for a star; names are looked up later.
void add_returned(const TableInfo& table, ast::List<ast::Target> targets, Attributes& to) {
  if (targets.empty()) return;
  for (const ColumnInfo& column : table.columns)
    if (!column.dropped) add_attribute(to, column.attribute);
}

// What else is read of the changed table comes with its columns, so that nothing is reordered.
void add_read(const ChangedRows& rows, const Expression& expression, Attributes& to) {
  std::vector<std::uint32_t> ids;
  collect_columns(expression, ids);
  for (const RelationColumn& column : rows.from.relations[rows.relation].columns)
    if (std::find(ids.begin(), ids.end(), column.id) != ids.end())
      add_attribute(to, column.attribute);
}

Result<Planned> plan_rows(BindContext& context, ChangedRows& rows, ExpressionRef where,
                          Attributes& attributes, std::span<const ExpressionRef> read) {
  if (where != nullptr) add_read(rows, *where, attributes);
  for (const ExpressionRef& expression : read) add_read(rows, *expression, attributes);
  std::sort(attributes.begin(), attributes.end());
  std::vector<std::uint32_t> ids;
  for (const std::int16_t attribute : attributes) ids.push_back(rows.column(attribute).id);
  ids.push_back(*rows.from.relations[rows.relation].egid);
  FromRequest request;
  request.clause = &rows.from;
  request.where = std::move(where);
  request.needed = ids;
  std::vector<std::uint32_t> others;
  for (const ExpressionRef& expression : read) collect_columns(*expression, others);
  request.needed.insert(request.needed.end(), others.begin(), others.end());
  Planned planned = COPPICE_TRY(plan_from(context, std::move(request)));
  for (const std::uint32_t id : others)
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  // The node's columns may come in another order: the old row's are wanted first.
  std::vector<ExpressionRef> values;
  for (const std::uint32_t id : ids) {
    const auto at = std::find(planned.ids.begin(), planned.ids.end(), id);
    if (at == planned.ids.end())
      return std::unexpected(sql_error(sqlstate::kInternalError, "a changed column is missing"));
    const auto position = static_cast<std::size_t>(at - planned.ids.begin());
    values.push_back(
        make_column(context, id, planned.node->types[position], planned.node->modifiers[position]));
  }
  return project(std::move(planned), std::move(values), std::move(ids));
}

Status start_rows(BindContext& context, ChangedRows& rows, const ast::With* with,
                  const ast::RelationName& name, ast::List<const ast::FromItem*> from) {
  COPPICE_TRY(add_common_tables(context, rows.level, with));
  rows.table = COPPICE_TRY(table_to_change(context, name));
  COPPICE_TRY(bind_from(context, rows.level, from, rows.from));
  ScopeEntries others = rows.level.entries;
  rows.level.entries.clear();
  rows.relation = COPPICE_TRY(add_target_table(context, rows.level, rows.table, name, rows.from));
  COPPICE_TRY(check_names(context, rows.level.entries, others));
  rows.level.entries.insert(rows.level.entries.end(), others.begin(), others.end());
  return {};
}

// SET (a, b) = (1, 2): each column's own part. `several` is the row of the group at hand.
Result<const ast::Expr*> assigned_source(const BindContext& context, const ast::Target& set,
                                         const ast::Row*& several) {
  const auto* const part = ast::find_as<ast::MultiAssign>(set.value);
  if (part == nullptr) return set.value;
  if (part->source != nullptr) several = ast::find_as<ast::Row>(part->source);
  if (several == nullptr)
    return context.unsupported(set.location, "an assignment of a subquery to several columns");
  if (several->items.size() != static_cast<std::size_t>(part->columns)) {
    return context.error(several->location, sqlstate::kSyntaxError,
                         "number of columns does not match number of values");
  }
  return several->items[static_cast<std::size_t>(part->column) - 1];
}

Status bind_sets(BindContext& context, ChangedRows& rows, const ast::Update& tree,
                 Attributes& assigned, std::vector<ExpressionRef>& values) {
  ExpressionBinder binder(context, rows.level, Place::kUpdate);
  const ast::Row* several = nullptr;
  for (const ast::Target& set : tree.sets) {
    const ColumnInfo* const column =
        COPPICE_TRY(target_column(context, *rows.table, set.name, set.location));
    if (!set.steps.empty())
      return context.unsupported(set.location, "an assignment to a part of a column");
    if (std::find(assigned.begin(), assigned.end(), column->attribute) != assigned.end()) {
      return context.error(ast::kNoLocation, sqlstate::kSyntaxError,
                           "multiple assignments to same column " + quoted(column->name));
    }
    const ast::Expr* const source = COPPICE_TRY(assigned_source(context, set, several));
    ExpressionRef value;
    if (source->kind == ast::ExprKind::kDefault) {
      if (column->default_sql.empty()) {
        value = make_null(context, column->type);
      } else {
        value = COPPICE_TRY(bind_default_text(column->default_sql, column->type, column->modifier,
                                              context.plan(), context.registry()));
      }
    } else {
      value = COPPICE_TRY(binder.bind(*source));
      value = COPPICE_TRY(coerce_assignment(context, *column, std::move(value)));
    }
    assigned.push_back(column->attribute);
    values.push_back(std::move(value));
  }
  return {};
}

}  // namespace

Result<TableInfoRef> table_to_change(BindContext& context, const ast::RelationName& name) {
  TableInfoRef table = COPPICE_TRY(resolve_relation(context, name));
  if (table->computed != nullptr) {
    return context.error(ast::kNoLocation, "42501",
                         "permission denied: " + quoted(table->name) + " is a system catalog");
  }
  context.use_table(table, RelationLock::kRowExclusive);
  return table;
}

Result<const ColumnInfo*> target_column(const BindContext& context, const TableInfo& table,
                                        std::string_view name, ast::Location at) {
  const ColumnInfo* const column = table.find_column(name);
  if (column != nullptr && !column->dropped) return column;
  return context.error(
      at, sqlstate::kUndefinedColumn,
      "column " + quoted(name) + " of relation " + quoted(table.name) + " does not exist");
}

Result<ExpressionRef> coerce_assignment(BindContext& context, const ColumnInfo& column,
                                        ExpressionRef value) {
  const TypeOid source = value->type;
  const ast::Location at = value->location;
  ExpressionRef made = COPPICE_TRY(try_coerce(context, std::move(value), column.type,
                                              column.modifier, CastContext::kAssignment, at));
  if (made != nullptr) return made;
  return context.error(at, "42804",
                       "column " + quoted(column.name) + " is of type " +
                           context.type_text(column.type) + " but expression is of type " +
                           context.type_text(source),
                       "You will need to rewrite or cast the expression.");
}

Result<std::shared_ptr<QueryPlan>> finish_change(BindContext& context, QueryPlan::Command command,
                                                 std::shared_ptr<PlanNode> node,
                                                 const ReturningTable& returning,
                                                 ast::List<ast::Target> targets,
                                                 std::span<const CommonTableUse> common_tables) {
  auto plan = std::make_shared<QueryPlan>();
  plan->command = command;
  if (!targets.empty()) {
    Level level;
    level.common_tables.assign(common_tables.begin(), common_tables.end());
    FromClause clause;
    const std::size_t relation =
        COPPICE_TRY(add_target_table(context, level, returning.table, *returning.name, clause));
    std::vector<std::uint32_t> ids;
    for (const std::int16_t attribute : returning.columns)
      for (const RelationColumn& column : clause.relations[relation].columns)
        if (column.attribute == attribute) ids.push_back(column.id);
    ids.push_back(*clause.relations[relation].egid);
    std::vector<TargetItem> items =
        COPPICE_TRY(bind_targets(context, level, targets, Place::kReturning));
    node->has_returning = true;
    for (TargetItem& item : items) {
      item.value = COPPICE_TRY(resolve_unknown(context, std::move(item.value)));
      COPPICE_TRY(resolve_columns(*item.value, ids));
      node->types.push_back(item.value->type);
      node->modifiers.push_back(item.value->modifier);
      plan->output.push_back({item.column.name, item.column.table, item.column.attribute});
      node->returning.push_back(std::move(item.value));
    }
  }
  plan->root = std::move(node);
  return plan;
}

Result<std::shared_ptr<QueryPlan>> bind_update(BindContext& context, const ast::Update& tree) {
  ChangedRows rows;
  COPPICE_TRY(start_rows(context, rows, tree.with, *tree.table, tree.from));
  Attributes assigned;
  std::vector<ExpressionRef> values;
  COPPICE_TRY(bind_sets(context, rows, tree, assigned, values));
  ExpressionRef where;
  if (tree.where != nullptr)
    where = COPPICE_TRY(
        ExpressionBinder(context, rows.level, Place::kWhere).bind_boolean(*tree.where, "WHERE"));
  auto node = std::make_shared<PlanNode>();
  node->kind = PlanNode::Kind::kUpdate;
  node->table = rows.table;
  add_index_columns(*rows.table, assigned, node->columns);
  add_returned(*rows.table, tree.returning, node->columns);
  Planned input = COPPICE_TRY(plan_rows(context, rows, std::move(where), node->columns, values));
  for (ExpressionRef& value : values) {
    COPPICE_TRY(resolve_columns(*value, input.ids));
    node->projections.push_back(std::move(value));
  }
  node->assigned = std::move(assigned);
  node->rows_estimate = input.node->rows_estimate;
  node->cost_estimate = input.node->cost_estimate + node->rows_estimate * cost::kRandomRow;
  node->inputs.push_back(std::move(input.node));
  const ReturningTable returning{.table = rows.table, .name = tree.table, .columns = node->columns};
  return finish_change(context, QueryPlan::Command::kUpdate, std::move(node), returning,
                       tree.returning, rows.level.common_tables);
}

Result<std::shared_ptr<QueryPlan>> bind_delete(BindContext& context, const ast::Delete& tree) {
  ChangedRows rows;
  COPPICE_TRY(start_rows(context, rows, tree.with, *tree.table, tree.using_items));
  ExpressionRef where;
  if (tree.where != nullptr)
    where = COPPICE_TRY(
        ExpressionBinder(context, rows.level, Place::kWhere).bind_boolean(*tree.where, "WHERE"));
  auto node = std::make_shared<PlanNode>();
  node->kind = PlanNode::Kind::kDelete;
  node->table = rows.table;
  add_index_columns(*rows.table, {}, node->columns);
  add_returned(*rows.table, tree.returning, node->columns);
  Planned input = COPPICE_TRY(plan_rows(context, rows, std::move(where), node->columns, {}));
  node->rows_estimate = input.node->rows_estimate;
  node->cost_estimate = input.node->cost_estimate + node->rows_estimate * cost::kRandomRow;
  node->inputs.push_back(std::move(input.node));
  const ReturningTable returning{.table = rows.table, .name = tree.table, .columns = node->columns};
  return finish_change(context, QueryPlan::Command::kDelete, std::move(node), returning,
                       tree.returning, rows.level.common_tables);
}

}  // namespace coppice::planner
