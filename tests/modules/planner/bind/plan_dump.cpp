// plan_dump.cpp — one line a node.
#include "tests/modules/planner/bind/plan_dump.h"

#include <array>

namespace coppice::testing {

namespace {

class Dumper {
 public:
  explicit Dumper(const SqlRegistry& registry) : registry_(registry) {}

  std::string type(TypeOid oid, std::int32_t modifier) const {
    const SqlType* const known = registry_.find_type(oid);
    if (known == nullptr) return "?" + std::to_string(oid);
    return known->info().name + (modifier < 0 ? "" : "/" + std::to_string(modifier));
  }

  std::string expression(const Expression& e) const {
    using K = Expression::Kind;
    switch (e.kind) {
      case K::kConstant:
        return constant(e);
      case K::kColumn:
        return "#" + std::to_string(e.ordinal);
      case K::kParameter:
        return "$" + std::to_string(e.ordinal + 1);
      case K::kCall:
        return e.function->name + list(e.arguments);
      default:
        break;
    }
    constexpr std::array kNames = {"",
                                   "",
                                   "",
                                   "",
                                   "and",
                                   "or",
                                   "not",
                                   "is_null",
                                   "is_not_null",
                                   "distinct",
                                   "case",
                                   "coalesce",
                                   "in",
                                   "scalar",
                                   "exists",
                                   "in_subquery",
                                   "text_cast",
                                   "array_any",
                                   "array",
                                   "subscript",
                                   "array_subquery"};
    std::string text = kNames[static_cast<std::size_t>(e.kind)] + list(e.arguments);
    if (e.kind == K::kTextCast) text += "::" + type(e.type, e.modifier);
    if (e.subplan == nullptr) return text;
    if (!e.outer.empty())
      text += " outer $" + std::to_string(e.first_parameter + 1) + list(e.outer);
    return text + " {" + one_line(*e.subplan) + "}";
  }

  std::string node(const PlanNode& n, int depth) const {
    std::string text = std::string(static_cast<std::size_t>(depth) * 2, ' ') + self(n) + "\n";
    for (const PlanNodeRef& input : n.inputs) text += node(*input, depth + 1);
    return text;
  }

