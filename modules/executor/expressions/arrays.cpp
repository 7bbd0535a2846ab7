// arrays.cpp — ARRAY[…] and a[n], by what the array's type knows of its bytes.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"

namespace coppice::executor {

namespace {

constexpr TypeOid kInt2Vector = 22, kOidVector = 30;  // their first element is number 0

class ArrayEvaluator final : public Evaluator {
 public:
  ArrayEvaluator(Evaluators arguments, const SqlType& type, PhysicalType element)
      : arguments_(std::move(arguments)), type_(type), elements_(element) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    for (const EvaluatorRef& argument : arguments_) COPPICE_TRY(argument->run(input, rows));
    out_.clear();
    Status status;
    rows.for_each([&](std::uint32_t row) {
      if (status) status = pack(row);
    });
    COPPICE_TRY(std::move(status));
    out_.append_empty(input.rows - out_.size());
    result_ = out_.view();
    return {};
  }

 private:
  Status pack(std::uint32_t row) {
    out_.append_empty(row - out_.size());
    elements_.clear();
    for (const EvaluatorRef& argument : arguments_)
      elements_.append(argument->result().datum_at(row));
    return type_.pack(elements_.view(), out_);
  }

  Evaluators arguments_;
  const SqlType& type_;
  VectorBuffer elements_;
  VectorBuffer out_{PhysicalType::kBytes};
};

class SubscriptEvaluator final : public Evaluator {
 public:
  SubscriptEvaluator(Evaluators arguments, const SqlType& type, PhysicalType element)
      : arguments_(std::move(arguments)),
        type_(type),
        first_(type.info().oid == kInt2Vector || type.info().oid == kOidVector ? 0 : 1),
        elements_(element),
        out_(element) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    for (const EvaluatorRef& argument : arguments_) COPPICE_TRY(argument->run(input, rows));
    out_.clear();
    Status status;
    rows.for_each([&](std::uint32_t row) {
      if (status) status = element(row);
    });
    COPPICE_TRY(std::move(status));
    while (out_.size() < input.rows) out_.append_null();
    result_ = out_.view();
    return {};
  }

 private:
  Status element(std::uint32_t row) {
    while (out_.size() < row) out_.append_null();
    const Vector& array = arguments_[0]->result();
    const Vector& index = arguments_[1]->result();
    if (array.is_null(row) || index.is_null(row)) {
      out_.append_null();
      return {};
    }
    elements_.clear();
    COPPICE_TRY(type_.unpack(array.bytes_at(row), elements_));
    const std::int64_t at = index.int_at(row) - first_;
    if (at < 0 || at >= elements_.size())
      out_.append_null();
    else
      out_.append(elements_.view().datum_at(static_cast<std::uint32_t>(at)));
    return {};
  }

  Evaluators arguments_;
  const SqlType& type_;
  std::int64_t first_;
  VectorBuffer elements_, out_;
};

}  // namespace

Result<EvaluatorRef> make_array(const Expression& expression, Evaluators arguments,
                                Execution& execution) {
  const bool makes = expression.kind == Expression::Kind::kArray;
  if (!makes && arguments.size() != 2) return bad_plan("a subscript without its index");
  const TypeOid oid = makes ? expression.type : expression.arguments[0]->type;
  const SqlType* const type = COPPICE_TRY(execution.type(oid));
  const SqlType* const element = COPPICE_TRY(execution.type(type->info().element));
  const PhysicalType physical = element->info().physical;
  if (makes) return std::make_unique<ArrayEvaluator>(std::move(arguments), *type, physical);
  return std::make_unique<SubscriptEvaluator>(std::move(arguments), *type, physical);
}

}  // namespace coppice::executor
