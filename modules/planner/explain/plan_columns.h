// plan_columns.h — what the output columns of an operator are called in a plan's text.
//
// Threads:  any. Parks: never.
#pragma once

#include "interfaces/types/plan.h"
#include "modules/planner/explain/expression_text.h"

namespace coppice::planner {

// `qualified`: "t.a" instead of "a", where a plan reads more than one relation.
ColumnNames output_columns(const PlanNode& node, ExpressionPrinter& printer, bool qualified);
// Of the inputs, one after the other, as expressions of the node see them.
ColumnNames input_columns(const PlanNode& node, ExpressionPrinter& printer, bool qualified);
// Of the row that a scan's filter sees: its own output.
ColumnNames table_columns(const PlanNode& node, bool qualified);

// Relations that the plan reads.
std::size_t count_relations(const PlanNode& node);

std::string column_name(const TableInfo& table, std::int16_t attribute, bool qualified);

}  // namespace coppice::planner
