// subquery.cpp — scalar subqueries, EXISTS and IN (subquery).
//
// Holds:    a subplan without outer values runs once per run of the statement, and IN looks rows
//           up
//           in a hash table of it; one with outer values runs again for every row that is asked
//           for.
#include "interfaces/types/sql_error.h"
#include "interfaces/types/vector_buffer.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/operators/operator.h"
#include "modules/executor/plan_walk.h"
#include "modules/executor/values/masks.h"
#include "modules/executor/values/memory_use.h"
#include "modules/executor/values/row_keys.h"
#include "modules/executor/values/row_numbers.h"

namespace coppice::executor {

namespace {

// The subplan, and what the row at hand gives to it.
class Subplan {
 public:
  [[gnu::noinline]] static Result<Subplan> make(const Expression& expression,
                                                Execution& execution) {
    if (expression.subplan == nullptr) return bad_plan("a subquery without a plan");
    COPPICE_TRY(execution.enter(kSubqueryLevels));
    Subplan made(expression, execution);
    made.plan_ = COPPICE_TRY(make_operator(*expression.subplan, execution));
    made.outer_ = COPPICE_TRY(make_evaluators(expression.outer, execution));
    made.fixed_ = expression.outer.empty() &&
                  !needs_outer_values(*expression.subplan, execution.parameters());
    execution.leave(kSubqueryLevels);
    return made;
  }

  // Gives the same to every row of the statement's run.
  bool fixed() const { return fixed_; }
  // Works out the outer values of these rows.
  Status prepare(const RowBatch& input, const Selection& rows) {
    for (const EvaluatorRef& value : outer_) COPPICE_TRY(value->run(input, rows));
    return {};
  }
  Status open(std::uint32_t row) {
    for (std::size_t i = 0; i < outer_.size(); ++i)
      execution_->set_slot(expression_->first_parameter + static_cast<std::uint32_t>(i),
                           outer_[i]->result().datum_at(row));
    return plan_->open();
  }
  Result<bool> next(RowBatch& batch) { return plan_->next(batch); }

 private:
  Subplan(const Expression& expression, Execution& execution)
      : expression_(&expression), execution_(&execution) {}

  const Expression* expression_;
  Execution* execution_;
  OperatorRef plan_;
  Evaluators outer_;
  bool fixed_ = false;
};

// What fixed and per-row subqueries share.
class SubqueryEvaluator : public Evaluator {
 public:
  SubqueryEvaluator(Subplan subplan, PhysicalType physical, Execution& execution)
      : subplan_(std::move(subplan)), execution_(execution), out_(physical), once_(physical) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    if (rows.count() == 0) {
      result_ = Vector::constant(Datum::null_of(out_.type()), input.rows);
      return {};
    }
    return subplan_.fixed() ? run_once(input) : run_each(input, rows);
  }

 protected:
  // Appends one value; nothing of the subplan has been read yet. `row` is the outer one.
  virtual Status answer(std::uint32_t row, VectorBuffer& to) = 0;

  Subplan subplan_;
  Execution& execution_;
  RowBatch batch_;  // the subplan's

 private:
  Status run_once(const RowBatch& input) {
    if (generation_ != execution_.generation()) {
      once_.clear();
      COPPICE_TRY(subplan_.open(0));
      COPPICE_TRY(answer(0, once_));
      generation_ = execution_.generation();
    }
    result_ = Vector::constant(once_.view().datum_at(0), input.rows);
    return {};
  }
  Status run_each(const RowBatch& input, const Selection& rows) {
    COPPICE_TRY(subplan_.prepare(input, rows));
    out_.clear();
    Status status;
    rows.for_each([&](std::uint32_t row) {
      if (!status) return;
      while (out_.size() < row) out_.append_null();
      status = subplan_.open(row);
      if (status) status = answer(row, out_);
    });
    COPPICE_TRY(std::move(status));
    while (out_.size() < input.rows) out_.append_null();
    result_ = out_.view();
    return {};
  }

