// call.cpp — functions of the packs.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

class CallEvaluator final : public Evaluator {
 public:
  CallEvaluator(const Expression& expression, Evaluators arguments, Execution& execution)
      : function_(*expression.function),
        arguments_(std::move(arguments)),
        execution_(execution),
        out_(expression.physical) {
    values_.resize(arguments_.size());
  }

  Status run(const RowBatch& input, const Selection& rows) override {
    if (rows.count() == 0) return give_null(input.rows);
    bool constant = !arguments_.empty() && function_.volatility != Volatility::kVolatile;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      COPPICE_TRY(arguments_[i]->run(input, rows));
      values_[i] = arguments_[i]->result();
      constant = constant && values_[i].encoding() == Encoding::kConstant;
    }
    return constant ? call_once(input.rows) : call(rows, input.rows);
  }

 private:
  [[gnu::noinline]] Status give_null(std::uint32_t rows) {
    result_ = Vector::constant(Datum::null_of(out_.type()), rows);
    return {};
  }
  // A result is the same for all rows when all arguments are.
  [[gnu::noinline]] Status call_once(std::uint32_t rows);
  [[gnu::noinline]] Status call(const Selection& rows, std::uint32_t size);
  Status kernel(const Selection& rows, std::uint32_t size);

  const SqlFunction& function_;
  Evaluators arguments_;
  Execution& execution_;
  VectorBuffer out_;
  std::vector<Vector> values_;
  Mask nulls_{}, active_{};
  Selection shown_ = Selection::all(0);
};

Status CallEvaluator::kernel(const Selection& rows, std::uint32_t size) {
  out_.clear();
  COPPICE_TRY(function_.kernel(execution_.calls(), values_, rows, size, out_));
  COPPICE_ASSERT(out_.size() == size);
  return {};
}

Status CallEvaluator::call_once(std::uint32_t rows) {
  bool null = false;
  for (Vector& value : values_) {
    null = null || value.has_nulls();
    value = Vector::constant(value.datum_at(0), 1);
  }
  if (function_.strict && null) {
    result_ = Vector::constant(Datum::null_of(out_.type()), rows);
    return {};
  }
  const Selection one = Selection::all(1);
  COPPICE_TRY(kernel(one, 1));
  result_ = Vector::constant(out_.view().datum_at(0), rows);
  return {};
}

Status CallEvaluator::call(const Selection& rows, std::uint32_t size) {
  bool nulls = false;
  if (function_.strict) {
    for (const Vector& value : values_) nulls = nulls || value.has_nulls();
  }
  if (!nulls) {
    COPPICE_TRY(kernel(rows, size));
    result_ = out_.view();
    return {};
  }
  to_mask(rows, active_);
  nulls_.fill(0);
  for (const Vector& value : values_) {
    if (!value.has_nulls()) continue;
    for (std::uint32_t word = 0; word < active_.size(); ++word) {
      if (active_[word] != 0) nulls_[word] |= value.null_word(word) & active_[word];
    }
  }
  for (std::size_t word = 0; word < active_.size(); ++word) active_[word] &= ~nulls_[word];
  to_selection(active_, size, shown_);
  if (shown_.count() == 0) {
    result_ = Vector::constant(Datum::null_of(out_.type()), size);
    return {};
  }
  COPPICE_TRY(kernel(shown_, size));
  result_ = out_.view();
  if (result_.has_nulls()) {
    for (std::uint32_t word = 0; word < active_.size(); ++word)
      nulls_[word] |= result_.null_word(word) & active_[word];
  }
  result_.set_nulls(bitmap_of(nulls_));
  return {};
}

}  // namespace

Result<EvaluatorRef> make_call(const Expression& expression, Evaluators arguments,
                               Execution& execution) {
  const SqlFunction* const function = expression.function;
  if (function == nullptr || function->kernel == nullptr)
    return bad_plan("a call without a scalar function");
  const std::size_t count = expression.arguments.size();
  const std::vector<TypeOid>& wanted = function->arguments;
  if (function->variadic ? count + 1 < wanted.size() : count != wanted.size())
    return bad_plan("a call of " + function->name + " with a wrong number of arguments");
  for (std::size_t i = 0; i < count && !wanted.empty(); ++i) {
    const SqlType* const type =
        execution.registry().find_type(wanted[std::min(i, wanted.size() - 1)]);
    const bool pseudo = type == nullptr || type->info().category == 'P';
    if (!pseudo && type->info().physical != expression.arguments[i]->physical)
      return bad_plan("a call of " + function->name + " with an argument of another type");
  }
  const SqlType* const result = execution.registry().find_type(function->result);
  if (result != nullptr && result->info().category != 'P' &&
      result->info().physical != expression.physical)
    return bad_plan("a call of " + function->name + " for another type");
  return std::make_unique<CallEvaluator>(expression, std::move(arguments), execution);
}

}  // namespace coppice::executor
