// from.cpp — FROM items to relations, and what each lets one see.
#include "modules/planner/bind/from.h"

#include <algorithm>
#include <utility>

#include "modules/planner/bind/query.h"
#include "modules/planner/bind/relations.h"

namespace coppice::planner {

namespace {

// More are joined no more cleverly, and sets of them are bits of a word.
constexpr std::size_t kRelationsMax = 64;

struct Part {
  std::unique_ptr<FromTree> tree;
  ScopeEntries entries;
};

class FromBinder {
 public:
  FromBinder(BindContext& context, Level& level, FromClause& clause)
      : context_(context), level_(level), clause_(clause) {}

  Result<Part> bind(const ast::FromItem& item);
  Result<Part> add(Relation relation, std::shared_ptr<ScopeItem> item, ast::Location at);
  Result<Part> stored(const TableInfoRef& table, const ast::RelationName& name,
                      const ast::Alias* alias);

 private:
  Result<Part> table(const ast::FromTable& tree);
  Result<Part> common_table(const CommonTableUse& use, const ast::FromTable& tree);
  Result<Part> subquery(const ast::FromSubquery& tree);
  Result<Part> planned(PlannedQuery query, const ast::Alias* alias, std::string_view name,
                       ast::Location at);
  Result<Part> function(const ast::FromFunction& tree);
  Result<Part> join(const ast::FromJoin& tree);
  Result<std::vector<std::string>> using_names(const ast::FromJoin& tree, const Part& left,
                                               const Part& right) const;
  Status merge_columns(const ast::FromJoin& tree, const std::vector<std::string>& names,
                       const Part& left, const Part& right, ScopeItem& merged,
                       std::vector<ExpressionRef>& conditions);