  VectorBuffer out_, once_;
  std::uint64_t generation_ = 0;
};

class ScalarSubquery final : public SubqueryEvaluator {
 public:
  using SubqueryEvaluator::SubqueryEvaluator;

 private:
  Status answer(std::uint32_t, VectorBuffer& to) override {
    std::uint32_t seen = 0;
    for (;;) {
      const bool more = COPPICE_TRY(subplan_.next(batch_));
      if (!more) break;
      if (batch_.columns.empty() || batch_.columns[0].type() != to.type())
        return bad_plan("a subquery of another type");
      batch_.selection.for_each([&](std::uint32_t row) {
        if (seen++ == 0) to.append(batch_.columns[0].datum_at(row));
      });
      if (seen > 1)
        return std::unexpected(
            sql_error("21000", "more than one row returned by a subquery used as an expression"));
    }
    if (seen == 0) to.append_null();
    return {};
  }
};

class ExistsSubquery final : public SubqueryEvaluator {
 public:
  using SubqueryEvaluator::SubqueryEvaluator;

 private:
  Status answer(std::uint32_t, VectorBuffer& to) override {
    const bool any = COPPICE_TRY(subplan_.next(batch_));
    *to.append_values<std::uint8_t>(1) = any ? 1 : 0;
    return {};
  }
};

// All rows' values as one array; there is no NULL, only an empty one.
class ArraySubquery final : public SubqueryEvaluator {
 public:
  ArraySubquery(Subplan subplan, const SqlType& type, PhysicalType element, Execution& execution)
      : SubqueryEvaluator(std::move(subplan), PhysicalType::kBytes, execution),
        type_(type),
        elements_(element),
        memory_(execution.budget()) {}

 private:
  Status answer(std::uint32_t, VectorBuffer& to) override {
    elements_.clear();
    for (;;) {
      const bool more = COPPICE_TRY(subplan_.next(batch_));
      if (!more) break;
      if (batch_.columns.empty() || batch_.columns[0].type() != elements_.type())
        return bad_plan("a subquery of another type");
      batch_.selection.for_each(
          [&](std::uint32_t row) { elements_.append(batch_.columns[0].datum_at(row)); });
      COPPICE_TRY(memory_.grow_to(elements_.memory_bytes()));
    }
    return type_.pack(elements_.view(), to);
  }

  const SqlType& type_;
  VectorBuffer elements_;
  MemoryUse memory_;
};

// One value against the subplan of its row.
class InSubqueryEach final : public SubqueryEvaluator {
 public:
  InSubqueryEach(Subplan subplan, EvaluatorRef value, TypeEquality equality, Execution& execution)
      : SubqueryEvaluator(std::move(subplan), PhysicalType::kBool, execution),
        value_(std::move(value)),
        equality_(std::move(equality)) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(value_->run(input, rows));
    return SubqueryEvaluator::run(input, rows);
  }

 private:
  Status answer(std::uint32_t row, VectorBuffer& to) override {
    const Vector& value = value_->result();
    bool found = false, null = false;
    while (!found) {
      const bool more = COPPICE_TRY(subplan_.next(batch_));
      if (!more) break;
      if (batch_.columns.empty() || batch_.columns[0].type() != value.type())
        return bad_plan("IN over a subquery of another type");
      const Vector& items = batch_.columns[0];
      batch_.selection.for_each([&](std::uint32_t item) {
        if (value.is_null(row) || items.is_null(item))
          null = true;
        else
          found = found || equality_.equal(value, row, items, item);
      });
    }
    if (!found && null)
      to.append_null();
    else
      *to.append_values<std::uint8_t>(1) = found ? 1 : 0;
    return {};
  }

  EvaluatorRef value_;
  TypeEquality equality_;
};

