// expressions.cpp — nodes, copies, constant folding.
#include "modules/planner/bind/expressions.h"

#include <algorithm>
#include <utility>

#include "kernel/base/random.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

// What immutable functions may look at: the settings, nothing of time and place.
class FoldContext final : public CallContext {
 public:
  explicit FoldContext(const BindContext& context) : context_(context) {}
  const SqlSettings& settings() const override { return context_.settings(); }
  WallTime transaction_start() const override { return {}; }
  WallTime statement_start() const override { return {}; }
  WallTime clock_now() const override { return {}; }
  Rng& random() override { return rng_; }
  std::optional<std::string> ask(std::string_view, std::span<const Datum>) override { return {}; }
  const SqlRegistry* registry() const override { return &context_.registry(); }

 private:
  const BindContext& context_;
  Rng rng_{0};
};

// Nothing: not to be folded, or an error for the execution to raise.
std::optional<Value> fold(const BindContext& context, const SqlFunction& function,
                          PhysicalType result, const std::vector<ExpressionRef>& arguments) {
  if (function.kernel == nullptr || function.volatility != Volatility::kImmutable) return {};
  std::vector<Vector> values;
  bool any_null = false;
  for (const ExpressionRef& argument : arguments) {
    if (!is_constant(*argument)) return {};
    any_null |= argument->value.null;
    values.push_back(Vector::constant(argument->value.datum(), 1));
  }
  if (any_null && function.strict) return Value(Datum::null_of(result));
  FoldContext calls(context);
  VectorBuffer out(result);
  if (!function.kernel(calls, values, Selection::all(1), 1, out) || out.size() != 1) return {};
  return Value(out.view().datum_at(0));
}

bool same_all(const std::vector<ExpressionRef>& a, const std::vector<ExpressionRef>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](const ExpressionRef& x, const ExpressionRef& y) {
                                              return same_expression(*x, *y);
                                            });
}

}  // namespace

PhysicalType physical_of(const BindContext& context, TypeOid type) {
  const SqlType* const known = context.registry().find_type(type);
  return known == nullptr ? PhysicalType::kBytes : known->info().physical;
}

ExpressionRef make_constant(const BindContext& context, TypeOid type, Value value,
                            ast::Location at) {
  auto made = std::make_unique<Expression>();
  made->type = type;
  made->physical = physical_of(context, type);
  made->value = std::move(value);
  made->value.type = made->physical;
  made->location = at;
  return made;
}

ExpressionRef make_null(const BindContext& context, TypeOid type, ast::Location at) {
  return make_constant(context, type, Value(), at);
}

namespace {

ExpressionRef integer_constant(TypeOid type, PhysicalType physical, std::int64_t value) {
  auto made = std::make_unique<Expression>();
  made->type = type;
  made->physical = physical;
  made->value = Value(Datum::integer(physical, value));
  return made;
}

}  // namespace

ExpressionRef make_bool(bool value) {
  return integer_constant(type_oid::kBool, PhysicalType::kBool, value ? 1 : 0);
}

ExpressionRef make_int4(std::int64_t value) {
  return integer_constant(type_oid::kInt4, PhysicalType::kInt32, value);
}

ExpressionRef make_int8(std::int64_t value) {
  return integer_constant(type_oid::kInt8, PhysicalType::kInt64, value);
}

ExpressionRef make_unknown(std::string_view text, ast::Location at) {
  auto made = std::make_unique<Expression>();
  made->type = type_oid::kUnknown;
  made->physical = PhysicalType::kBytes;
  made->value = Value(Datum::of(as_bytes(text)));
  made->location = at;
  return made;
}

ExpressionRef make_column(const BindContext& context, std::uint32_t id, TypeOid type,
                          std::int32_t modifier, ast::Location at) {
  auto made = std::make_unique<Expression>();
  made->kind = Kind::kColumn;
  made->type = type;
  made->modifier = modifier;
  made->physical = physical_of(context, type);
  made->ordinal = id;
  made->location = at;
  return made;
}

