// select.cpp — a plain SELECT: its clauses, then its plan.
#include <algorithm>
#include <utility>

#include "modules/planner/bind/grouping.h"
#include "modules/planner/bind/query.h"
#include "modules/planner/plan/from_planner.h"
#include "modules/planner/plan/output.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

class PlainSelect final : public BoundQuery {
 public:
  PlainSelect(BindContext& context, const ast::Select& tree) : context_(context), tree_(tree) {}

  Status bind(const Surroundings& around);

  std::size_t width() const override { return width_; }
  const QueryColumn& column(std::size_t index) const override { return items_[index].column; }
  const Expression& output(std::size_t index) const override { return *items_[index].value; }
  Status coerce(std::size_t index, const Coercion& coercion) override {
    TargetItem& item = items_[index];
    item.value = COPPICE_TRY(coercion(std::move(item.value)));
    return {};
  }
  Result<PlannedQuery> plan() override;

 private:
  Status refuse_missing() const;
  Status take_set_function();
  Status bind_order();
  Result<std::size_t> sort_target(const ast::Expr& tree);
  Result<std::optional<std::size_t>> named_output(const ast::Expr& tree,
                                                  std::string_view clause) const;
  std::size_t add_hidden(ExpressionRef value);
  Status bind_groups();
  std::optional<OrderWish> order_wish() const;
  Result<Planned> plan_input();

  BindContext& context_;
  const ast::Select& tree_;
  Level level_;
  FromClause from_;
  std::vector<TargetItem> items_;  // the outputs, then what only ORDER BY reads
  std::size_t width_ = 0;
  ExpressionRef where_, having_;
  std::vector<GroupKey> groups_;
  OrderAndLimit tail_;
};

Status PlainSelect::refuse_missing() const {
  if (tree_.into != nullptr) return context_.unsupported(ast::kNoLocation, "SELECT INTO");
  if (!tree_.locking.empty()) return context_.unsupported(ast::kNoLocation, "FOR UPDATE or SHARE");
  if (!tree_.windows.empty()) return context_.unsupported(ast::kNoLocation, "WINDOW");
  if (!tree_.distinct_on.empty()) return context_.unsupported(ast::kNoLocation, "DISTINCT ON");
  if (tree_.group_distinct) return context_.unsupported(ast::kNoLocation, "GROUP BY DISTINCT");
  return {};
}

Status PlainSelect::bind(const Surroundings& around) {
  COPPICE_TRY(refuse_missing());
  level_.outer = around.outer;
  level_.boundary = around.boundary;
  level_.common_tables.assign(around.common_tables.begin(), around.common_tables.end());
  COPPICE_TRY(add_common_tables(context_, level_, tree_.with));
  COPPICE_TRY(bind_from(context_, level_, tree_.from, from_));
  items_ = COPPICE_TRY(bind_targets(context_, level_, tree_.targets, Place::kTarget));
  width_ = items_.size();
  COPPICE_TRY(take_set_function());
  if (tree_.where != nullptr)
    where_ = COPPICE_TRY(
        ExpressionBinder(context_, level_, Place::kWhere).bind_boolean(*tree_.where, "WHERE"));
  if (tree_.having != nullptr)
    having_ = COPPICE_TRY(
        ExpressionBinder(context_, level_, Place::kHaving).bind_boolean(*tree_.having, "HAVING"));
  COPPICE_TRY(bind_order());
  COPPICE_TRY(bind_groups());
  return bind_limits(context_, level_, tree_, tail_);
}

// SELECT generate_series(1, 3): the function's rows, as if it stood in FROM.
Status PlainSelect::take_set_function() {
  for (TargetItem& item : items_) {
    if (item.value->kind != Kind::kCall || item.value->function->set_kernel == nullptr) continue;
    if (from_.tree != nullptr) {
      return context_.unsupported(item.value->location,
                                  "a set-returning function beside other rows");
    }
    const std::uint32_t id = context_.new_column_id();
    ExpressionRef column =
        make_column(context_, id, item.value->type, item.value->modifier, item.value->location);
    Relation relation;
    relation.columns.push_back({id, item.value->type, item.value->modifier, 0});
    relation.function = std::move(item.value);
    item.value = std::move(column);
    from_.relations.push_back(std::move(relation));
    from_.tree = std::make_unique<FromTree>();
  }
  return {};
}

