// explain.cpp — the tree of operators, two columns further in for each level.
//
// Source:   PostgreSQL 15, explain.c (ExplainNode, text format).
#include "modules/planner/explain/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "kernel/fiber/tick_rate.h"
#include "modules/planner/explain/plan_columns.h"

namespace coppice::planner {

namespace {

using Kind = PlanNode::Kind;

// "12.30"
std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "0";
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const double scaled = std::round(std::max(value, 0.0) * scale);
  if (scaled >= 9e18) return "9999999999999999";
  const auto units = static_cast<std::uint64_t>(scaled);
  std::string text = std::to_string(units);
  if (decimals == 0) return text;
  const auto wanted = static_cast<std::size_t>(decimals) + 1;
  if (text.size() < wanted) text.insert(0, wanted - text.size(), '0');
  text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
  return text;
}

std::string_view join_word(JoinKind kind) {
  switch (kind) {
    case JoinKind::kInner:
      return "";
    case JoinKind::kLeft:
      return "Left ";
    case JoinKind::kRight:
      return "Right ";
    case JoinKind::kFull:
      return "Full ";
    case JoinKind::kSemi:
      return "Semi ";
    case JoinKind::kAnti:
      return "Anti ";
  }
  return "";
}

class Explainer {
 public:
  Explainer(const QueryPlan& plan, const ExplainStatement& options,
            std::span<const OperatorStats> stats, const SqlRegistry& registry)
      : options_(options),
        registry_(registry),
        printer_(registry),
        qualified_(options.verbose || count_relations(*plan.root) > 1) {
    for (const OperatorStats& one : stats) stats_.emplace(one.node, one);
  }

  std::vector<std::string> explain(const PlanNode& root) {
    print(root, root, 0);
    // Printing a subplan may meet further ones.
    for (std::size_t i = 0; i < printer_.subplans().size(); ++i) {
      lines_.push_back(indent(1) + "SubPlan " + std::to_string(i + 1));
      const PlanNode& subplan = *printer_.subplans()[i];
      print(subplan, subplan, 2);
    }
    return std::move(lines_);
  }

 private:
  // Level 0 stands alone; below, "->" stands two columns before the operator's name.
  static std::string indent(std::size_t level) {
    return level == 0 ? "" : std::string(level * 6 - 4, ' ');
  }
  void head(std::size_t level, std::string text) {
    lines_.push_back(indent(level) + (level == 0 ? "" : "->  ") + std::move(text));
  }
  void detail(std::size_t level, const std::string& text) {
    lines_.push_back(std::string(level * 6 + 2, ' ') + text);
  }

  std::string table_name(const PlanNode& node) const {
    if (node.table == nullptr) return "?";
    const std::string name = quote_identifier(node.table->name);
    return options_.verbose ? quote_identifier(node.table->schema_name) + "." + name : name;
  }

  int width(const PlanNode& node) const {
    int bytes = 0;
    for (const TypeOid oid : node.types) {
      const SqlType* const type = registry_.find_type(oid);
      bytes += type == nullptr || type->info().size < 0 ? 32 : type->info().size;
    }
    return bytes;
  }

  // `measured` is the node whose figures are shown: a projection above says more than its input.
  std::string figures(const PlanNode& node, const PlanNode& measured) const {
    std::string text;
    if (options_.costs)
      text += "  (cost=0.00.." + fixed(measured.cost_estimate, 2) +
              " rows=" + fixed(std::max(measured.rows_estimate, 1.0), 0) +
              " width=" + std::to_string(width(measured)) + ")";
    if (!options_.analyze) return text;
    auto at = stats_.find(&measured);
    if (at == stats_.end()) at = stats_.find(&node);
    if (at == stats_.end() || at->second.loops == 0) return text + " (never executed)";
    const OperatorStats& stats = at->second;
    const auto loops = static_cast<double>(stats.loops);
    text += options_.costs ? " (actual " : "  (actual ";
    if (options_.timing) {
      const double ms = static_cast<double>(fiber::duration_of(stats.ticks).count()) / 1e6;
      text += "time=0.000.." + fixed(ms / loops, 3) + " ";
    }
    return text + "rows=" + fixed(static_cast<double>(stats.rows) / loops, 0) +
           " loops=" + std::to_string(stats.loops) + ")";
  }

  void filter_line(const PlanNode& node, const ColumnNames& columns, std::size_t level,
                   std::string_view label) {
    if (node.filter != nullptr)
      detail(level, std::string(label) + ": " + printer_.condition(*node.filter, columns));
  }