ExpressionRef make_node(const BindContext& context, Kind kind, TypeOid type,
                        std::vector<ExpressionRef> arguments, ast::Location at) {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->type = type;
  made->physical = physical_of(context, type);
  made->arguments = std::move(arguments);
  made->location = at;
  return made;
}

ExpressionRef make_call(const BindContext& context, const SqlFunction& function, TypeOid result,
                        std::vector<ExpressionRef> arguments, ast::Location at) {
  if (auto value = fold(context, function, physical_of(context, result), arguments))
    return make_constant(context, result, *std::move(value), at);
  ExpressionRef made = make_node(context, Kind::kCall, result, std::move(arguments), at);
  made->function = &function;
  return made;
}

ExpressionRef make_and(const BindContext& context, std::vector<ExpressionRef> conditions) {
  std::vector<ExpressionRef> parts;
  for (ExpressionRef& condition : conditions) split_conjuncts(std::move(condition), parts);
  std::erase_if(parts, [](const ExpressionRef& part) { return is_constant_bool(*part, true); });
  if (parts.empty()) return nullptr;
  if (parts.size() == 1) return std::move(parts.front());
  return make_node(context, Kind::kAnd, type_oid::kBool, std::move(parts));
}

bool is_constant_bool(const Expression& expression, bool value) {
  return is_constant(expression) && !expression.value.null && expression.type == type_oid::kBool &&
         (expression.value.bits != 0) == value;
}

bool same_expression(const Expression& a, const Expression& b) {
  if (a.kind != b.kind || a.function != b.function || a.ordinal != b.ordinal) return false;
  if (a.kind != Kind::kColumn && (a.type != b.type || a.modifier != b.modifier)) return false;
  if (a.kind == Kind::kConstant && !(a.value.datum() == b.value.datum())) return false;
  return a.subplan == b.subplan && same_all(a.arguments, b.arguments) && same_all(a.outer, b.outer);
}

void walk(const Expression& expression, const std::function<bool(const Expression&)>& visit) {
  if (!visit(expression)) return;
  for (const ExpressionRef& argument : expression.arguments) walk(*argument, visit);
  for (const ExpressionRef& outer : expression.outer) walk(*outer, visit);
}

void rewrite(ExpressionRef& expression, const std::function<bool(ExpressionRef&)>& visit) {
  if (!visit(expression)) return;
  for (ExpressionRef& argument : expression->arguments) rewrite(argument, visit);
  for (ExpressionRef& outer : expression->outer) rewrite(outer, visit);
}

bool any_of(const Expression& expression, const std::function<bool(const Expression&)>& test) {
  bool found = false;
  walk(expression, [&](const Expression& node) {
    found = found || test(node);
    return !found;
  });
  return found;
}

bool is_volatile(const Expression& expression) {
  return any_of(expression, [](const Expression& node) {
    return node.kind == Kind::kCall && node.function->volatility == Volatility::kVolatile;
  });
}

bool is_runtime_constant(const Expression& expression) {
  return !any_of(expression, [](const Expression& node) {
    return node.kind == Kind::kColumn || node.subplan != nullptr ||
           (node.kind == Kind::kCall && node.function->volatility == Volatility::kVolatile);
  });
}

void split_conjuncts(ExpressionRef condition, std::vector<ExpressionRef>& to) {
  if (condition == nullptr) return;
  if (condition->kind != Kind::kAnd) {
    to.push_back(std::move(condition));
    return;
  }
  for (ExpressionRef& argument : condition->arguments) split_conjuncts(std::move(argument), to);
}

Status resolve_columns(Expression& expression, std::span<const std::uint32_t> ids) {
  if (expression.kind == Kind::kColumn) {
    const auto found = std::find(ids.begin(), ids.end(), expression.ordinal);
    if (found == ids.end())
      return std::unexpected(
          sql_error(sqlstate::kInternalError, "a column is missing in its input"));
    expression.ordinal = static_cast<std::uint32_t>(found - ids.begin());
  }
  for (ExpressionRef& argument : expression.arguments) COPPICE_TRY(resolve_columns(*argument, ids));
  for (ExpressionRef& outer : expression.outer) COPPICE_TRY(resolve_columns(*outer, ids));
  return {};
}

}  // namespace coppice::planner