 private:
  std::string constant(const Expression& e) const {
    if (e.value.null) return "null::" + type(e.type, -1);
    const SqlType* const known = registry_.find_type(e.type);
    FormattedColumn out;
    const Vector value = Vector::constant(e.value.datum(), 1);
    if (known == nullptr ||
        !known->format(WireForm::kText, value, Selection::all(1), SqlSettings(), out))
      return "?";
    const std::string text(as_text(out.bytes));
    const bool quoted = known->info().category != 'N' && known->info().category != 'B';
    return (quoted ? "'" + text + "'" : text) + "::" + known->info().name;
  }
  std::string list(const std::vector<ExpressionRef>& items) const {
    std::string text = "(";
    for (const ExpressionRef& item : items) {
      if (text.size() > 1) text += ", ";
      text += expression(*item);
    }
    return text + ")";
  }
  std::string one_line(const PlanNode& n) const {
    std::string text = self(n);
    for (const PlanNodeRef& input : n.inputs) text += " <- " + one_line(*input);
    return text;
  }
  std::string attributes(const PlanNode& n) const {
    std::string text = " " + n.table->name + "[";
    for (const std::int16_t attribute : n.columns) {
      if (text.back() != '[') text += ' ';
      text += n.table->find_column(attribute)->name;
    }
    if (n.with_egid) text += text.back() == '[' ? "egid" : " egid";
    return text + "]";
  }
  std::string bound(const IndexBound& b) const {
    if (b.is_null) return "is null";
    if (b.prefix) return "prefix " + expression(*b.from);
    if (!b.in_list.empty()) return "in" + list(b.in_list);
    if (b.equal) return "= " + expression(*b.from);
    std::string text = b.from_inclusive ? "[" : "(";
    if (b.from != nullptr) text += expression(*b.from);
    text += " .. ";
    if (b.to != nullptr) text += expression(*b.to);
    return text + (b.to_inclusive ? "]" : ")");
  }
  std::string condition(const IndexCondition& c) const {
    std::string text;
    if (c.kind == IndexCondition::Kind::kLeaf) {
      text = c.index->name + "{";
      for (const IndexBound& b : c.bounds) text += (text.back() == '{' ? "" : ", ") + bound(b);
      return text + "}";
    }
    text = c.kind == IndexCondition::Kind::kAnd ? "and(" : "or(";
    for (const IndexCondition& child : c.children)
      text += (text.back() == '(' ? "" : ", ") + condition(child);
    return text + ")";
  }
  std::string sort_keys(const PlanNode& n) const {
    std::string text;
    for (const SortKey& key : n.sort_keys) {
      text += " " + expression(*key.value) + (key.order.descending ? " desc" : " asc");
      if (key.order.nulls_first != key.order.descending)
        text += key.order.nulls_first ? " nulls first" : " nulls last";
    }
    return text;
  }
  std::string calls(const PlanNode& n) const {
    std::string text;
    for (const AggregateCall& call : n.calls) {
      text +=
          " " + call.aggregate->name + (call.distinct ? " distinct" : "") + list(call.arguments);
      if (call.filter != nullptr) text += " filter " + expression(*call.filter);
    }
    return text;
  }
  std::string self(const PlanNode& n) const {
    constexpr std::array kNames = {
        "values",      "scan",      "bitmap_scan", "index_order", "egid_lookup", "count_only",
        "computed",    "function",  "filter",      "project",     "hash_join",   "lookup_join",
        "nested_loop", "aggregate", "distinct",    "sort",        "limit",       "append",
        "insert",      "update",    "delete"};
    constexpr std::array kJoins = {"inner", "left", "right", "full", "semi", "anti"};
    using K = PlanNode::Kind;
    std::string text = kNames[static_cast<std::size_t>(n.kind)];
    if (n.kind == K::kHashJoin || n.kind == K::kNestedLoop || n.kind == K::kLookupJoin)
      text += std::string(" ") + kJoins[static_cast<std::size_t>(n.join)];
    if (n.table != nullptr) text += attributes(n);
    if (n.condition.index != nullptr || !n.condition.children.empty())
      text += " by " + condition(n.condition);
    if (n.direction == Direction::kBackward) text += " backward";
    for (const auto& row : n.rows) text += " " + list(row);
    if (n.function != nullptr) text += " " + n.function->name;
    for (std::size_t i = 0; i < n.left_keys.size(); ++i)
      text += " " + expression(*n.left_keys[i]) + "=" + expression(*n.right_keys[i]);
    if (!n.groups.empty()) text += " by " + list(n.groups);
    text += calls(n) + sort_keys(n);
    if (!n.assigned.empty()) {
      text += " set";
      for (const std::int16_t attribute : n.assigned)
        text += " " + n.table->find_column(attribute)->name;
    }
    if (!n.projections.empty()) text += " " + list(n.projections);
    if (n.filter != nullptr) text += " where " + expression(*n.filter);
    if (n.limit != nullptr) text += " limit " + expression(*n.limit);
    if (n.offset != nullptr) text += " offset " + expression(*n.offset);
    if (n.has_returning) text += " returning " + list(n.returning);
    return text;
  }

  const SqlRegistry& registry_;
};

}  // namespace

std::string dump_expression(const Expression& expression, const SqlRegistry& registry) {
  return Dumper(registry).expression(expression);
}

std::string dump_plan(const QueryPlan& plan, const SqlRegistry& registry) {
  const Dumper dumper(registry);
  std::string text;
  for (std::size_t i = 0; i < plan.output.size(); ++i) {
    text += (i == 0 ? "-> " : ", ") + plan.output[i].name + " " +
            dumper.type(plan.root->types[i], plan.root->modifiers[i]);
    if (plan.output[i].table != 0)
      text += " @" + std::to_string(plan.output[i].table) + "." +
              std::to_string(plan.output[i].attribute);
  }
  if (!plan.output.empty()) text += "\n";
  for (std::size_t i = 0; i < plan.parameter_types.size(); ++i)
    text += (i == 0 ? "$: " : ", ") + dumper.type(plan.parameter_types[i], -1);
  if (!plan.parameter_types.empty()) text += "\n";
  return text + dumper.node(*plan.root, 0);
}

}  // namespace coppice::testing
