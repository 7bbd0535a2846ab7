// insert.cpp — INSERT: its columns, its rows, defaults.
#include <algorithm>
#include <utility>

#include "modules/planner/bind/bind.h"
#include "modules/planner/bind/change.h"
#include "modules/planner/bind/query.h"
#include "modules/planner/bulk/bulk_tuples.h"
#include "modules/planner/plan/nodes.h"

namespace coppice::planner {

namespace {

class InsertBinder {
 public:
  InsertBinder(BindContext& context, const ast::Insert& tree, const BulkTuples* more)
      : context_(context), tree_(tree), more_(more) {}

  Result<std::shared_ptr<QueryPlan>> bind();

 private:
  Status refuse_missing() const;
  Status find_columns();
  // Which target takes what: `given` expressions for the first targets.
  Status check_width(std::size_t given, ast::Location first_extra) const;
  Result<ExpressionRef> assign(std::size_t target, ExpressionRef value);
  Result<Planned> plan_values(const ast::Select& values);
  Status add_tuples(PlanNode& node);
  Result<Planned> plan_source();
  Result<ExpressionRef> default_of(const ColumnInfo& column);

  BindContext& context_;
  const ast::Insert& tree_;
  const BulkTuples* more_;
  Level level_;
  TableInfoRef table_;
  std::vector<const ColumnInfo*> targets_;
  std::size_t given_ = 0;  // how many targets the source gives
};

Status InsertBinder::refuse_missing() const {
  if (tree_.on_conflict != nullptr)
    return context_.unsupported(tree_.on_conflict->location, "ON CONFLICT");
  if (tree_.overriding != ast::Overriding::kNone)
    return context_.unsupported(ast::kNoLocation, "OVERRIDING");
  return {};
}

Status InsertBinder::find_columns() {
  if (tree_.columns.empty()) {
    for (const ColumnInfo& column : table_->columns)
      if (!column.dropped) targets_.push_back(&column);
    return {};
  }
  for (const ast::Target& target : tree_.columns) {
    const ColumnInfo* const column =
        COPPICE_TRY(target_column(context_, *table_, target.name, target.location));
    if (!target.steps.empty())
      return context_.unsupported(target.location, "an assignment to a part of a column");
    if (std::find(targets_.begin(), targets_.end(), column) != targets_.end()) {
      return context_.error(target.location, "42701",
                            "column " + quoted(column->name) + " specified more than once");
    }
    targets_.push_back(column);
  }
  return {};
}

Status InsertBinder::check_width(std::size_t given, ast::Location first_extra) const {
  if (given > targets_.size()) {
    return context_.error(first_extra, sqlstate::kSyntaxError,
                          "INSERT has more expressions than target columns");
  }
  if (given < targets_.size() && !tree_.columns.empty()) {
    return context_.error(tree_.columns[given].location, sqlstate::kSyntaxError,
                          "INSERT has more target columns than expressions");
  }
  return {};
}

Result<ExpressionRef> InsertBinder::assign(std::size_t target, ExpressionRef value) {
  return coerce_assignment(context_, *targets_[target], std::move(value));
}

Result<ExpressionRef> InsertBinder::default_of(const ColumnInfo& column) {
  if (column.default_sql.empty()) {
    ExpressionRef none = make_null(context_, column.type);
    none->modifier = column.modifier;
    return none;
  }
  return bind_default_text(column.default_sql, column.type, column.modifier, context_.plan(),
                           context_.registry());
}

// The first tuple and those that were read without the parser, as columns.
Status InsertBinder::add_tuples(PlanNode& node) {
  const auto fall_back = [] {
    return std::unexpected(sql_error(sqlstate::kFeatureNotSupported, "to be bound as a whole"));
  };
  if (given_ != more_->columns || node.rows.size() != 1) return fall_back();
  std::vector<BulkColumn> columns;
  for (std::size_t i = 0; i < given_; ++i)
    columns.push_back({targets_[i]->type, targets_[i]->modifier});
  auto batches = tuples_to_batches(context_, node.rows.front(), *more_, columns);
  if (!batches) return fall_back();
  node.rows.clear();
  node.batches = *std::move(batches);
  return {};
}

// VALUES with a row's expressions each coerced to its column; DEFAULT stands for the default.
Result<Planned> InsertBinder::plan_values(const ast::Select& values) {
  given_ = values.values.front().size();
  for (const ast::List<const ast::Expr*>& list : values.values) {
    if (list.size() != given_) {
      return context_.error(list.front()->location, sqlstate::kSyntaxError,
                            "VALUES lists must all be the same length");
    }
  }
  const ast::List<const ast::Expr*> first = values.values.front();
  COPPICE_TRY(check_width(
      given_, given_ > targets_.size() ? first[targets_.size()]->location : ast::kNoLocation));
  Planned made;
  made.node = std::make_shared<PlanNode>();
  ExpressionBinder binder(context_, level_, Place::kValues);
  for (const ast::List<const ast::Expr*>& list : values.values) {
    std::vector<ExpressionRef> row;
    for (std::size_t i = 0; i < given_; ++i) {
      ExpressionRef value;
      if (list[i]->kind == ast::ExprKind::kDefault) {
        value = COPPICE_TRY(default_of(*targets_[i]));
      } else {
        value = COPPICE_TRY(binder.bind(*list[i]));
        value = COPPICE_TRY(assign(i, std::move(value)));
      }
      row.push_back(std::move(value));
    }
    made.node->rows.push_back(std::move(row));
  }
  if (more_ != nullptr) COPPICE_TRY(add_tuples(*made.node));
  made.node->rows_estimate =
      std::max(1.0, static_cast<double>(made.node->rows.size()) +
                        static_cast<double>(made.node->batches.size()) * kVectorRows);
  for (std::size_t i = 0; i < given_; ++i) {
    made.node->types.push_back(targets_[i]->type);
    made.node->modifiers.push_back(targets_[i]->modifier);
    made.ids.push_back(context_.new_column_id());
  }
  return made;
}

Result<Planned> InsertBinder::plan_source() {
  if (tree_.source == nullptr) return one_row();  // DEFAULT VALUES
  const ast::Select& source = *tree_.source;
  const bool plain_values = !source.values.empty() && source.order_by.empty() &&
                            source.limit == nullptr && source.offset == nullptr;
  if (plain_values) return plan_values(source);
  BoundQueryRef query =
      COPPICE_TRY(bind_select(context_, source, {.common_tables = level_.common_tables}));
  given_ = query->width();
  COPPICE_TRY(check_width(given_, given_ > targets_.size() ? query->output(targets_.size()).location
                                                           : ast::kNoLocation));
  for (std::size_t i = 0; i < given_; ++i)
    COPPICE_TRY(query->coerce(i, [&](ExpressionRef value) { return assign(i, std::move(value)); }));
  PlannedQuery planned = COPPICE_TRY(query->plan());
  Planned made;
  made.node = std::move(planned.node);
  for (std::size_t i = 0; i < given_; ++i) made.ids.push_back(context_.new_column_id());
  return made;
}

Result<std::shared_ptr<QueryPlan>> InsertBinder::bind() {
  COPPICE_TRY(refuse_missing());
  COPPICE_TRY(add_common_tables(context_, level_, tree_.with));
  table_ = COPPICE_TRY(table_to_change(context_, *tree_.table));
  level_.unreachable = table_;
  COPPICE_TRY(find_columns());
  Planned source = COPPICE_TRY(plan_source());

  auto node = std::make_shared<PlanNode>();
  node->kind = PlanNode::Kind::kInsert;
  node->table = table_;
  node->rows_estimate = source.node->rows_estimate;
  node->cost_estimate = source.node->cost_estimate + node->rows_estimate * cost::kRandomRow;
  for (const ColumnInfo& column : table_->columns) {
    if (column.dropped) continue;
    node->columns.push_back(column.attribute);
    const auto target = static_cast<std::size_t>(
        std::find(targets_.begin(), targets_.end(), &column) - targets_.begin());
    ExpressionRef value;
    if (target < given_) {
      value = make_column(context_, source.ids[target], column.type, column.modifier);
    } else {
      value = COPPICE_TRY(default_of(column));
    }
    COPPICE_TRY(resolve_columns(*value, source.ids));
    node->projections.push_back(std::move(value));
  }
  node->inputs.push_back(std::move(source.node));
  ReturningTable returning{.table = table_, .name = tree_.table, .columns = node->columns};
  return finish_change(context_, QueryPlan::Command::kInsert, std::move(node), returning,
                       tree_.returning, level_.common_tables);
}

}  // namespace

Result<std::shared_ptr<QueryPlan>> bind_insert(BindContext& context, const ast::Insert& tree,
                                               const BulkTuples* more) {
  return InsertBinder(context, tree, more).bind();
}

}  // namespace coppice::planner
