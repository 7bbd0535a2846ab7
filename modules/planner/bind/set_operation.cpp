// set_operation.cpp — UNION; INTERSECT and EXCEPT are not there yet.
#include <utility>

#include "modules/planner/bind/query.h"
#include "modules/planner/plan/output.h"

namespace coppice::planner {

namespace {

class UnionQuery final : public BoundQuery {
 public:
  UnionQuery(BindContext& context, const ast::Select& tree) : context_(context), tree_(tree) {}

  Status bind(const Surroundings& around);

  std::size_t width() const override { return columns_.size(); }
  const QueryColumn& column(std::size_t index) const override { return columns_[index]; }
  const Expression& output(std::size_t index) const override { return *outputs_[index]; }
  Status coerce(std::size_t index, const Coercion& coercion) override {
    outputs_[index] = COPPICE_TRY(coercion(std::move(outputs_[index])));
    return {};
  }
  Result<PlannedQuery> plan() override;

 private:
  bool continues(const ast::Select& tree) const;
  Status match_columns();
  Status bind_order();
  Result<ExpressionRef> bind_over_outputs(const ast::Expr& tree);

  BindContext& context_;
  const ast::Select& tree_;
  Level level_;
  std::vector<BoundQueryRef> branches_;  // a UNION b UNION c is one query of three
  std::vector<QueryColumn> columns_;
  std::vector<std::uint32_t> ids_;      // of the rows before outputs_
  std::vector<ExpressionRef> outputs_;  // what is made of them
  OrderAndLimit tail_;
};

Status UnionQuery::bind(const Surroundings& around) {
  if (tree_.set_kind != ast::SetKind::kUnion) {
    return context_.unsupported(
        ast::kNoLocation, tree_.set_kind == ast::SetKind::kIntersect ? "INTERSECT" : "EXCEPT");
  }
  if (!tree_.locking.empty()) return context_.unsupported(ast::kNoLocation, "FOR UPDATE or SHARE");
  level_.outer = around.outer;
  level_.boundary = around.boundary;
  level_.common_tables.assign(around.common_tables.begin(), around.common_tables.end());
  COPPICE_TRY(add_common_tables(context_, level_, tree_.with));
  const Surroundings inside{
      .outer = around.outer, .boundary = around.boundary, .common_tables = level_.common_tables};
  // Chains are long where programs write them: the left side is followed without recursion.
  std::vector<const ast::Select*> trees;
  const ast::Select* at = &tree_;
  do {
    trees.push_back(at->right);
    at = at->left;
  } while (continues(*at));
  trees.push_back(at);
  for (std::size_t i = trees.size(); i-- > 0;) {
    BoundQueryRef branch = COPPICE_TRY(bind_select(context_, *trees[i], inside));
    if (!branches_.empty() && branch->width() != branches_.front()->width()) {
      return context_.error(branch->width() > 0 ? branch->output(0).location : ast::kNoLocation,
                            sqlstate::kSyntaxError,
                            "each UNION query must have the same number of columns");
    }
    branches_.push_back(std::move(branch));
  }
  COPPICE_TRY(match_columns());
  COPPICE_TRY(bind_order());
  return bind_limits(context_, level_, tree_, tail_);
}

// The same operation again, with nothing of its own.
bool UnionQuery::continues(const ast::Select& tree) const {
  return tree.set_kind == tree_.set_kind && tree.set_all == tree_.set_all && tree.with == nullptr &&
         tree.order_by.empty() && tree.limit == nullptr && tree.offset == nullptr &&
         tree.locking.empty();
}

Status UnionQuery::match_columns() {
  for (std::size_t i = 0; i < branches_.front()->width(); ++i) {
    std::vector<ExpressionRef> samples;
    for (const BoundQueryRef& branch : branches_) {
      const Expression& output = branch->output(i);
      samples.push_back(make_column(context_, 0, output.type, output.modifier, output.location));
    }
    const TypeOid type = COPPICE_TRY(common_type(context_, samples, "UNION"));
    std::int32_t modifier = samples.front()->modifier;
    for (const ExpressionRef& sample : samples)
      if (sample->modifier != modifier || sample->type != type) modifier = -1;
    for (const BoundQueryRef& branch : branches_) {
      COPPICE_TRY(branch->coerce(i, [&](ExpressionRef value) {
        return coerce_to_common(context_, std::move(value), type, "UNION");
      }));
    }
    columns_.push_back(
        {.name = branches_.front()->column(i).name, .type = type, .modifier = modifier});
    ids_.push_back(context_.new_column_id());
    outputs_.push_back(make_column(context_, ids_.back(), type, modifier));
  }
  return {};
}

// An expression of the outputs: none may stand there, but what is wrong with it comes first.
Result<ExpressionRef> UnionQuery::bind_over_outputs(const ast::Expr& tree) {
  auto item = std::make_shared<ScopeItem>();
  for (std::size_t i = 0; i < width(); ++i)
    item->columns.push_back({.name = columns_[i].name, .type = columns_[i].type, .id = ids_[i]});
  Level outputs;
  outputs.entries.push_back({.item = std::move(item), .name_visible = false});
  return ExpressionBinder(context_, outputs, Place::kOrderBy).bind(tree);
}

Status UnionQuery::bind_order() {
  for (const ast::SortItem& item : tree_.order_by) {
    SortEntry entry;
    auto at = COPPICE_TRY(output_by_number(context_, *item.value, width(), "ORDER BY"));
    const auto* const name = ast::find_as<ast::ColumnRef>(item.value);
    for (std::size_t i = 0; i < width() && name != nullptr && !at; ++i)
      if (name->names.size() == 1 && name->names.front() == columns_[i].name) at = i;
    if (!at) {
      const ExpressionRef bound = COPPICE_TRY(bind_over_outputs(*item.value));
      Error error = sql_error_at(context_.text(), bound->location, "0A000",
                                 "invalid UNION/INTERSECT/EXCEPT ORDER BY clause")
                        .note(sql_field::kDetail,
                              "Only result column names can be used, not expressions or "
                              "functions.")
                        .note(sql_field::kHint,
                              "Add the expression/function to every SELECT, or move the UNION "
                              "into a FROM clause.");
      return std::unexpected(std::move(error));
    }
    entry.target = *at;
    entry.order = COPPICE_TRY(sort_order(context_, item));
    tail_.sort.push_back(entry);
  }
  return {};
}

Result<PlannedQuery> UnionQuery::plan() {
  Planned made;
  made.node = std::make_shared<PlanNode>();
  PlanNode& node = *made.node;
  node.kind = PlanNode::Kind::kAppend;
  for (const BoundQueryRef& branch : branches_) {
    PlannedQuery planned = COPPICE_TRY(branch->plan());
    node.rows_estimate += planned.node->rows_estimate;
    node.cost_estimate += planned.node->cost_estimate;
    node.inputs.push_back(std::move(planned.node));
  }
  for (const QueryColumn& column : columns_) {
    node.types.push_back(column.type);
    node.modifiers.push_back(column.modifier);
  }
  made.ids = ids_;
  if (!tree_.set_all) made = COPPICE_TRY(distinct(std::move(made)));
  PlannedQuery query;
  query.columns = columns_;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    query.columns[i].type = outputs_[i]->type;
    query.columns[i].modifier = outputs_[i]->modifier;
  }
  Planned output = COPPICE_TRY(finish_outputs(context_, std::move(made), std::move(outputs_),
                                              width(), false, std::move(tail_)));
  query.node = std::move(output.node);
  return query;
}

}  // namespace

Result<BoundQueryRef> bind_set_operation(BindContext& context, const ast::Select& tree,
                                         const Surroundings& around) {
  auto query = std::make_unique<UnionQuery>(context, tree);
  COPPICE_TRY(query->bind(around));
  return query;
}

}  // namespace coppice::planner
