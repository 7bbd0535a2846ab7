// ddl_index.cpp — CREATE INDEX.
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

constexpr std::array<std::string_view, 5> kOtherMethods = {"hash", "gist", "gin", "spgist", "brin"};

Status check_method(const BindContext& context, ast::Name method) {
  if (method == "btree") return {};
  if (std::ranges::find(kOtherMethods, method) != kOtherMethods.end())
    return context.unsupported(ast::kNoLocation, "access method " + quoted(method));
  return context.error(ast::kNoLocation, "42704",
                       "access method " + quoted(method) + " does not exist");
}

// int4_ops, text_pattern_ops …: keys are in byte order anyway.
Status check_operator_class(const BindContext& context, ast::Names names) {
  if (names.empty()) return {};
  const std::string name(names.back());
  std::string_view type = name;
  const auto strip = [&](std::string_view tail) {
    if (!type.ends_with(tail)) return false;
    type.remove_suffix(tail.size());
    return true;
  };
  if ((strip("_pattern_ops") || strip("_ops")) && context.registry().find_type(type) != nullptr)
    return {};
  return context.error(
      ast::kNoLocation, "42704",
      "operator class " + quoted(name) + " does not exist for access method \"btree\"");
}

KeyOrder order_of(const ast::IndexElement& element) {
  KeyOrder order;
  order.descending = element.direction == ast::SortDirection::kDescending;
  order.nulls_first = element.nulls == ast::NullsOrder::kDefault
                          ? order.descending
                          : element.nulls == ast::NullsOrder::kFirst;
  return order;
}

}  // namespace

Result<Statement> bind_create_index(BindContext& context, const ast::CreateIndex& tree) {
  CreateIndexStatement create;
  create.table = COPPICE_TRY(qualified_name(context, *tree.table));
  create.if_not_exists = tree.if_not_exists;
  create.concurrently = tree.concurrently;
  create.definition.name = tree.name;
  create.definition.unique = tree.unique;
  create.definition.nulls_not_distinct = tree.nulls_not_distinct;
  COPPICE_TRY(check_method(context, tree.method));
  if (tree.where != nullptr) return context.unsupported(tree.where->location, "a partial index");
  if (!tree.including.empty()) return context.unsupported(ast::kNoLocation, "INCLUDE");
  COPPICE_TRY(check_storage_options(context, tree.options));
  COPPICE_TRY(check_tablespace(context, tree.tablespace));
  for (const ast::IndexElement& element : tree.elements) {
    if (element.value != nullptr)
      return context.unsupported(element.value->location, "an index on an expression");
    COPPICE_TRY(check_collation(context, element.collation, ast::kNoLocation));
    COPPICE_TRY(check_operator_class(context, element.operator_class));
    create.definition.columns.emplace_back(std::string(element.column), order_of(element));
  }
  return Statement{std::move(create)};
}

}  // namespace coppice::planner
