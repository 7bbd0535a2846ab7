// values.cpp — VALUES lists.
#include <utility>

#include "modules/planner/bind/query.h"
#include "modules/planner/plan/output.h"

namespace coppice::planner {

namespace {

class ValuesQuery final : public BoundQuery {
 public:
  explicit ValuesQuery(BindContext& context) : context_(context) {}

  Status bind(const ast::Select& tree, const Surroundings& around);

  std::size_t width() const override { return columns_.size(); }
  const QueryColumn& column(std::size_t index) const override { return columns_[index]; }
  const Expression& output(std::size_t index) const override { return *rows_.front()[index]; }
  Status coerce(std::size_t index, const Coercion& coercion) override {
    for (std::vector<ExpressionRef>& row : rows_)
      row[index] = COPPICE_TRY(coercion(std::move(row[index])));
    return {};
  }
  Result<PlannedQuery> plan() override;

 private:
  Status make_common(std::size_t column);
  Status bind_order(const ast::Select& tree);

  BindContext& context_;
  Level level_;
  std::vector<std::vector<ExpressionRef>> rows_;
  std::vector<QueryColumn> columns_;
  OrderAndLimit tail_;
};

Status ValuesQuery::make_common(std::size_t column) {
  std::vector<ExpressionRef> items;
  bool all_unknown = true;
  for (std::vector<ExpressionRef>& row : rows_) {
    all_unknown &= row[column]->type == type_oid::kUnknown;
    items.push_back(std::move(row[column]));
  }
  // A single row's literals wait for what takes them.
  const bool wait = rows_.size() == 1 && all_unknown;
  const auto type = common_type(context_, items, "VALUES");
  if (!type) return std::unexpected(type.error().clone());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!wait)
      items[i] = COPPICE_TRY(coerce_to_common(context_, std::move(items[i]), *type, "VALUES"));
    rows_[i][column] = std::move(items[i]);
  }
  return {};
}

Status ValuesQuery::bind(const ast::Select& tree, const Surroundings& around) {
  level_.outer = around.outer;
  level_.boundary = around.boundary;
  level_.common_tables.assign(around.common_tables.begin(), around.common_tables.end());
  COPPICE_TRY(add_common_tables(context_, level_, tree.with));
  ExpressionBinder binder(context_, level_, Place::kValues);
  for (const ast::List<const ast::Expr*>& list : tree.values) {
    if (list.size() != tree.values.front().size()) {
      return context_.error(list.front()->location, sqlstate::kSyntaxError,
                            "VALUES lists must all be the same length");
    }
    std::vector<ExpressionRef> row;
    for (const ast::Expr* const item : list) {
      ExpressionRef value = COPPICE_TRY(binder.bind(*item));
      row.push_back(std::move(value));
    }
    rows_.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < rows_.front().size(); ++i) {
    COPPICE_TRY(make_common(i));
    columns_.push_back({.name = "column" + std::to_string(i + 1)});
  }
  COPPICE_TRY(bind_order(tree));
  return bind_limits(context_, level_, tree, tail_);
}

Status ValuesQuery::bind_order(const ast::Select& tree) {
  for (const ast::SortItem& item : tree.order_by) {
    SortEntry entry;
    auto at = COPPICE_TRY(output_by_number(context_, *item.value, width(), "ORDER BY"));
    const auto* const name = ast::find_as<ast::ColumnRef>(item.value);
    for (std::size_t i = 0; i < width() && name != nullptr && !at; ++i)
      if (name->names.size() == 1 && name->names.front() == columns_[i].name) at = i;
    if (!at) return context_.unsupported(item.value->location, "ORDER BY an expression of VALUES");
    entry.target = *at;
    entry.order = COPPICE_TRY(sort_order(context_, item));
    tail_.sort.push_back(entry);
  }
  return {};
}

Result<PlannedQuery> ValuesQuery::plan() {
  PlannedQuery query;
  Planned made;
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  for (std::size_t i = 0; i < width(); ++i) {
    std::int32_t modifier = rows_.front()[i]->modifier;
    for (std::vector<ExpressionRef>& row : rows_) {
      row[i] = COPPICE_TRY(resolve_unknown(context_, std::move(row[i])));
      if (row[i]->modifier != modifier) modifier = -1;
    }
    columns_[i].type = rows_.front()[i]->type;
    columns_[i].modifier = modifier;
    node.types.push_back(columns_[i].type);
    node.modifiers.push_back(modifier);
    made.ids.push_back(context_.new_column_id());
  }
  node.rows_estimate = static_cast<double>(rows_.size());
  node.cost_estimate = node.rows_estimate * cost::kRow;
  node.rows = std::move(rows_);
  std::vector<ExpressionRef> outputs;
  for (std::size_t i = 0; i < width(); ++i)
    outputs.push_back(make_column(context_, made.ids[i], node.types[i], node.modifiers[i]));
  query.columns = columns_;
  Planned output = COPPICE_TRY(finish_outputs(context_, std::move(made), std::move(outputs),
                                              width(), false, std::move(tail_)));
  query.node = std::move(output.node);
  return query;
}

}  // namespace

Result<BoundQueryRef> bind_values(BindContext& context, const ast::Select& tree,
                                  const Surroundings& around) {
  auto query = std::make_unique<ValuesQuery>(context);
  COPPICE_TRY(query->bind(tree, around));
  return query;
}

}  // namespace coppice::planner
