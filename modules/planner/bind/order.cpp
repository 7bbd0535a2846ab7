// order.cpp — ORDER BY's directions, LIMIT, OFFSET, outputs by their number.
#include <utility>

#include "modules/planner/bind/query.h"

namespace coppice::planner {

Result<KeyOrder> sort_order(const BindContext& context, const ast::SortItem& item) {
  KeyOrder order = KeyOrder::ascending_nulls_last();
  if (item.direction == ast::SortDirection::kDescending) order = KeyOrder::descending_nulls_first();
  if (item.direction == ast::SortDirection::kUsing) {
    const ast::Name name = item.using_operator.back();
    if (name != "<" && name != ">") return context.unsupported(item.location, "ORDER BY USING");
    if (name == ">") order = KeyOrder::descending_nulls_first();
  }
  if (item.nulls != ast::NullsOrder::kDefault)
    order.nulls_first = item.nulls == ast::NullsOrder::kFirst;
  return order;
}

namespace {

Result<ExpressionRef> bind_limit(BindContext& context, Level& level, const ast::Expr* tree,
                                 Place place) {
  if (tree == nullptr) return ExpressionRef();
  // No columns: only what is around the query.
  Level alone{.outer = level.outer, .boundary = level.boundary};
  alone.common_tables = level.common_tables;
  const std::string name(place_name(place));
  auto bound = ExpressionBinder(context, alone, place).bind(*tree);
  const bool has_columns = !bound;
  if (has_columns) {
    auto anyway = ExpressionBinder(context, level, place).bind(*tree);
    if (!anyway) return std::unexpected(std::move(bound).error());
    bound = std::move(anyway);
  }
  const TypeOid type = (*bound)->type;
  const ast::Location at = (*bound)->location;
  ExpressionRef made = COPPICE_TRY(
      try_coerce(context, *std::move(bound), type_oid::kInt8, -1, CastContext::kAssignment, at));
  if (made == nullptr) {
    return context.error(
        at, "42804",
        "argument of " + name + " must be type bigint, not type " + context.type_text(type));
  }
  if (has_columns) {
    return context.error(at, "42P10", "argument of " + name + " must not contain variables");
  }
  if (is_null_constant(*made)) return ExpressionRef();
  return made;
}

}  // namespace

Status bind_limits(BindContext& context, Level& level, const ast::Select& tree, OrderAndLimit& to) {
  if (tree.limit_with_ties) return context.unsupported(ast::kNoLocation, "WITH TIES");
  to.offset = COPPICE_TRY(bind_limit(context, level, tree.offset, Place::kOffset));
  to.limit = COPPICE_TRY(bind_limit(context, level, tree.limit, Place::kLimit));
  return {};
}

Result<std::optional<std::size_t>> output_by_number(const BindContext& context,
                                                    const ast::Expr& tree, std::size_t width,
                                                    std::string_view clause) {
  const auto* const constant = ast::find_as<ast::Constant>(&tree);
  if (constant == nullptr) return std::optional<std::size_t>();
  if (constant->type != ast::ConstantKind::kInteger ||
      constant->integer != static_cast<std::int32_t>(constant->integer)) {
    return context.error(tree.location, sqlstate::kSyntaxError,
                         "non-integer constant in " + std::string(clause));
  }
  if (constant->integer < 1 || static_cast<std::size_t>(constant->integer) > width) {
    return context.error(tree.location, "42P10",
                         std::string(clause) + " position " + std::to_string(constant->integer) +
                             " is not in select list");
  }
  return static_cast<std::size_t>(constant->integer) - 1;
}

Status add_common_tables(const BindContext& context, Level& level, const ast::With* with) {
  if (with == nullptr) return {};
  if (with->recursive) return context.unsupported(with->location, "WITH RECURSIVE");
  const std::size_t inherited = level.common_tables.size();
  for (const ast::CommonTable& table : with->tables) {
    for (std::size_t i = inherited; i < level.common_tables.size(); ++i) {
      if (level.common_tables[i].table->name == table.name) {
        return context.error(table.location, "42712",
                             "WITH query name " + quoted(table.name) + " specified more than once");
      }
    }
    if (table.search != nullptr || table.cycle != nullptr)
      return context.unsupported(table.location, "SEARCH or CYCLE");
    level.common_tables.push_back({&table, level.common_tables.size()});
  }
  return {};
}

}  // namespace coppice::planner
