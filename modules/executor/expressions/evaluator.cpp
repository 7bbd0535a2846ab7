// evaluator.cpp — constants, columns, parameters, and which evaluator an expression gets.
#include "modules/executor/expressions/evaluator.h"

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

using Kind = Expression::Kind;

class ConstantEvaluator final : public Evaluator {
 public:
  explicit ConstantEvaluator(const Expression& expression) : value_(expression.value.datum()) {
    if (value_.null) value_.type = expression.physical;
  }
  Status run(const RowBatch& input, const Selection&) override {
    result_ = Vector::constant(value_, input.rows);
    return {};
  }

 private:
  Datum value_;
};

class ColumnEvaluator final : public Evaluator {
 public:
  explicit ColumnEvaluator(const Expression& expression) : expression_(expression) {}
  Status run(const RowBatch& input, const Selection&) override {
    if (expression_.ordinal >= input.columns.size()) return bad_plan("no such input column");
    const Vector& column = input.columns[expression_.ordinal];
    if (column.type() != expression_.physical) return bad_plan("a column of another type");
    result_ = column;
    return {};
  }

 private:
  const Expression& expression_;
};

class ParameterEvaluator final : public Evaluator {
 public:
  ParameterEvaluator(const Expression& expression, Execution& execution)
      : expression_(expression), execution_(execution) {}
  Status run(const RowBatch& input, const Selection&) override {
    const Datum value = execution_.slot(expression_.ordinal, expression_.physical);
    if (value.type != expression_.physical) return bad_plan("a parameter of another type");
    result_ = Vector::constant(value, input.rows);
    return {};
  }

 private:
  const Expression& expression_;
  Execution& execution_;
};

bool has_argument_count(const Expression& expression) {
  const std::size_t count = expression.arguments.size();
  switch (expression.kind) {
    case Kind::kNot:
    case Kind::kIsNull:
    case Kind::kIsNotNull:
    case Kind::kTextCast:
      return count == 1;
    case Kind::kDistinct:
    case Kind::kArrayAny:
      return count == 2;
    case Kind::kCase:
      return count >= 2;
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kCoalesce:
    case Kind::kInList:
      return count >= 1;
    default:
      return true;
  }
}

bool wants_bools(Kind kind) {
  return kind == Kind::kAnd || kind == Kind::kOr || kind == Kind::kNot;
}

// Out of line, like make_kind(): what stands in make_at() is on the stack once per level.
[[gnu::noinline]] Status check_shape(const Expression& expression) {
  if (!has_argument_count(expression)) return bad_plan("an expression with too few arguments");
  for (const ExpressionRef& argument : expression.arguments) {
    if (argument == nullptr) return bad_plan("an expression without its argument");
    if (wants_bools(expression.kind) && argument->physical != PhysicalType::kBool)
      return bad_plan("a condition that is no bool");
    const bool same = expression.kind == Kind::kCoalesce;
    if (same && argument->physical != expression.physical)
      return bad_plan("arguments of different types");
  }
  if (expression.kind != Kind::kCase) return {};
  const std::size_t count = expression.arguments.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool when = i % 2 == 0 && i + 1 < count;
    if (expression.arguments[i]->physical != (when ? PhysicalType::kBool : expression.physical))
      return bad_plan("a CASE of different types");
  }
  return {};
}

[[gnu::noinline]] Result<EvaluatorRef> make_kind(const Expression& expression, Evaluators arguments,
                                                 Execution& execution) {
  switch (expression.kind) {
    case Kind::kConstant:
      if (!expression.value.null && expression.value.type != expression.physical)
        return bad_plan("a constant of another type");
      return std::make_unique<ConstantEvaluator>(expression);
    case Kind::kColumn:
      return std::make_unique<ColumnEvaluator>(expression);
    case Kind::kParameter:
      return std::make_unique<ParameterEvaluator>(expression, execution);
    case Kind::kCall:
      return make_call(expression, std::move(arguments), execution);
    case Kind::kAnd:
      return make_and(std::move(arguments));
    case Kind::kOr:
      return make_or(std::move(arguments));
    case Kind::kNot:
      return make_not(std::move(arguments[0]));
    case Kind::kIsNull:
    case Kind::kIsNotNull:
      return make_is_null(std::move(arguments[0]), expression.kind == Kind::kIsNull);
    case Kind::kDistinct:
      return make_distinct(expression, std::move(arguments), execution);
    case Kind::kCase:
      return make_case(expression.physical, std::move(arguments));
    case Kind::kCoalesce:
      return make_coalesce(expression.physical, std::move(arguments));
    case Kind::kInList:
      return make_in_list(expression, std::move(arguments), execution);
    case Kind::kTextCast:
      return make_text_cast(expression, std::move(arguments), execution);
    case Kind::kScalarSubquery:
    case Kind::kExists:
    case Kind::kInSubquery:
      return make_subquery(expression, std::move(arguments), execution);
    case Kind::kArrayAny:
      return make_array_any(expression, std::move(arguments), execution);
    case Kind::kArraySubquery:
      return make_subquery(expression, std::move(arguments), execution);
    case Kind::kArray:
    case Kind::kSubscript:
      return make_array(expression, std::move(arguments), execution);
  }
  unreachable();
}

[[gnu::noinline]] Status add_kind(const Expression& expression, Evaluators& arguments,
                                  Execution& execution, Evaluators& to) {
  EvaluatorRef made = COPPICE_TRY(make_kind(expression, std::move(arguments), execution));
  to.push_back(std::move(made));
  return {};
}

// Appends the evaluator to `to`.
Status make_at(const Expression& expression, Execution& execution, Evaluators& to) {
  COPPICE_TRY(execution.enter(1));
  COPPICE_TRY(check_shape(expression));
  Evaluators arguments;
  for (const ExpressionRef& argument : expression.arguments)
    COPPICE_TRY(make_at(*argument, execution, arguments));
  execution.leave(1);
  return add_kind(expression, arguments, execution, to);
}

}  // namespace

Status Evaluator::select(const RowBatch& input, const Selection& rows, Selection& selected) {
  if (rows.count() == 0) {
    selected = rows;
    return {};
  }
  COPPICE_TRY(run(input, rows));
  take_true(input.rows, rows, selected);
  return {};
}

void Evaluator::take_true(std::uint32_t size, const Selection& rows, Selection& selected) const {
  Mask mask;
  Truth truth;
  to_mask(rows, mask);
  truth_of(result_, mask, truth);
  to_selection(truth.yes, size, selected);
}

Result<EvaluatorRef> make_evaluator(const Expression& expression, Execution& execution) {
  Evaluators made;
  COPPICE_TRY(make_at(expression, execution, made));
  return std::move(made.front());
}

Result<Evaluators> make_evaluators(const std::vector<ExpressionRef>& expressions,
                                   Execution& execution) {
  Evaluators made;
  made.reserve(expressions.size());
  for (const ExpressionRef& expression : expressions) {
    if (expression == nullptr) return bad_plan("a missing expression");
    COPPICE_TRY(make_at(*expression, execution, made));
  }
  return made;
}

Result<Value> evaluate_once(const Expression& expression, Execution& execution) {
  const EvaluatorRef evaluator = COPPICE_TRY(make_evaluator(expression, execution));
  RowBatch input;
  input.rows = 1;
  input.selection = Selection::all(1);
  COPPICE_TRY(evaluator->run(input, input.selection));
  return Value(evaluator->result().datum_at(0));
}

}  // namespace coppice::executor
