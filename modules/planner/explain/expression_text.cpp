// expression_text.cpp — one case for each kind of expression.
#include "modules/planner/explain/expression_text.h"

#include <algorithm>

#include "interfaces/types/plan.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

constexpr unsigned kDepthMax = 200;  // what is deeper is cut: the fiber's stack is small

std::string quoted_literal(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += '\'';
    literal += c;
  }
  return literal + "'";
}

bool is_atom(const Expression& expression) {
  return expression.kind == Kind::kColumn || expression.kind == Kind::kParameter ||
         expression.kind == Kind::kConstant;
}

}  // namespace

std::string quote_identifier(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const bool safe = !name.empty() && plain(name.front()) && std::ranges::all_of(name, [&](char c) {
    return plain(c) || (c >= '0' && c <= '9');
  });
  if (safe) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string ExpressionPrinter::type_text(TypeOid type, std::int32_t modifier) const {
  const SqlType* const known = registry_.find_type(type);
  return known == nullptr ? "???" : known->describe(modifier);
}

std::string ExpressionPrinter::value_text(TypeOid type, const Value& value) const {
  const SqlType* const known = registry_.find_type(type);
  if (known == nullptr || known->info().physical != value.type) return "?";
  FormattedColumn out;
  const Vector one = Vector::constant(value.datum(), 1);
  const Status formatted =
      known->format(WireForm::kText, one, Selection::all(1), SqlSettings(), out);
  return formatted ? std::string(as_text(out.bytes)) : "?";
}

std::string ExpressionPrinter::constant(const Expression& expression) const {
  const std::string type = type_text(expression.type, expression.modifier);
  if (expression.value.null) return "NULL::" + type;
  const std::string text = value_text(expression.type, expression.value);
  if (expression.type == type_oid::kBool) return text == "t" ? "true" : "false";
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (expression.type == type_oid::kInt4 && digit) return text;
  if (expression.type == type_oid::kNumeric && digit && expression.modifier < 0 &&
      text.find('.') != std::string::npos)
    return text;
  const std::string literal = quoted_literal(text);
  return expression.type == type_oid::kUnknown ? literal : literal + "::" + type;
}

const SqlOperator* ExpressionPrinter::find_operator(const SqlFunction* function) const {
  const auto all = registry_.all_operators();
  const auto at = std::ranges::find(all, function, &SqlOperator::function);
  return at == all.end() ? nullptr : *at;
}

// An argument of another type than the function's, which fits without a call: (name)::text.
std::string ExpressionPrinter::operand(const Expression& expression, const ColumnNames& columns,
                                       TypeOid wanted) {
  const bool plain = wanted == 0 || wanted == expression.type || wanted == type_oid::kAny ||
                     wanted == type_oid::kAnyarray || wanted == type_oid::kAnyelement;
  if (plain || expression.kind == Kind::kConstant) return print(expression, columns);
  return "(" + print(expression, columns) + ")::" + type_text(wanted, -1);
}

std::string ExpressionPrinter::list(const Expression& expression, const ColumnNames& columns,
                                    std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < expression.arguments.size(); ++i) {
    if (i > from) text += ", ";
    text += print(*expression.arguments[i], columns);
  }
  return text;
}

std::string ExpressionPrinter::joined(const Expression& expression, const ColumnNames& columns,
                                      const char* word) {
  std::string text = "(";
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    if (i > 0) text += std::string(" ") + word + " ";
    text += print(*expression.arguments[i], columns);
  }
  return text + ")";
}

std::string ExpressionPrinter::call(const Expression& expression, const ColumnNames& columns) {
  const SqlFunction& function = *expression.function;
  const auto& arguments = expression.arguments;
  const auto wanted = [&](std::size_t i) {
    return function.arguments.empty()
               ? TypeOid{0}
               : function.arguments[std::min(i, function.arguments.size() - 1)];
  };
  if (const SqlOperator* const op = find_operator(&function)) {
    if (arguments.size() == 2 && op->left != 0)
      return "(" + operand(*arguments[0], columns, wanted(0)) + " " + op->name + " " +
             operand(*arguments[1], columns, wanted(1)) + ")";
    if (arguments.size() == 1 && op->left == 0)
      return "(" + op->name + " " + operand(*arguments[0], columns, wanted(0)) + ")";
  }
  if (!arguments.empty()) {
    const SqlCast* const cast = registry_.find_cast(arguments[0]->type, expression.type);
    if (cast != nullptr && cast->function == &function) {
      const std::string value = print(*arguments[0], columns);
      return "(" + value + ")::" + type_text(expression.type, expression.modifier);
    }
  }
  std::string text = quote_identifier(function.name) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += operand(*arguments[i], columns, wanted(i));
  }
  return text + ")";
}