  std::string bound_text(const IndexBound& bound, const std::string& column,
                         const ColumnNames& outer) {
    if (bound.is_null) return "(" + column + " IS NULL)";
    if (!bound.in_list.empty()) {
      std::string items;
      for (const ExpressionRef& item : bound.in_list)
        items += (items.empty() ? "" : ", ") + printer_.print(*item, outer);
      return "(" + column + " = ANY (ARRAY[" + items + "]))";
    }
    if (bound.equal && bound.from != nullptr)
      return "(" + column + " = " + printer_.print(*bound.from, outer) + ")";
    if (bound.prefix && bound.from != nullptr)
      return "(" + column + " ^@ " + printer_.print(*bound.from, outer) + ")";
    std::string text;
    if (bound.from != nullptr)
      text = "(" + column + (bound.from_inclusive ? " >= " : " > ") +
             printer_.print(*bound.from, outer) + ")";
    if (bound.to != nullptr)
      text += std::string(text.empty() ? "" : " AND ") + "(" + column +
              (bound.to_inclusive ? " <= " : " < ") + printer_.print(*bound.to, outer) + ")";
    return text;
  }

  // "(a = 1) AND (b > 2)" in one pair of parentheses where there is more than one part.
  std::string index_condition(const PlanNode& node, const IndexCondition& condition,
                              const ColumnNames& outer) {
    std::string text;
    std::size_t parts = 0;
    for (std::size_t i = 0; i < condition.bounds.size(); ++i) {
      const bool known = condition.index != nullptr && i < condition.index->columns.size() &&
                         node.table != nullptr;
      const std::string column =
          known ? column_name(*node.table, condition.index->columns[i].attribute, false) : "?";
      const std::string part = bound_text(condition.bounds[i], column, outer);
      if (part.empty()) continue;
      if (!text.empty()) text += " AND ";
      text += part;
      parts += part.find(") AND (") == std::string::npos ? 1 : 2;
    }
    return parts > 1 ? "(" + text + ")" : text;
  }

  void bitmap_tree(const PlanNode& node, const IndexCondition& condition, std::size_t level) {
    if (condition.kind != IndexCondition::Kind::kLeaf) {
      head(level, condition.kind == IndexCondition::Kind::kAnd ? "BitmapAnd" : "BitmapOr");
      for (const IndexCondition& child : condition.children) bitmap_tree(node, child, level + 1);
      return;
    }
    head(level, "Bitmap Index Scan on " +
                    (condition.index == nullptr ? "?" : quote_identifier(condition.index->name)));
    const std::string text = index_condition(node, condition, {});
    if (!text.empty()) detail(level, "Index Cond: " + text);
  }

  std::string index_scan_name(const PlanNode& node) const {
    const std::string index =
        node.condition.index == nullptr ? "?" : quote_identifier(node.condition.index->name);
    const bool backward = node.direction == Direction::kBackward;
    return std::string("Index Scan ") + (backward ? "Backward " : "") + "using " + index + " on " +
           table_name(node);
  }

  void children(const PlanNode& node, std::size_t level) {
    for (const PlanNodeRef& input : node.inputs) print(*input, *input, level + 1);
  }

  std::string sort_keys(const PlanNode& node, const ColumnNames& columns) {
    std::string text;
    for (const SortKey& key : node.sort_keys) {
      if (!text.empty()) text += ", ";
      text += printer_.print(*key.value, columns);
      if (key.order.descending)
        text += key.order.nulls_first ? " DESC" : " DESC NULLS LAST";
      else if (key.order.nulls_first)
        text += " NULLS FIRST";
    }
    return text;
  }

  void print_scan(const PlanNode& node, const PlanNode& measured, std::size_t level) {
    const ColumnNames columns = table_columns(node, qualified_);
    const std::string shown = figures(node, measured);
    if (node.kind == Kind::kIndexOrder) {
      head(level, index_scan_name(node) + shown);
      const std::string text = index_condition(node, node.condition, {});
      if (!text.empty()) detail(level, "Index Cond: " + text);
    } else if (node.kind == Kind::kBitmapScan) {
      head(level, "Bitmap Heap Scan on " + table_name(node) + shown);
    } else if (node.kind == Kind::kCountOnly) {
      head(level, "Index Only Count on " + table_name(node) + shown);
    } else if (node.kind == Kind::kEgidLookup) {
      head(level, "Egid Lookup on " + table_name(node) + shown);
      std::string ids;
      for (const auto& row : node.rows)
        for (const ExpressionRef& id : row)
          ids += (ids.empty() ? "" : ", ") + printer_.print(*id, {});
      detail(level, "Egid Cond: (egid = ANY (ARRAY[" + ids + "]))");
    } else {
      head(level, "Seq Scan on " + table_name(node) + shown);
    }
    filter_line(node, columns, level, "Filter");
    if (node.kind == Kind::kBitmapScan || node.kind == Kind::kCountOnly)
      bitmap_tree(node, node.condition, level + 1);
  }