// A bare name that an output has; 42702 where outputs that differ share it.
Result<std::optional<std::size_t>> PlainSelect::named_output(const ast::Expr& tree,
                                                             std::string_view clause) const {
  const auto* const name = ast::find_as<ast::ColumnRef>(&tree);
  std::optional<std::size_t> found;
  if (name == nullptr || name->star || name->names.size() != 1) return found;
  for (std::size_t i = 0; i < width_; ++i) {
    if (items_[i].column.name != name->names.front()) continue;
    if (found && !same_expression(*items_[*found].value, *items_[i].value)) {
      return context_.error(
          tree.location, "42702",
          std::string(clause) + " " + quoted(name->names.front()) + " is ambiguous");
    }
    if (!found) found = i;
  }
  return found;
}

std::size_t PlainSelect::add_hidden(ExpressionRef value) {
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (same_expression(*items_[i].value, *value)) return i;
  TargetItem item;
  item.value = std::move(value);
  items_.push_back(std::move(item));
  return items_.size() - 1;
}

Result<std::size_t> PlainSelect::sort_target(const ast::Expr& tree) {
  const auto named = COPPICE_TRY(named_output(tree, "ORDER BY"));
  if (named) return *named;
  const auto numbered = COPPICE_TRY(output_by_number(context_, tree, width_, "ORDER BY"));
  if (numbered) return *numbered;
  ExpressionRef value =
      COPPICE_TRY(ExpressionBinder(context_, level_, Place::kOrderBy).bind_typed(tree));
  return add_hidden(std::move(value));
}

Status PlainSelect::bind_order() {
  for (const ast::SortItem& item : tree_.order_by) {
    SortEntry entry;
    entry.target = COPPICE_TRY(sort_target(*item.value));
    entry.order = COPPICE_TRY(sort_order(context_, item));
    TargetItem& target = items_[entry.target];
    target.value = COPPICE_TRY(resolve_unknown(context_, std::move(target.value)));
    const SqlType* const type = context_.registry().find_type(target.value->type);
    if (type == nullptr || !type->info().ordered) {
      return context_.error(item.value->location, sqlstate::kUndefinedFunction,
                            "could not identify an ordering operator for type " +
                                context_.type_text(target.value->type),
                            "Use an explicit ordering operator or modify the query.");
    }
    if (tree_.distinct && entry.target >= width_) {
      return context_.error(item.value->location, "42P10",
                            "for SELECT DISTINCT, ORDER BY expressions must appear in select list");
    }
    const bool twice = std::any_of(tail_.sort.begin(), tail_.sort.end(),
                                   [&](const SortEntry& e) { return e.target == entry.target; });
    if (!twice) tail_.sort.push_back(entry);
  }
  return {};
}

Status PlainSelect::bind_groups() {
  for (const ast::Expr* const tree : tree_.group_by) {
    if (tree->kind == ast::ExprKind::kGroupingSet)
      return context_.unsupported(tree->location, "grouping sets");
    ExpressionRef value;
    // A column of the input comes before an output of the same name.
    const auto* const name = ast::find_as<ast::ColumnRef>(tree);
    FoundColumn input;
    if (name != nullptr && !name->star)
      input = COPPICE_TRY(find_column(context_, level_, name->names, tree->location));
    std::optional<std::size_t> output;
    if (input.column == nullptr || input.level != &level_)
      output = COPPICE_TRY(named_output(*tree, "GROUP BY"));
    if (!output) output = COPPICE_TRY(output_by_number(context_, *tree, width_, "GROUP BY"));
    if (output) {
      TargetItem& item = items_[*output];
      item.value = COPPICE_TRY(resolve_unknown(context_, std::move(item.value)));
      const bool aggregated = reads_aggregate(level_, *item.value);
      if (aggregated) {
        return context_.error(tree->location, "42803",
                              "aggregate functions are not allowed in GROUP BY");
      }
      value = item.value->clone();
    } else {
      value = COPPICE_TRY(ExpressionBinder(context_, level_, Place::kGroupBy).bind_typed(*tree));
    }
    add_group(context_, groups_, std::move(value));
  }
  return {};
}

