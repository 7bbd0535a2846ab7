// text_cast.cpp — values written as text by one type and read by another.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

class TextCastEvaluator final : public Evaluator {
 public:
  TextCastEvaluator(const Expression& expression, EvaluatorRef argument, const SqlType& from,
                    const SqlType& to, Execution& execution)
      : expression_(expression),
        argument_(std::move(argument)),
        from_(from),
        to_(to),
        execution_(execution),
        out_(expression.physical) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(argument_->run(input, rows));
    return cast_all(argument_->result(), rows, input.rows);
  }

 private:
  // Out of line, so that nested casts take little stack.
  [[gnu::noinline]] Status cast_all(const Vector& values, const Selection& rows,
                                    std::uint32_t size) {
    if (values.encoding() == Encoding::kConstant && rows.count() != 0) {
      const Vector one = Vector::constant(values.datum_at(0), 1);
      COPPICE_TRY(cast(one, Selection::all(1), 1));
      result_ = Vector::constant(out_.view().datum_at(0), size);
      return {};
    }
    COPPICE_TRY(cast(values, rows, size));
    result_ = out_.view();
    return {};
  }
  Status cast(const Vector& values, const Selection& rows, std::uint32_t size);

  const Expression& expression_;
  EvaluatorRef argument_;
  const SqlType& from_;
  const SqlType& to_;
  Execution& execution_;
  VectorBuffer out_;
  FormattedColumn text_;
};

Status TextCastEvaluator::cast(const Vector& values, const Selection& rows, std::uint32_t size) {
  const SqlSettings& settings = execution_.settings();
  text_.clear();
  COPPICE_TRY(from_.format(WireForm::kText, values, rows, settings, text_));
  COPPICE_ASSERT(text_.ends.size() == rows.count());
  out_.clear();
  std::int64_t from = 0;
  std::size_t i = 0;
  Status status;
  rows.for_each([&](std::uint32_t row) {
    if (!status) return;
    while (out_.size() < row) out_.append_null();
    const std::int64_t end = text_.ends[i++];
    if (end < 0) return out_.append_null();
    const auto value =
        ByteView(text_.bytes)
            .subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(end - from));
    from = end;
    status = to_.parse(WireForm::kText, value, expression_.modifier, settings, out_);
  });
  while (status && out_.size() < size) out_.append_null();
  return status;
}

}  // namespace

Result<EvaluatorRef> make_text_cast(const Expression& expression, Evaluators arguments,
                                    Execution& execution) {
  const SqlType* const from = COPPICE_TRY(execution.type(expression.arguments[0]->type));
  const SqlType* const to = COPPICE_TRY(execution.type(expression.type));
  if (from->info().physical != expression.arguments[0]->physical ||
      to->info().physical != expression.physical)
    return bad_plan("a cast of other types");
  return std::make_unique<TextCastEvaluator>(expression, std::move(arguments[0]), *from, *to,
                                             execution);
}

}  // namespace coppice::executor