// a = ANY ('{1,2}'::integer[]), as PostgreSQL rewrites IN.
std::string ExpressionPrinter::in_list(const Expression& expression, const ColumnNames& columns) {
  const Expression& value = *expression.arguments[0];
  const bool constants = std::ranges::all_of(
      expression.arguments.begin() + 1, expression.arguments.end(),
      [](const ExpressionRef& item) { return item->kind == Kind::kConstant && !item->value.null; });
  std::string items;
  if (constants) {
    for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
      if (i > 1) items += ",";
      items += value_text(expression.arguments[i]->type, expression.arguments[i]->value);
    }
    items = quoted_literal("{" + items + "}") + "::" + type_text(value.type, -1) + "[]";
  } else {
    items = "ARRAY[" + list(expression, columns, 1) + "]";
  }
  return "(" + print(value, columns) + " = ANY (" + items + "))";
}

std::string ExpressionPrinter::case_text(const Expression& expression, const ColumnNames& columns) {
  const auto& arguments = expression.arguments;
  std::string text = "CASE";
  std::size_t i = 0;
  for (; i + 1 < arguments.size(); i += 2)
    text += " WHEN " + print(*arguments[i], columns) + " THEN " + print(*arguments[i + 1], columns);
  if (i < arguments.size()) text += " ELSE " + print(*arguments[i], columns);
  return text + " END";
}

std::string ExpressionPrinter::subplan(const Expression& expression) {
  const PlanNode* const plan = expression.subplan.get();
  const auto known = std::ranges::find(subplans_, plan);
  const auto number = static_cast<std::size_t>(known - subplans_.begin()) + 1;
  if (known == subplans_.end()) subplans_.push_back(plan);
  const std::string name = "SubPlan " + std::to_string(number);
  return expression.kind == Kind::kInSubquery ? "(hashed " + name + ")" : "(" + name + ")";
}

std::string ExpressionPrinter::condition(const Expression& expression, const ColumnNames& columns) {
  const std::string text = print(expression, columns);
  return is_atom(expression) || text.starts_with('(') ? text : "(" + text + ")";
}

std::string ExpressionPrinter::print(const Expression& expression, const ColumnNames& columns) {
  if (depth_ == kDepthMax) return "...";
  ++depth_;
  const auto argument = [&](std::size_t i) { return print(*expression.arguments[i], columns); };
  std::string text;
  switch (expression.kind) {
    case Kind::kConstant:
      text = constant(expression);
      break;
    case Kind::kColumn:
      text = expression.ordinal < columns.size() ? columns[expression.ordinal] : "?column?";
      break;
    case Kind::kParameter:
      text = "$" + std::to_string(expression.ordinal + 1);
      break;
    case Kind::kCall:
      text = call(expression, columns);
      break;
    case Kind::kAnd:
      text = joined(expression, columns, "AND");
      break;
    case Kind::kOr:
      text = joined(expression, columns, "OR");
      break;
    case Kind::kNot:
      text = "(NOT " + argument(0) + ")";
      break;
    case Kind::kIsNull:
      text = "(" + argument(0) + " IS NULL)";
      break;
    case Kind::kIsNotNull:
      text = "(" + argument(0) + " IS NOT NULL)";
      break;
    case Kind::kDistinct:
      text = "(" + argument(0) + " IS DISTINCT FROM " + argument(1) + ")";
      break;
    case Kind::kCase:
      text = case_text(expression, columns);
      break;
    case Kind::kCoalesce:
      text = "COALESCE(" + list(expression, columns, 0) + ")";
      break;
    case Kind::kInList:
      text = in_list(expression, columns);
      break;
    case Kind::kScalarSubquery:
    case Kind::kExists:
    case Kind::kInSubquery:
    case Kind::kArraySubquery:
      text = subplan(expression);
      break;
    case Kind::kTextCast:
      text = "(" + argument(0) + ")::" + type_text(expression.type, expression.modifier);
      break;
    case Kind::kArrayAny:
      text = "(" + argument(0) + " = ANY (" + argument(1) + "))";
      break;
    case Kind::kArray:
      text = "ARRAY[" + list(expression, columns, 0) + "]";
      break;
    case Kind::kSubscript:
      text = "(" + argument(0) + ")[" + argument(1) + "]";
      break;
  }
  --depth_;
  return text;
}

}  // namespace coppice::planner