  void print_join(const PlanNode& node, const PlanNode& measured, std::size_t level) {
    const std::string shown = figures(node, measured);
    const std::string word(join_word(node.join));
    if (node.kind == Kind::kHashJoin) {
      head(level, "Hash " + (word.empty() ? "Join" : word + "Join") + shown);
      const ColumnNames left = output_columns(*node.inputs[0], printer_, qualified_);
      const ColumnNames right = output_columns(*node.inputs[1], printer_, qualified_);
      std::string text;
      for (std::size_t i = 0; i < node.left_keys.size(); ++i)
        text += (i == 0 ? "(" : " AND (") + printer_.print(*node.left_keys[i], left) + " = " +
                printer_.print(*node.right_keys[i], right) + ")";
      detail(level, "Hash Cond: " + (node.left_keys.size() > 1 ? "(" + text + ")" : text));
      filter_line(node, input_columns(node, printer_, qualified_), level, "Join Filter");
      print(*node.inputs[0], *node.inputs[0], level + 1);
      head(level + 1, "Hash");
      print(*node.inputs[1], *node.inputs[1], level + 2);
      return;
    }
    head(level, "Nested Loop" + (word.empty() ? "" : " " + word + "Join") + shown);
    if (node.kind == Kind::kNestedLoop) {
      filter_line(node, input_columns(node, printer_, qualified_), level, "Join Filter");
      return children(node, level);
    }
    const ColumnNames outer = input_columns(node, printer_, qualified_);
    ColumnNames both = outer;
    const ColumnNames inner = table_columns(node, qualified_);
    both.insert(both.end(), inner.begin(), inner.end());
    filter_line(node, both, level, "Join Filter");
    children(node, level);
    head(level + 1, index_scan_name(node));
    const std::string text = index_condition(node, node.condition, outer);
    if (!text.empty()) detail(level + 1, "Index Cond: " + text);
  }

  void print_aggregate(const PlanNode& node, const PlanNode& measured, std::size_t level) {
    const ColumnNames columns = input_columns(node, printer_, qualified_);
    head(level, (node.groups.empty() ? "Aggregate" : "HashAggregate") + figures(node, measured));
    std::string keys;
    for (const ExpressionRef& group : node.groups)
      keys += (keys.empty() ? "" : ", ") + printer_.print(*group, columns);
    if (!keys.empty()) detail(level, "Group Key: " + keys);
    filter_line(node, output_columns(node, printer_, qualified_), level, "Filter");
    children(node, level);
  }

  void print_values(const PlanNode& node, const PlanNode& measured, std::size_t level) {
    const bool one = node.rows.size() <= 1;
    head(level, (one ? "Result" : "Values Scan on \"*VALUES*\"") + figures(node, measured));
  }

  void print_simple(const PlanNode& node, const PlanNode& measured, std::size_t level,
                    const std::string& name) {
    head(level, name + figures(node, measured));
    const ColumnNames columns = input_columns(node, printer_, qualified_);
    if (node.kind == Kind::kSort) detail(level, "Sort Key: " + sort_keys(node, columns));
    if (node.kind == Kind::kDistinct) {
      std::string keys;
      for (const std::string& column : columns) keys += (keys.empty() ? "" : ", ") + column;
      detail(level, "Group Key: " + keys);
    }
    filter_line(node, columns, level, "Filter");
    children(node, level);
  }

  void print(const PlanNode& node, const PlanNode& measured, std::size_t level) {
    switch (node.kind) {
      case Kind::kProject:
        // Part of what is below it, as PostgreSQL shows it; but its subqueries are to be seen.
        for (const ExpressionRef& value : node.projections)
          printer_.print(*value, input_columns(node, printer_, qualified_));
        return print(*node.inputs[0], measured, level);
      case Kind::kScan:
      case Kind::kBitmapScan:
      case Kind::kIndexOrder:
      case Kind::kEgidLookup:
      case Kind::kCountOnly:
      case Kind::kComputed:
        return print_scan(node, measured, level);
      case Kind::kHashJoin:
      case Kind::kLookupJoin:
      case Kind::kNestedLoop:
        return print_join(node, measured, level);
      case Kind::kAggregate:
        return print_aggregate(node, measured, level);
      case Kind::kValues:
        return print_values(node, measured, level);
      case Kind::kFunction:
        return print_simple(
            node, measured, level,
            "Function Scan on " +
                (node.function == nullptr ? "?" : quote_identifier(node.function->name)));
      case Kind::kFilter:
        return print_simple(node, measured, level, "Result");
      case Kind::kDistinct:
        return print_simple(node, measured, level, "HashAggregate");
      case Kind::kSort:
        return print_simple(node, measured, level, "Sort");
      case Kind::kLimit:
        return print_simple(node, measured, level, "Limit");
      case Kind::kAppend:
        return print_simple(node, measured, level, "Append");
      case Kind::kInsert:
        return print_simple(node, measured, level, "Insert on " + table_name(node));
      case Kind::kUpdate:
        return print_simple(node, measured, level, "Update on " + table_name(node));
      case Kind::kDelete:
        return print_simple(node, measured, level, "Delete on " + table_name(node));
    }
  }

  const ExplainStatement& options_;
  const SqlRegistry& registry_;
  ExpressionPrinter printer_;
  bool qualified_;
  std::unordered_map<const PlanNode*, OperatorStats> stats_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> explain_plan(const QueryPlan& plan, const ExplainStatement& options,
                                      std::span<const OperatorStats> stats,
                                      const SqlRegistry& registry) {
  if (plan.root == nullptr) return {"Result"};
  return Explainer(plan, options, stats, registry).explain(*plan.root);
}

}  // namespace coppice::planner
