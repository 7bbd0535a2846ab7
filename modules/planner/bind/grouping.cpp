// grouping.cpp — expressions above an aggregation.
#include "modules/planner/bind/grouping.h"

#include <algorithm>
#include <utility>

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

bool is_aggregate(const Level& level, std::uint32_t id) {
  return std::any_of(level.aggregates.begin(), level.aggregates.end(),
                     [&](const AggregateUse& use) { return use.id == id; });
}

// "t.a", as error messages name a column.
std::string shown_name(const Level& level, std::uint32_t id) {
  for (const ScopeEntry& entry : level.entries)
    for (const ScopeColumn& column : entry.item->columns)
      if (column.value == nullptr && column.id == id && !entry.item->name.empty())
        return entry.item->name + "." + column.name;
  return "?";
}

bool is_grouped(const std::vector<GroupKey>& groups, std::uint32_t id) {
  return std::any_of(groups.begin(), groups.end(), [&](const GroupKey& key) {
    return key.value->kind == Kind::kColumn && key.value->ordinal == id;
  });
}

// The column's table has a primary key, all of whose columns are grouped.
bool depends_on_groups(const FromClause& from, const std::vector<GroupKey>& groups,
                       std::uint32_t id) {
  for (const Relation& relation : from.relations) {
    const bool own = std::any_of(relation.columns.begin(), relation.columns.end(),
                                 [&](const RelationColumn& column) { return column.id == id; });
    if (!own || relation.table == nullptr) continue;
    const IndexInfo* const key = relation.table->primary_key();
    if (key == nullptr) return false;
    return std::all_of(key->columns.begin(), key->columns.end(), [&](const IndexColumn& part) {
      const auto column = std::find_if(
          relation.columns.begin(), relation.columns.end(),
          [&](const RelationColumn& candidate) { return candidate.attribute == part.attribute; });
      return column != relation.columns.end() && is_grouped(groups, column->id);
    });
  }
  return false;
}

class Replacer {
 public:
  Replacer(BindContext& context, const Level& level, const FromClause& from,
           std::vector<GroupKey>& groups)
      : context_(context), level_(level), from_(from), groups_(groups) {}

  Status replace(ExpressionRef& expression) {
    rewrite(expression, [&](ExpressionRef& slot) { return status_ && visit(slot); });
    return std::move(status_);
  }

 private:
  bool visit(ExpressionRef& slot) {
    for (const GroupKey& key : groups_) {
      if (!same_expression(*key.value, *slot)) continue;
      slot = make_column(context_, key.id, slot->type, slot->modifier, slot->location);
      return false;
    }
    if (slot->kind != Kind::kColumn) return true;
    const std::uint32_t id = slot->ordinal;
    if (is_aggregate(level_, id)) return false;
    if (depends_on_groups(from_, groups_, id)) {
      add_group(context_, groups_, slot->clone());
      return visit(slot);
    }
    status_ = context_.error(slot->location, "42803",
                             "column " + quoted(shown_name(level_, id)) +
                                 " must appear in the GROUP BY clause or be used in an aggregate "
                                 "function");
    return false;
  }

  BindContext& context_;
  const Level& level_;
  const FromClause& from_;
  std::vector<GroupKey>& groups_;
  Status status_;
};

}  // namespace

void add_group(BindContext& context, std::vector<GroupKey>& groups, ExpressionRef value) {
  const bool known = std::any_of(groups.begin(), groups.end(), [&](const GroupKey& key) {
    return same_expression(*key.value, *value);
  });
  if (!known) groups.push_back({std::move(value), context.new_column_id()});
}

bool reads_aggregate(const Level& level, const Expression& expression) {
  return any_of(expression, [&](const Expression& node) {
    return node.kind == Kind::kColumn && is_aggregate(level, node.ordinal);
  });
}

Status replace_groups(BindContext& context, const Level& level, const FromClause& from,
                      std::vector<GroupKey>& groups, std::span<ExpressionRef* const> above) {
  Replacer replacer(context, level, from, groups);
  for (ExpressionRef* const expression : above) COPPICE_TRY(replacer.replace(*expression));
  return {};
}

}  // namespace coppice::planner