// ORDER BY columns with LIMIT: an index may give the rows in order.
std::optional<OrderWish> PlainSelect::order_wish() const {
  if (tail_.sort.empty() || tail_.limit == nullptr || tree_.distinct || !groups_.empty() ||
      level_.has_aggregates)
    return {};
  OrderWish wish;
  for (const SortEntry& entry : tail_.sort) {
    const Expression& value = *items_[entry.target].value;
    if (value.kind != Kind::kColumn) return {};
    wish.keys.push_back({value.ordinal, entry.order});
  }
  constexpr double kLimitUnknown = 100;
  const auto number = [](const ExpressionRef& value, double otherwise) {
    if (value == nullptr) return 0.0;
    return is_constant(*value) ? static_cast<double>(value->value.datum().as_int()) : otherwise;
  };
  wish.rows = number(tail_.limit, kLimitUnknown) + number(tail_.offset, kLimitUnknown);
  return wish;
}

Result<Planned> PlainSelect::plan_input() {
  FromRequest request;
  request.clause = &from_;
  request.where = std::move(where_);
  request.order = order_wish();
  const bool grouped = !groups_.empty() || level_.has_aggregates || having_ != nullptr;
  if (!grouped) {
    for (const TargetItem& item : items_) collect_columns(*item.value, request.needed);
    return plan_from(context_, std::move(request));
  }
  std::vector<ExpressionRef*> above;
  for (TargetItem& item : items_) above.push_back(&item.value);
  if (having_ != nullptr) above.push_back(&having_);
  COPPICE_TRY(replace_groups(context_, level_, from_, groups_, above));
  for (const GroupKey& key : groups_) collect_columns(*key.value, request.needed);
  for (const AggregateUse& use : level_.aggregates) {
    for (const ExpressionRef& argument : use.call.arguments)
      collect_columns(*argument, request.needed);
    if (use.call.filter != nullptr) collect_columns(*use.call.filter, request.needed);
  }
  Planned input = COPPICE_TRY(plan_from(context_, std::move(request)));
  Planned grouped_rows = COPPICE_TRY(
      aggregate(context_, std::move(input), std::move(groups_), std::move(level_.aggregates)));
  return filter(std::move(grouped_rows), std::move(having_));
}

Result<PlannedQuery> PlainSelect::plan() {
  for (TargetItem& item : items_)
    item.value = COPPICE_TRY(resolve_unknown(context_, std::move(item.value)));
  Planned input = COPPICE_TRY(plan_input());
  PlannedQuery query;
  std::vector<ExpressionRef> values;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (i < width_) {
      items_[i].column.type = items_[i].value->type;
      items_[i].column.modifier = items_[i].value->modifier;
      query.columns.push_back(items_[i].column);
    }
    values.push_back(std::move(items_[i].value));
  }
  Planned output = COPPICE_TRY(finish_outputs(context_, std::move(input), std::move(values), width_,
                                              tree_.distinct, std::move(tail_)));
  query.node = std::move(output.node);
  return query;
}

}  // namespace

Result<BoundQueryRef> bind_plain_select(BindContext& context, const ast::Select& tree,
                                        const Surroundings& around) {
  auto query = std::make_unique<PlainSelect>(context, tree);
  COPPICE_TRY(query->bind(around));
  return query;
}

Result<BoundQueryRef> bind_select(BindContext& context, const ast::Select& tree,
                                  const Surroundings& around) {
  COPPICE_TRY(context.check_depth());
  if (tree.set_kind != ast::SetKind::kNone) return bind_set_operation(context, tree, around);
  if (!tree.values.empty()) return bind_values(context, tree, around);
  return bind_plain_select(context, tree, around);
}

Result<PlannedQuery> plan_select(BindContext& context, const ast::Select& tree,
                                 const Surroundings& around) {
  BoundQueryRef query = COPPICE_TRY(bind_select(context, tree, around));
  return query->plan();
}

}  // namespace coppice::planner
