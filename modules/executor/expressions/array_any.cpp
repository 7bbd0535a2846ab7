// array_any.cpp — value = ANY (array), by the type's own equality.
//
// Role:     the elements of an array are put into a hash table once; the next row's array is mostly
//           the same one.
#include <string>

#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/key_table.h"
#include "modules/executor/values/masks.h"
#include "modules/executor/values/row_keys.h"

namespace coppice::executor {

namespace {

class ArrayAnyEvaluator final : public Evaluator {
 public:
  ArrayAnyEvaluator(Evaluators arguments, const SqlType& array, PhysicalType element, RowKeys keys,
                    Execution& execution)
      : arguments_(std::move(arguments)),
        array_(array),
        element_(element),
        keys_(std::move(keys)),
        table_(execution.budget()) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(arguments_[0]->run(input, rows));
    COPPICE_TRY(arguments_[1]->run(input, rows));
    begin(rows, input.rows);
    COPPICE_TRY(look_up());
    fill(input.rows);
    return {};
  }

 private:
  // Out of line, as in IN lists.
  [[gnu::noinline]] void begin(const Selection& rows, std::uint32_t size) {
    to_mask(rows, open_);
    nulls_of(arguments_[0]->result(), open_, nulls_);
    nulls_of(arguments_[1]->result(), open_, array_nulls_);
    for (std::size_t word = 0; word < open_.size(); ++word) {
      nulls_[word] |= array_nulls_[word];
      open_[word] &= ~nulls_[word];
    }
    yes_.fill(0);
    to_selection(open_, size, shown_);
  }

  [[gnu::noinline]] Status look_up() {
    if (shown_.count() == 0) return {};
    keys_.encode(std::span(&arguments_[0]->result(), 1), shown_, values_);
    std::size_t i = 0;
    Status status;
    shown_.for_each([&](std::uint32_t row) {
      if (!status) return;
      status = load(arguments_[1]->result().bytes_at(row));
      if (!status) return;
      const std::uint64_t bit = std::uint64_t{1} << (row % 64);
      if (table_.find(values_.key(i), values_.hashes[i]) != KeyTable::kNone)
        yes_[row / 64] |= bit;
      else if (has_null_)
        nulls_[row / 64] |= bit;
      ++i;
    });
    return status;
  }

  Status load(ByteView array) {
    if (loaded_ && array_bytes_ == as_text(array)) return {};
    loaded_ = false;
    table_.clear();
    has_null_ = false;
    VectorBuffer all(element_);
    COPPICE_TRY(array_.unpack(array, all));
    const Vector elements = all.view();
    VectorBuffer part(element_);
    for (std::uint32_t first = 0; first < elements.size(); first += kVectorRows) {
      const std::uint32_t count = std::min(elements.size() - first, kVectorRows);
      part.clear();
      part.append(elements, first, count);
      COPPICE_TRY(insert(part.view()));
    }
    array_bytes_ = as_text(array);
    loaded_ = true;
    return {};
  }

  Status insert(const Vector& elements) {
    keys_.encode(std::span(&elements, 1), Selection::all(elements.size()), elements_);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      if (elements.is_null(i)) {
        has_null_ = true;
        continue;
      }
      COPPICE_TRY(table_.insert(elements_.key(i), elements_.hashes[i]));
    }
    return {};
  }

  [[gnu::noinline]] void fill(std::uint32_t size) {
    out_.clear();
    auto* const to = out_.append_values<std::uint8_t>(size);
    for (std::uint32_t row = 0; row < size; ++row)
      to[row] = static_cast<std::uint8_t>(yes_[row / 64] >> (row % 64) & 1U);
    result_ = out_.view();
    if (any_of(nulls_)) result_.set_nulls(bitmap_of(nulls_));
  }

  Evaluators arguments_;
  const SqlType& array_;
  const PhysicalType element_;
  RowKeys keys_;
  KeyTable table_;
  bool loaded_ = false, has_null_ = false;
  std::string array_bytes_;  // whose elements the table has
  EncodedKeys values_, elements_;
  Mask open_{}, yes_{}, nulls_{}, array_nulls_{};
  Selection shown_ = Selection::all(0);
  VectorBuffer out_{PhysicalType::kBool};
};

}  // namespace

Result<EvaluatorRef> make_array_any(const Expression& expression, Evaluators arguments,
                                    Execution& execution) {
  const SqlType* const array = COPPICE_TRY(execution.type(expression.arguments[1]->type));
  const TypeOid element = array->info().element;
  if (element == 0) return bad_plan("ANY over what is no array");
  const PhysicalType physical = COPPICE_TRY(execution.physical(element));
  if (physical != expression.arguments[0]->physical) return bad_plan("ANY of another type");
  RowKeys keys = COPPICE_TRY(RowKeys::make(std::span(&element, 1), execution));
  return std::make_unique<ArrayAnyEvaluator>(std::move(arguments), *array, physical,
                                             std::move(keys), execution);
}

}  // namespace coppice::executor
