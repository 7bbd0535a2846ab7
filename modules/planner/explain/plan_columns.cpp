// plan_columns.cpp — names go up the tree as the columns do.
#include "modules/planner/explain/plan_columns.h"

#include <algorithm>

namespace coppice::planner {

namespace {

using Kind = PlanNode::Kind;

bool reads_relation(Kind kind) {
  switch (kind) {
    case Kind::kScan:
    case Kind::kBitmapScan:
    case Kind::kIndexOrder:
    case Kind::kEgidLookup:
    case Kind::kCountOnly:
    case Kind::kComputed:
    case Kind::kLookupJoin:
    case Kind::kFunction:
      return true;
    default:
      return false;
  }
}

std::string call_text(const AggregateCall& call, ExpressionPrinter& printer,
                      const ColumnNames& columns) {
  std::string text = call.aggregate == nullptr ? "?" : call.aggregate->name;
  text += call.distinct ? "(DISTINCT " : "(";
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += printer.print(*call.arguments[i], columns);
  }
  if (call.arguments.empty()) text += "*";
  text += ")";
  if (call.filter != nullptr)
    text += " FILTER (WHERE " + printer.condition(*call.filter, columns) + ")";
  return text;
}

// A column stays what it is called; anything else is shown in parentheses.
std::string projected(const Expression& value, ExpressionPrinter& printer,
                      const ColumnNames& columns) {
  const std::string text = printer.print(value, columns);
  const bool plain = value.kind == Expression::Kind::kColumn ||
                     value.kind == Expression::Kind::kConstant || text.starts_with('(');
  return plain ? text : "(" + text + ")";
}

}  // namespace

std::string column_name(const TableInfo& table, std::int16_t attribute, bool qualified) {
  const ColumnInfo* const column = table.find_column(attribute);
  const std::string name = column == nullptr ? "?column?" : quote_identifier(column->name);
  return qualified ? quote_identifier(table.name) + "." + name : name;
}

ColumnNames table_columns(const PlanNode& node, bool qualified) {
  ColumnNames names;
  if (node.table == nullptr) return names;
  for (const std::int16_t attribute : node.columns)
    names.push_back(column_name(*node.table, attribute, qualified));
  if (node.with_egid)
    names.push_back(qualified ? quote_identifier(node.table->name) + ".egid" : "egid");
  return names;
}

ColumnNames input_columns(const PlanNode& node, ExpressionPrinter& printer, bool qualified) {
  ColumnNames names;
  for (const PlanNodeRef& input : node.inputs) {
    ColumnNames one = output_columns(*input, printer, qualified);
    names.insert(names.end(), one.begin(), one.end());
  }
  return names;
}

ColumnNames output_columns(const PlanNode& node, ExpressionPrinter& printer, bool qualified) {
  ColumnNames names;
  switch (node.kind) {
    case Kind::kScan:
    case Kind::kBitmapScan:
    case Kind::kIndexOrder:
    case Kind::kEgidLookup:
    case Kind::kComputed:
      return table_columns(node, qualified);
    case Kind::kCountOnly:
      return {"count(*)"};
    case Kind::kValues:
      for (std::size_t i = 1; i <= node.types.size(); ++i)
        names.push_back((qualified ? "\"*VALUES*\".column" : "column") + std::to_string(i));
      return names;
    case Kind::kFunction:
      return {node.function == nullptr ? "?" : quote_identifier(node.function->name)};
    case Kind::kProject: {
      const ColumnNames below = input_columns(node, printer, qualified);
      for (const ExpressionRef& value : node.projections)
        names.push_back(projected(*value, printer, below));
      return names;
    }
    case Kind::kHashJoin:
    case Kind::kNestedLoop:
      if (node.join == JoinKind::kSemi || node.join == JoinKind::kAnti)
        return output_columns(*node.inputs[0], printer, qualified);
      return input_columns(node, printer, qualified);
    case Kind::kLookupJoin: {
      names = input_columns(node, printer, qualified);
      if (node.join == JoinKind::kSemi || node.join == JoinKind::kAnti) return names;
      const ColumnNames right = table_columns(node, qualified);
      names.insert(names.end(), right.begin(), right.end());
      return names;
    }
    case Kind::kAggregate: {
      const ColumnNames below = input_columns(node, printer, qualified);
      for (const ExpressionRef& group : node.groups) names.push_back(printer.print(*group, below));
      for (const AggregateCall& call : node.calls) names.push_back(call_text(call, printer, below));
      return names;
    }
    case Kind::kAppend:
      return node.inputs.empty() ? names : output_columns(*node.inputs[0], printer, qualified);
    case Kind::kFilter:
    case Kind::kDistinct:
    case Kind::kSort:
    case Kind::kLimit:
      return input_columns(node, printer, qualified);
    case Kind::kInsert:
    case Kind::kUpdate:
    case Kind::kDelete:
      for (std::size_t i = 0; i < node.types.size(); ++i) names.emplace_back("?column?");
      return names;
  }
  return names;
}

std::size_t count_relations(const PlanNode& node) {
  std::size_t count = reads_relation(node.kind) ? 1 : 0;
  for (const PlanNodeRef& input : node.inputs) count += count_relations(*input);
  return count;
}

}  // namespace coppice::planner