  BindContext& context_;
  Level& level_;
  FromClause& clause_;
};

Status rename_columns(const BindContext& context, ScopeItem& item, const ast::Alias* alias) {
  if (alias == nullptr) return {};
  std::size_t shown = 0;
  for (const ScopeColumn& column : item.columns) shown += column.hidden ? 0 : 1;
  if (alias->columns.size() > shown) {
    return context.error(ast::kNoLocation, "42P10",
                         "table " + quoted(item.name) + " has " + std::to_string(shown) +
                             " columns available but " + std::to_string(alias->columns.size()) +
                             " columns specified");
  }
  for (std::size_t i = 0; i < alias->columns.size(); ++i) item.columns[i].name = alias->columns[i];
  return {};
}

Result<Part> FromBinder::add(Relation relation, std::shared_ptr<ScopeItem> item, ast::Location at) {
  if (clause_.relations.size() == kRelationsMax)
    return context_.unsupported(at, "a FROM list of more than 64 relations");
  Part part;
  part.tree = std::make_unique<FromTree>();
  part.tree->relation = clause_.relations.size();
  clause_.relations.push_back(std::move(relation));
  part.entries.push_back({.item = std::move(item)});
  return part;
}

Result<Part> FromBinder::stored(const TableInfoRef& table, const ast::RelationName& name,
                                const ast::Alias* alias) {
  auto item = std::make_shared<ScopeItem>();
  item->name = alias != nullptr ? alias->name : name.name;
  if (alias == nullptr) item->schema = table->schema_name;
  Relation relation;
  relation.table = table;
  for (const ColumnInfo& column : table->columns) {
    if (column.dropped) continue;
    const std::uint32_t id = context_.new_column_id();
    relation.columns.push_back({id, column.type, column.modifier, column.attribute});
    item->columns.push_back({.name = column.name,
                             .type = column.type,
                             .modifier = column.modifier,
                             .id = id,
                             .table = table->oid,
                             .attribute = column.attribute});
  }
  COPPICE_TRY(rename_columns(context_, *item, alias));
  if (table->computed == nullptr) {
    relation.egid = context_.new_column_id();
    item->columns.push_back(
        {.name = "egid", .type = type_oid::kInt8, .id = *relation.egid, .hidden = true});
  }
  return add(std::move(relation), std::move(item), name.location);
}

Result<Part> FromBinder::table(const ast::FromTable& tree) {
  if (tree.table->schema.empty()) {
    const auto& tables = level_.common_tables;
    for (std::size_t i = tables.size(); i-- > 0;)
      if (tables[i].table->name == tree.table->name) return common_table(tables[i], tree);
  }
  const TableInfoRef table = COPPICE_TRY(resolve_relation(context_, *tree.table));
  context_.use_table(table, RelationLock::kAccessShare);
  return stored(table, *tree.table, tree.alias);
}

Result<Part> FromBinder::common_table(const CommonTableUse& use, const ast::FromTable& tree) {
  const ast::Location at = tree.table->location;
  const auto* const select = ast::find_as<ast::Select>(use.table->query);
  if (select == nullptr) return context_.unsupported(at, "a data-modifying statement in WITH");
  const std::span<const CommonTableUse> before = std::span(level_.common_tables).first(use.visible);
  const std::vector<CommonTableUse> visible(before.begin(), before.end());
  PlannedQuery query = COPPICE_TRY(plan_select(context_, *select, {.common_tables = visible}));
  if (use.table->columns.size() > query.columns.size()) {
    return context_.error(use.table->location, "42P10",
                          "WITH query " + quoted(use.table->name) + " has " +
                              std::to_string(query.columns.size()) + " columns available but " +
                              std::to_string(use.table->columns.size()) + " columns specified");
  }
  for (std::size_t i = 0; i < use.table->columns.size(); ++i)
    query.columns[i].name = use.table->columns[i];
  return planned(std::move(query), tree.alias, tree.table->name, at);
}

Result<Part> FromBinder::subquery(const ast::FromSubquery& tree) {
  if (tree.lateral) return context_.unsupported(tree.location, "LATERAL");
  // What stands beside it in FROM is not visible; what is around this level, is.
  PlannedQuery query = COPPICE_TRY(plan_select(
      context_, *tree.select,
      {.outer = level_.outer, .boundary = level_.boundary, .common_tables = level_.common_tables}));
  return planned(std::move(query), tree.alias, "", tree.location);
}

Result<Part> FromBinder::planned(PlannedQuery query, const ast::Alias* alias, std::string_view name,
                                 ast::Location at) {
  auto item = std::make_shared<ScopeItem>();
  item->name = alias != nullptr ? std::string_view(alias->name) : name;
  Relation relation;
  relation.plan = std::move(query.node);
  for (const QueryColumn& column : query.columns) {
    const std::uint32_t id = context_.new_column_id();
    relation.columns.push_back({id, column.type, column.modifier, 0});
    item->columns.push_back({.name = column.name,
                             .type = column.type,
                             .modifier = column.modifier,
                             .id = id,
                             .table = column.table,
                             .attribute = column.attribute});
  }
  COPPICE_TRY(rename_columns(context_, *item, alias));
  return add(std::move(relation), std::move(item), at);
}

Result<Part> FromBinder::function(const ast::FromFunction& tree) {
  if (tree.rows_from || tree.functions.size() != 1 || tree.ordinality || !tree.columns.empty() ||
      !tree.functions.front().columns.empty())
    return context_.unsupported(tree.location, "this kind of function in FROM");
  const ast::Expr& call = *tree.functions.front().call;
  // Its arguments see what is around this level, not what stands beside it.
  Level beside{.outer = level_.outer, .boundary = level_.boundary};
  beside.common_tables = level_.common_tables;
  ExpressionRef bound =
      COPPICE_TRY(ExpressionBinder(context_, beside, Place::kFromFunction).bind_call(call));
  bound = COPPICE_TRY(resolve_unknown(context_, std::move(bound)));
  auto item = std::make_shared<ScopeItem>();
  item->name = tree.alias != nullptr ? std::string(tree.alias->name) : column_name(call);
  Relation relation;
  const std::uint32_t id = context_.new_column_id();
  relation.columns.push_back({id, bound->type, bound->modifier, 0});
  item->columns.push_back(
      {.name = item->name, .type = bound->type, .modifier = bound->modifier, .id = id});
  COPPICE_TRY(rename_columns(context_, *item, tree.alias));
  if (bound->kind == Expression::Kind::kCall && bound->function->set_kernel != nullptr) {
    relation.function = std::move(bound);
  } else {
    relation.plan = std::make_shared<PlanNode>();
    relation.plan->types = {bound->type};
    relation.plan->modifiers = {bound->modifier};
    relation.plan->rows.emplace_back();
    relation.plan->rows.back().push_back(std::move(bound));
    relation.plan->rows_estimate = 1;
  }
  return add(std::move(relation), std::move(item), tree.location);
}

Result<Part> FromBinder::bind(const ast::FromItem& item) {
  COPPICE_TRY(context_.check_depth());
  switch (item.kind) {
    case ast::FromKind::kTable:
      return table(ast::as<ast::FromTable>(item));
    case ast::FromKind::kSubquery:
      return subquery(ast::as<ast::FromSubquery>(item));
    case ast::FromKind::kFunction:
      return function(ast::as<ast::FromFunction>(item));
    case ast::FromKind::kJoin:
      return join(ast::as<ast::FromJoin>(item));
    case ast::FromKind::kSample:
      break;
  }
  return context_.unsupported(item.location, "TABLESAMPLE");
}

// The columns that can be named without qualification.
std::vector<const ScopeColumn*> visible_columns(const ScopeEntries& entries) {
  std::vector<const ScopeColumn*> columns;
  for (const ScopeEntry& entry : entries) {
    if (!entry.columns_visible) continue;
    for (const ScopeColumn& column : entry.item->columns)
      if (!column.hidden) columns.push_back(&column);
  }
  return columns;
}

std::size_t count_named(const ScopeEntries& entries, std::string_view name) {
  const auto columns = visible_columns(entries);
  return static_cast<std::size_t>(
      std::count_if(columns.begin(), columns.end(),
                    [&](const ScopeColumn* column) { return column->name == name; }));
}

Result<std::vector<std::string>> FromBinder::using_names(const ast::FromJoin& tree,
                                                         const Part& left,
                                                         const Part& right) const {
  std::vector<std::string> names(tree.using_columns.begin(), tree.using_columns.end());
  if (tree.natural) {
    for (const ScopeColumn* const column : visible_columns(left.entries))
      if (count_named(right.entries, column->name) != 0) names.push_back(column->name);
  }
  for (const std::string& name : names) {
    for (const bool is_left : {true, false}) {
      const std::size_t count = count_named(is_left ? left.entries : right.entries, name);
      const std::string side = is_left ? "left table" : "right table";
      if (count == 0) {
        return context_.error(
            ast::kNoLocation, sqlstate::kUndefinedColumn,
            "column " + quoted(name) + " specified in USING clause does not exist in " + side);
      }
      if (count > 1) {
        return context_.error(
            ast::kNoLocation, "42702",
            "common column name " + quoted(name) + " appears more than once in " + side);
      }
    }
  }
  return names;
}

ExpressionRef value_of(const BindContext& context, const ScopeColumn& column) {
  if (column.value != nullptr) return column.value->clone();
  return make_column(context, column.id, column.type, column.modifier);
}

Status FromBinder::merge_columns(const ast::FromJoin& tree, const std::vector<std::string>& names,
                                 const Part& left, const Part& right, ScopeItem& merged,
                                 std::vector<ExpressionRef>& conditions) {
  const auto left_columns = visible_columns(left.entries);
  const auto right_columns = visible_columns(right.entries);
  const auto named = [](const std::vector<const ScopeColumn*>& columns, std::string_view name) {
    return *std::find_if(columns.begin(), columns.end(),
                         [&](const ScopeColumn* column) { return column->name == name; });
  };
  ExpressionBinder binder(context_, level_, Place::kJoin);
  for (const std::string& name : names) {
    const ScopeColumn& from_left = *named(left_columns, name);
    const ScopeColumn& from_right = *named(right_columns, name);
    ExpressionRef equal = COPPICE_TRY(binder.call_operator(
        "=", value_of(context_, from_left), value_of(context_, from_right), ast::kNoLocation));
    conditions.push_back(std::move(equal));
    ScopeColumn column = tree.type == ast::JoinKind::kRight ? from_right : from_left;
    if (tree.type == ast::JoinKind::kFull) {
      std::vector<ExpressionRef> both;
      both.push_back(value_of(context_, from_left));
      both.push_back(value_of(context_, from_right));
      const TypeOid type = COPPICE_TRY(common_type(context_, both, "JOIN/USING"));
      for (ExpressionRef& side : both)
        side = COPPICE_TRY(coerce_to_common(context_, std::move(side), type, "JOIN/USING"));
      column.value = make_node(context_, Expression::Kind::kCoalesce, type, std::move(both));
      column.type = type;
      column.table = 0;
    }
    merged.columns.push_back(std::move(column));
  }
  for (const auto* const columns : {&left_columns, &right_columns}) {
    for (const ScopeColumn* const column : *columns)
      if (std::find(names.begin(), names.end(), column->name) == names.end())
        merged.columns.push_back(*column);
  }
  return {};
}

JoinKind join_kind(ast::JoinKind kind) {
  switch (kind) {
    case ast::JoinKind::kInner:
      return JoinKind::kInner;
    case ast::JoinKind::kLeft:
      return JoinKind::kLeft;
    case ast::JoinKind::kRight:
      return JoinKind::kRight;
    case ast::JoinKind::kFull:
      return JoinKind::kFull;
  }
  return JoinKind::kInner;
}

Result<Part> FromBinder::join(const ast::FromJoin& tree) {
  Part left = COPPICE_TRY(bind(*tree.left));
  Part right = COPPICE_TRY(bind(*tree.right));
  COPPICE_TRY(check_names(context_, left.entries, right.entries));
  Part part;
  std::vector<ExpressionRef> conditions;
  auto merged = std::make_shared<ScopeItem>();
  const std::vector<std::string> names = COPPICE_TRY(using_names(tree, left, right));
  const bool merges = !names.empty() || tree.alias != nullptr;
  if (merges) COPPICE_TRY(merge_columns(tree, names, left, right, *merged, conditions));
  part.entries = left.entries;
  part.entries.insert(part.entries.end(), right.entries.begin(), right.entries.end());
  if (tree.on != nullptr) {
    // ON sees the two sides alone.
    ScopeEntries around = std::exchange(level_.entries, part.entries);
    auto condition =
        ExpressionBinder(context_, level_, Place::kJoin).bind_boolean(*tree.on, "JOIN/ON");
    level_.entries = std::move(around);
    if (!condition) return std::unexpected(std::move(condition).error());
    conditions.push_back(*std::move(condition));
  }
  if (merges) {
    for (ScopeEntry& entry : part.entries) {
      entry.columns_visible = false;
      if (tree.alias != nullptr) entry.name_visible = false;
    }
    if (tree.alias != nullptr) merged->name = tree.alias->name;
    COPPICE_TRY(rename_columns(context_, *merged, tree.alias));
    part.entries.push_back({.item = std::move(merged), .name_visible = tree.alias != nullptr});
  }
  part.tree = std::make_unique<FromTree>();
  part.tree->join = join_kind(tree.type);
  part.tree->left = std::move(left.tree);
  part.tree->right = std::move(right.tree);
  part.tree->condition = make_and(context_, std::move(conditions));
  return part;
}

}  // namespace

void join_inner(FromClause& clause, std::unique_ptr<FromTree> tree) {
  if (clause.tree == nullptr) {
    clause.tree = std::move(tree);
    return;
  }
  auto both = std::make_unique<FromTree>();
  both->left = std::move(clause.tree);
  both->right = std::move(tree);
  clause.tree = std::move(both);
}

Status bind_from(BindContext& context, Level& level, ast::List<const ast::FromItem*> items,
                 FromClause& clause) {
  // Nothing of this level is visible to its FROM items; each JOIN's ON sees its two sides.
  ScopeEntries entries = std::exchange(level.entries, {});
  FromBinder binder(context, level, clause);
  for (const ast::FromItem* const item : items) {
    Part part = COPPICE_TRY(binder.bind(*item));
    COPPICE_TRY(check_names(context, entries, part.entries));
    entries.insert(entries.end(), part.entries.begin(), part.entries.end());
    join_inner(clause, std::move(part.tree));
  }
  level.entries = std::move(entries);
  return {};
}

Result<std::size_t> add_target_table(BindContext& context, Level& level, const TableInfoRef& table,
                                     const ast::RelationName& name, FromClause& clause) {
  FromBinder binder(context, level, clause);
  Part part = COPPICE_TRY(binder.stored(table, name, name.alias));
  const std::size_t relation = part.tree->relation;
  level.entries.insert(level.entries.end(), part.entries.begin(), part.entries.end());
  join_inner(clause, std::move(part.tree));
  return relation;
}

}  // namespace coppice::planner
