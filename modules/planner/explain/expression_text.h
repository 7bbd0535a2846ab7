// expression_text.h — bound expressions as PostgreSQL prints them in plans.
//
// Role:     operators in parentheses, constants with their type where it would be lost otherwise.
// Threads:  any. Parks: never.
// Source:   PostgreSQL 15, ruleutils.c (get_rule_expr, get_const_expr).
#pragma once

#include <string>
#include <vector>

#include "interfaces/types/expression.h"

namespace coppice::planner {

// What the columns of an operator's input are called.
using ColumnNames = std::vector<std::string>;

// How operators and casts are found again by the function that they call.
class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(const SqlRegistry& registry) : registry_(registry) {}

  std::string print(const Expression& expression, const ColumnNames& columns);
  // As a whole condition: "(a = 1)" always has its parentheses.
  std::string condition(const Expression& expression, const ColumnNames& columns);

  // Subplans met while printing, in the order of their numbers ("SubPlan 1" is the first).
  const std::vector<const PlanNode*>& subplans() const { return subplans_; }

 private:
  std::string call(const Expression& expression, const ColumnNames& columns);
  std::string operand(const Expression& expression, const ColumnNames& columns, TypeOid wanted);
  std::string list(const Expression& expression, const ColumnNames& columns, std::size_t from);
  std::string joined(const Expression& expression, const ColumnNames& columns, const char* word);
  std::string in_list(const Expression& expression, const ColumnNames& columns);
  std::string case_text(const Expression& expression, const ColumnNames& columns);
  std::string constant(const Expression& expression) const;
  std::string value_text(TypeOid type, const Value& value) const;
  std::string type_text(TypeOid type, std::int32_t modifier) const;
  std::string subplan(const Expression& expression);
  const SqlOperator* find_operator(const SqlFunction* function) const;

  const SqlRegistry& registry_;
  std::vector<const PlanNode*> subplans_;
  unsigned depth_ = 0;
};

std::string quote_identifier(std::string_view name);

}  // namespace coppice::planner