class InSubqueryOnce final : public Evaluator {
 public:
  InSubqueryOnce(Subplan subplan, EvaluatorRef value, RowNumbers items, Execution& execution)
      : subplan_(std::move(subplan)),
        value_(std::move(value)),
        items_(std::move(items)),
        execution_(execution) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(value_->run(input, rows));
    if (rows.count() != 0) COPPICE_TRY(make_table());
    look_up(value_->result(), rows, input.rows);
    return {};
  }

 private:
  Status make_table() {
    if (generation_ == execution_.generation()) return {};
    items_.clear();
    COPPICE_TRY(subplan_.open(0));
    for (;;) {
      const bool more = COPPICE_TRY(subplan_.next(batch_));
      if (!more) break;
      if (batch_.columns.empty() || batch_.columns[0].type() != value_->result().type())
        return bad_plan("IN over a subquery of another type");
      COPPICE_TRY(items_.insert(std::span(batch_.columns).first(1), batch_.selection, found_));
    }
    generation_ = execution_.generation();
    return {};
  }
  void look_up(const Vector& values, const Selection& rows, std::uint32_t size) {
    items_.find(std::span(&values, 1), rows, found_);
    out_.clear();
    auto* const to = out_.append_values<std::uint8_t>(size);
    const bool empty = items_.size() == 0 && !items_.has_null();
    std::size_t i = 0;
    rows.for_each([&](std::uint32_t row) {
      const bool found = found_[i++] != RowNumbers::kNone;
      to[row] = found ? 1 : 0;
      if (!found && !empty && (values.is_null(row) || items_.has_null())) out_.set_null(row);
    });
    result_ = out_.view();
  }

  Subplan subplan_;
  EvaluatorRef value_;
  RowNumbers items_;
  Execution& execution_;
  std::uint64_t generation_ = 0;  // in which the items were read
  std::vector<std::uint32_t> found_;
  RowBatch batch_;
  VectorBuffer out_{PhysicalType::kBool};
};

// Out of line, so that nested subqueries take little stack.
[[gnu::noinline]] Result<EvaluatorRef> make_in(const Expression& expression, Subplan subplan,
                                               Evaluators arguments, Execution& execution) {
  if (arguments.size() != 1 || expression.subplan->types.empty())
    return bad_plan("IN without a value");
  const TypeOid type = expression.arguments[0]->type;
  if (subplan.fixed()) {
    RowNumbers items = COPPICE_TRY(
        RowNumbers::make(std::span(&type, 1), RowNumbers::Nulls::kNeverEqual, execution));
    return std::make_unique<InSubqueryOnce>(std::move(subplan), std::move(arguments[0]),
                                            std::move(items), execution);
  }
  TypeEquality equality = COPPICE_TRY(TypeEquality::make(type, execution));
  return std::make_unique<InSubqueryEach>(std::move(subplan), std::move(arguments[0]),
                                          std::move(equality), execution);
}

}  // namespace

Result<EvaluatorRef> make_subquery(const Expression& expression, Evaluators arguments,
                                   Execution& execution) {
  Subplan subplan = COPPICE_TRY(Subplan::make(expression, execution));
  if (expression.kind == Expression::Kind::kScalarSubquery)
    return std::make_unique<ScalarSubquery>(std::move(subplan), expression.physical, execution);
  if (expression.kind == Expression::Kind::kExists)
    return std::make_unique<ExistsSubquery>(std::move(subplan), PhysicalType::kBool, execution);
  if (expression.kind == Expression::Kind::kArraySubquery) {
    const SqlType* const type = COPPICE_TRY(execution.type(expression.type));
    const SqlType* const element = COPPICE_TRY(execution.type(type->info().element));
    return std::make_unique<ArraySubquery>(std::move(subplan), *type, element->info().physical,
                                           execution);
  }
  return make_in(expression, std::move(subplan), std::move(arguments), execution);
}

}  // namespace coppice::executor
