// scope.cpp — looking names up.
#include "modules/planner/bind/scope.h"

#include <algorithm>
#include <utility>

namespace coppice::planner {

namespace {

bool names_item(const ScopeEntry& entry, std::string_view schema, std::string_view name) {
  return entry.name_visible && entry.item->name == name &&
         (schema.empty() || entry.item->schema == schema);
}

struct Match {
  const ScopeColumn* column = nullptr;
  bool ambiguous = false;
};

Match match_in(const ScopeItem& item, std::string_view name, bool hidden) {
  Match match;
  for (const ScopeColumn& column : item.columns) {
    if (column.hidden != hidden || column.name != name) continue;
    if (match.column != nullptr) match.ambiguous = true;
    match.column = &column;
  }
  return match;
}

// The qualifier of a.b or s.a.b; the column's name is the last.
std::string_view schema_of(ast::Names names) {
  return names.size() > 2 ? std::string_view(names[names.size() - 3]) : std::string_view();
}

Match match_level(const Level& level, ast::Names names, bool hidden) {
  Match match;
  for (const ScopeEntry& entry : level.entries) {
    if (names.size() == 1 ? !entry.columns_visible
                          : !names_item(entry, schema_of(names), names[names.size() - 2]))
      continue;
    const Match here = match_in(*entry.item, names.back(), hidden);
    if (here.column == nullptr) continue;
    match.ambiguous |= here.ambiguous || match.column != nullptr;
    match.column = here.column;
  }
  return match;
}

bool has_item(const Level& level, ast::Names names) {
  return std::any_of(level.entries.begin(), level.entries.end(), [&](const ScopeEntry& entry) {
    return names_item(entry, schema_of(names), names[names.size() - 2]);
  });
}

std::string joined(ast::Names names) {
  std::string text;
  for (const ast::Name name : names) {
    if (!text.empty()) text += '.';
    text += name;
  }
  return text;
}

// `value` of the level around a subquery, as the parameter that the subquery gets.
Result<ExpressionRef> pass_in(BindContext& context, OuterValues& boundary, ExpressionRef value,
                              ast::Location at) {
  std::uint32_t index = 0;
  while (index < boundary.values.size() && !same_expression(*boundary.values[index], *value))
    ++index;
  const TypeOid type = value->type;
  const std::int32_t modifier = value->modifier;
  if (index == boundary.values.size()) {
    if (index == kOuterValuesMax)
      return context.unsupported(at, "a subquery with more than 32 values from outside");
    if (index == 0) boundary.first_slot = context.new_outer_slots(kOuterValuesMax);
    boundary.values.push_back(std::move(value));
  }
  ExpressionRef parameter = make_node(context, Expression::Kind::kParameter, type, {}, at);
  parameter->ordinal = boundary.first_slot + index;
  parameter->modifier = modifier;
  return parameter;
}

Result<ExpressionRef> as_seen_from(BindContext& context, const Level* from,
                                   const FoundColumn& found, ast::Location at) {
  if (from == found.level) {
    if (found.column->value != nullptr) {
      ExpressionRef copy = found.column->value->clone();
      copy->location = at;
      return copy;
    }
    return make_column(context, found.column->id, found.column->type, found.column->modifier, at);
  }
  ExpressionRef outside = COPPICE_TRY(as_seen_from(context, from->outer, found, at));
  if (from->boundary == nullptr) return outside;
  return pass_in(context, *from->boundary, std::move(outside), at);
}

}  // namespace

Result<FoundColumn> find_column(const BindContext& context, Level& level, ast::Names names,
                                ast::Location at) {
  for (Level* here = &level; here != nullptr; here = here->outer) {
    for (const bool hidden : {false, true}) {
      const Match match = match_level(*here, names, hidden);
      if (match.ambiguous) {
        return context.error(at, "42702",
                             "column reference " + quoted(names.back()) + " is ambiguous");
      }
      if (match.column != nullptr) return FoundColumn{match.column, here};
    }
    if (names.size() > 1 && has_item(*here, names)) break;
  }
  return FoundColumn{};
}

std::unexpected<Error> no_such_column(const BindContext& context, Level& level, ast::Names names,
                                      ast::Location at) {
  if (names.size() > 4) {
    return context.error(at, sqlstate::kSyntaxError,
                         "improper qualified name (too many dotted names): " + joined(names));
  }
  if (names.size() > 3) {
    return context.error(at, sqlstate::kFeatureNotSupported,
                         "cross-database references are not implemented: " + joined(names));
  }
  if (names.size() == 1) {
    const std::string message = "column " + quoted(names.back()) + " does not exist";
    const TableInfo* const table = level.unreachable.get();
    if (table != nullptr && table->find_column(names.back()) != nullptr) {
      return context.error(at, sqlstate::kUndefinedColumn, message,
                           "There is a column named " + quoted(names.back()) + " in table " +
                               quoted(table->name) +
                               ", but it cannot be referenced from this part of the query.");
    }
    return context.error(at, sqlstate::kUndefinedColumn, message);
  }
  for (const Level* here = &level; here != nullptr; here = here->outer) {
    if (has_item(*here, names)) {
      const ast::Names shown = names.subspan(names.size() - 2);
      return context.error(at, sqlstate::kUndefinedColumn,
                           "column " + joined(shown) + " does not exist");
    }
  }
  const ast::Name table = names[names.size() - 2];
  const std::string message = "for table " + quoted(table);
  for (const Level* here = &level; here != nullptr; here = here->outer) {
    for (const ScopeEntry& entry : here->entries) {
      if (entry.item->schema.empty() && !entry.item->columns.empty() &&
          entry.item->columns.front().table != 0 && entry.name_visible) {
        const TableInfoRef aliased =
            context.catalog().find_table(entry.item->columns.front().table);
        if (aliased == nullptr || aliased->name != table) continue;
        return context.error(
            at, sqlstate::kUndefinedTable, "invalid reference to FROM-clause entry " + message,
            "Perhaps you meant to reference the table alias " + quoted(entry.item->name) + ".");
      }
    }
  }
  return context.error(at, sqlstate::kUndefinedTable, "missing FROM-clause entry " + message);
}

Result<ExpressionRef> column_expression(BindContext& context, Level& level,
                                        const FoundColumn& found, ast::Location at) {
  return as_seen_from(context, &level, found, at);
}

const ScopeItem* find_item(const Level& level, std::string_view schema, std::string_view name) {
  for (const ScopeEntry& entry : level.entries)
    if (names_item(entry, schema, name)) return entry.item.get();
  return nullptr;
}

Status check_names(const BindContext& context, const ScopeEntries& left,
                   const ScopeEntries& right) {
  for (const ScopeEntry& entry : right) {
    if (!entry.name_visible || entry.item->name.empty()) continue;
    const bool twice = std::any_of(left.begin(), left.end(), [&](const ScopeEntry& other) {
      return other.name_visible && other.item->name == entry.item->name &&
             (other.item->schema == entry.item->schema || other.item->schema.empty() ||
              entry.item->schema.empty());
    });
    if (twice) {
      return context.error(ast::kNoLocation, "42712",
                           "table name " + quoted(entry.item->name) + " specified more than once");
    }
  }
  return {};
}

}  // namespace coppice::planner
