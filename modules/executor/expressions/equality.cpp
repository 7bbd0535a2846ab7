// equality.cpp — IS DISTINCT FROM and IN lists, by the type's own equality.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/masks.h"
#include "modules/executor/values/row_keys.h"
#include "modules/executor/values/row_numbers.h"

namespace coppice::executor {

namespace {

class DistinctEvaluator final : public Evaluator {
 public:
  DistinctEvaluator(Evaluators arguments, TypeEquality equality)
      : arguments_(std::move(arguments)), equality_(std::move(equality)) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(arguments_[0]->run(input, rows));
    COPPICE_TRY(arguments_[1]->run(input, rows));
    compare(arguments_[0]->result(), arguments_[1]->result(), rows, input.rows);
    return {};
  }

 private:
  [[gnu::noinline]] void compare(const Vector& a, const Vector& b, const Selection& rows,
                                 std::uint32_t size) {
    out_.clear();
    auto* const to = out_.append_values<std::uint8_t>(size);
    rows.for_each([&](std::uint32_t row) {
      const bool a_null = a.is_null(row), b_null = b.is_null(row);
      to[row] = a_null || b_null ? a_null != b_null : !equality_.equal(a, row, b, row);
    });
    result_ = out_.view();
  }

  Evaluators arguments_;
  TypeEquality equality_;
  VectorBuffer out_{PhysicalType::kBool};
};

// A list of constants and parameters is put into a hash table once; other items are compared one
// after the other.
class InListEvaluator final : public Evaluator {
 public:
  InListEvaluator(Evaluators arguments, TypeEquality equality, RowNumbers items, bool fixed,
                  Execution& execution)
      : arguments_(std::move(arguments)),
        equality_(std::move(equality)),
        items_(std::move(items)),
        fixed_(fixed),
        execution_(execution) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(arguments_[0]->run(input, rows));
    begin(rows);
    if (fixed_)
      COPPICE_TRY(look_up(arguments_[0]->result(), input.rows));
    else
      COPPICE_TRY(compare(arguments_[0]->result(), input));
    fill(input.rows);
    return {};
  }

 private:
  // Out of line, so that nested lists take little stack.
  [[gnu::noinline]] void begin(const Selection& rows);
  Status make_table();
  [[gnu::noinline]] Status look_up(const Vector& values, std::uint32_t size);
  Status compare(const Vector& values, const RowBatch& input);
  [[gnu::noinline]] void compare_item(const Vector& values, const Vector& item);
  [[gnu::noinline]] void fill(std::uint32_t size);

  Evaluators arguments_;
  TypeEquality equality_;
  RowNumbers items_;
  const bool fixed_;
  Execution& execution_;
  std::uint64_t items_version_ = 0;  // of the slots; 0: not made
  std::vector<std::uint32_t> found_;
  Mask open_{}, yes_{}, nulls_{};  // open: not decided yet
  Selection shown_ = Selection::all(0);
  VectorBuffer out_{PhysicalType::kBool};
};

Status InListEvaluator::make_table() {
  if (items_version_ == execution_.slots_version()) return {};
  items_.clear();
  RowBatch single;
  single.rows = 1;
  single.selection = Selection::all(1);
  for (std::size_t i = 1; i < arguments_.size(); ++i) {
    COPPICE_TRY(arguments_[i]->run(single, single.selection));
    COPPICE_TRY(items_.insert(std::span(&arguments_[i]->result(), 1), single.selection, found_));
  }
  items_version_ = execution_.slots_version();
  return {};
}

Status InListEvaluator::look_up(const Vector& values, std::uint32_t size) {
  COPPICE_TRY(make_table());
  to_selection(open_, size, shown_);
  items_.find(std::span(&values, 1), shown_, found_);
  std::size_t i = 0;
  shown_.for_each([&](std::uint32_t row) {
    if (found_[i++] != RowNumbers::kNone) yes_[row / 64] |= std::uint64_t{1} << (row % 64);
  });
  for (std::size_t word = 0; word < open_.size(); ++word) {
    open_[word] &= ~yes_[word];
    if (items_.has_null()) nulls_[word] |= open_[word];
  }
  return {};
}

Status InListEvaluator::compare(const Vector& values, const RowBatch& input) {
  for (std::size_t i = 1; i < arguments_.size(); ++i) {
    to_selection(open_, input.rows, shown_);
    if (shown_.count() == 0) return {};
    COPPICE_TRY(arguments_[i]->run(input, shown_));
    compare_item(values, arguments_[i]->result());
  }
  return {};
}

void InListEvaluator::compare_item(const Vector& values, const Vector& item) {
  shown_.for_each([&](std::uint32_t row) {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    if (item.is_null(row)) {
      nulls_[row / 64] |= bit;
    } else if (equality_.equal(values, row, item, row)) {
      yes_[row / 64] |= bit;
      open_[row / 64] &= ~bit;
    }
  });
}

void InListEvaluator::begin(const Selection& rows) {
  to_mask(rows, open_);
  nulls_of(arguments_[0]->result(), open_, nulls_);
  for (std::size_t word = 0; word < open_.size(); ++word) open_[word] &= ~nulls_[word];
  yes_.fill(0);
}

void InListEvaluator::fill(std::uint32_t size) {
  out_.clear();
  auto* const to = out_.append_values<std::uint8_t>(size);
  for (std::uint32_t row = 0; row < size; ++row)
    to[row] = static_cast<std::uint8_t>(yes_[row / 64] >> (row % 64) & 1U);
  result_ = out_.view();
  for (std::size_t word = 0; word < nulls_.size(); ++word) nulls_[word] &= ~yes_[word];
  if (any_of(nulls_)) result_.set_nulls(bitmap_of(nulls_));
}

bool is_fixed(const Expression& expression) {
  return expression.kind == Expression::Kind::kConstant ||
         expression.kind == Expression::Kind::kParameter;
}

}  // namespace

Result<EvaluatorRef> make_distinct(const Expression& expression, Evaluators arguments,
                                   Execution& execution) {
  if (expression.arguments[0]->physical != expression.arguments[1]->physical)
    return bad_plan("IS DISTINCT FROM of different types");
  TypeEquality equality = COPPICE_TRY(TypeEquality::make(expression.arguments[0]->type, execution));
  return std::make_unique<DistinctEvaluator>(std::move(arguments), std::move(equality));
}

Result<EvaluatorRef> make_in_list(const Expression& expression, Evaluators arguments,
                                  Execution& execution) {
  const TypeOid type = expression.arguments[0]->type;
  bool fixed = true;
  for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
    const Expression& item = *expression.arguments[i];
    if (item.physical != expression.arguments[0]->physical)
      return bad_plan("IN over different types");
    fixed = fixed && is_fixed(item);
  }
  TypeEquality equality = COPPICE_TRY(TypeEquality::make(type, execution));
  RowNumbers items =
      COPPICE_TRY(RowNumbers::make(std::span(&type, 1), RowNumbers::Nulls::kNeverEqual, execution));
  return std::make_unique<InListEvaluator>(std::move(arguments), std::move(equality),
                                           std::move(items), fixed, execution);
}

}  // namespace coppice::executor
