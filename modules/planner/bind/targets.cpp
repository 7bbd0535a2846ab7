// targets.cpp — select lists: stars, names.
#include <string>
#include <utility>

#include "modules/planner/bind/query.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

constexpr std::size_t kTargetsMax = 1664;  // MaxTupleAttributeNumber

struct NamedStrength {
  std::string name;
  int strength = 0;  // 2: a name; 1: a type or a keyword, which a name beats
};

// PostgreSQL's FigureColname.
NamedStrength figure(const ast::Expr& value, int depth) {
  if (depth > ast::kDepthMax) return {};
  switch (value.kind) {
    case ast::ExprKind::kColumnRef: {
      const auto& column = ast::as<ast::ColumnRef>(value);
      return column.star ? NamedStrength{} : NamedStrength{std::string(column.names.back()), 2};
    }
    case ast::ExprKind::kIndirection: {
      const auto& path = ast::as<ast::Indirection>(value);
      for (std::size_t i = path.steps.size(); i-- > 0;)
        if (path.steps[i].kind == ast::StepKind::kField)
          return {std::string(path.steps[i].field), 2};
      return figure(*path.value, depth + 1);
    }
    case ast::ExprKind::kFunctionCall:
      return {std::string(ast::as<ast::FunctionCall>(value).name.back()), 2};
    case ast::ExprKind::kNullIf:
      return {"nullif", 2};
    case ast::ExprKind::kCast: {
      const auto& made = ast::as<ast::Cast>(value);
      NamedStrength inner = figure(*made.value, depth + 1);
      if (inner.strength > 1) return inner;
      return {std::string(made.type->names.back()), 1};
    }
    case ast::ExprKind::kCollate:
      return figure(*ast::as<ast::Collate>(value).value, depth + 1);
    case ast::ExprKind::kGrouping:
      return {"grouping", 2};
    case ast::ExprKind::kSubquery: {
      const auto& query = ast::as<ast::Subquery>(value);
      if (query.type == ast::SubqueryKind::kExists) return {"exists", 2};
      if (query.type == ast::SubqueryKind::kArray) return {"array", 2};
      if (query.type != ast::SubqueryKind::kScalar || query.select->targets.empty()) return {};
      const ast::Target& first = query.select->targets.front();
      if (!first.name.empty()) return {std::string(first.name), 2};
      return figure(*first.value, depth + 1);
    }
    case ast::ExprKind::kCase: {
      const auto& made = ast::as<ast::Case>(value);
      if (made.otherwise != nullptr) {
        NamedStrength inner = figure(*made.otherwise, depth + 1);
        if (inner.strength > 0) return inner;
      }
      return {"case", 1};
    }
    case ast::ExprKind::kArray:
      return {"array", 2};
    case ast::ExprKind::kRow:
      return {"row", 2};
    case ast::ExprKind::kCoalesce:
      return {"coalesce", 2};
    case ast::ExprKind::kMinMax:
      return {ast::as<ast::MinMax>(value).greatest ? "greatest" : "least", 2};
    case ast::ExprKind::kSqlValue:
      switch (ast::as<ast::SqlValue>(value).type) {
        case ast::SqlValueKind::kCurrentDate:
          return {"current_date", 2};
        case ast::SqlValueKind::kCurrentTime:
          return {"current_time", 2};
        case ast::SqlValueKind::kCurrentTimestamp:
          return {"current_timestamp", 2};
        case ast::SqlValueKind::kLocalTime:
          return {"localtime", 2};
        case ast::SqlValueKind::kLocalTimestamp:
          return {"localtimestamp", 2};
        case ast::SqlValueKind::kCurrentRole:
          return {"current_role", 2};
        case ast::SqlValueKind::kCurrentUser:
          return {"current_user", 2};
        case ast::SqlValueKind::kUser:
          return {"user", 2};
        case ast::SqlValueKind::kSessionUser:
          return {"session_user", 2};
        case ast::SqlValueKind::kCurrentCatalog:
          return {"current_catalog", 2};
        case ast::SqlValueKind::kCurrentSchema:
          return {"current_schema", 2};
      }
      return {};
    default:
      return {};
  }
}

Status add_star(BindContext& context, Level& level, const ScopeItem& item,
                std::vector<TargetItem>& to, ast::Location at) {
  for (const ScopeColumn& column : item.columns) {
    if (column.hidden) continue;
    TargetItem target;
    const FoundColumn found{&column, &level};
    target.value = COPPICE_TRY(column_expression(context, level, found, at));
    target.column = {column.name, column.type, column.modifier, column.table, column.attribute};
    to.push_back(std::move(target));
  }
  return {};
}

Status expand_star(BindContext& context, Level& level, const ast::ColumnRef& star,
                   std::vector<TargetItem>& to) {
  if (star.names.empty()) {
    bool any = false;
    for (const ScopeEntry& entry : level.entries) {
      if (!entry.columns_visible) continue;
      any = true;
      COPPICE_TRY(add_star(context, level, *entry.item, to, star.location));
    }
    if (any) return {};
    return context.error(star.location, sqlstate::kSyntaxError,
                         "SELECT * with no tables specified is not valid");
  }
  const std::string_view schema =
      star.names.size() > 1 ? std::string_view(star.names[star.names.size() - 2]) : "";
  const ScopeItem* const item = find_item(level, schema, star.names.back());
  if (item != nullptr) return add_star(context, level, *item, to, star.location);
  return context.error(star.location, sqlstate::kUndefinedTable,
                       "missing FROM-clause entry for table " + quoted(star.names.back()));
}

// The table's column that the expression is, for RowDescription.
void describe_source(const Level& level, TargetItem& item) {
  if (item.value->kind != Kind::kColumn) return;
  for (const ScopeEntry& entry : level.entries) {
    for (const ScopeColumn& column : entry.item->columns) {
      if (column.value != nullptr || column.hidden || column.id != item.value->ordinal) continue;
      item.column.table = column.table;
      item.column.attribute = column.attribute;
      return;
    }
  }
}

}  // namespace

std::string column_name(const ast::Expr& value) {
  const NamedStrength found = figure(value, 0);
  return found.strength == 0 ? "?column?" : found.name;
}

Result<std::vector<TargetItem>> bind_targets(BindContext& context, Level& level,
                                             ast::List<ast::Target> targets, Place place) {
  std::vector<TargetItem> items;
  ExpressionBinder binder(context, level, place);
  for (const ast::Target& target : targets) {
    const auto* const star = ast::find_as<ast::ColumnRef>(target.value);
    if (star != nullptr && star->star) {
      COPPICE_TRY(expand_star(context, level, *star, items));
      continue;
    }
    TargetItem item;
    const bool call = place == Place::kTarget && target.value->kind == ast::ExprKind::kFunctionCall;
    item.value = COPPICE_TRY(call ? binder.bind_call(*target.value) : binder.bind(*target.value));
    item.column.name = target.name.empty() ? column_name(*target.value) : std::string(target.name);
    describe_source(level, item);
    items.push_back(std::move(item));
  }
  if (items.size() > kTargetsMax) {
    return context.error(
        ast::kNoLocation, "54011",
        "target lists can have at most " + std::to_string(kTargetsMax) + " entries");
  }
  return items;
}

}  // namespace coppice::planner
