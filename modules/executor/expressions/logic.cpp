// logic.cpp — AND, OR, NOT, IS NULL.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

// A vector of bool out of masks.
class TruthBuffer {
 public:
  Vector fill(const Mask& yes, const Mask& null, std::uint32_t size) {
    out_.clear();
    null_ = null;
    auto* const to = out_.append_values<std::uint8_t>(size);
    for (std::uint32_t row = 0; row < size; ++row)
      to[row] = static_cast<std::uint8_t>(yes[row / 64] >> (row % 64) & 1U);
    Vector vector = out_.view();
    if (any_of(null_)) vector.set_nulls(bitmap_of(null_));
    return vector;
  }

 private:
  VectorBuffer out_{PhysicalType::kBool};
  Mask null_{};
};

// Looks at each argument only where those before it did not decide.
template <bool kIsAnd>
class JunctionEvaluator final : public Evaluator {
 public:
  explicit JunctionEvaluator(Evaluators arguments) : arguments_(std::move(arguments)) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    to_mask(rows, open_);
    yes_.fill(0);
    null_.fill(0);
    for (const EvaluatorRef& argument : arguments_) {
      to_selection(open_, input.rows, shown_);
      if (shown_.count() == 0) break;
      COPPICE_TRY(argument->run(input, shown_));
      take(argument->result());
    }
    for (std::size_t word = 0; word < open_.size(); ++word) {
      if constexpr (kIsAnd) yes_[word] = open_[word] & ~null_[word];
      null_[word] &= open_[word];
    }
    result_ = buffer_.fill(yes_, null_, input.rows);
    return {};
  }

  Status select(const RowBatch& input, const Selection& rows, Selection& selected) override {
    if constexpr (!kIsAnd) return Evaluator::select(input, rows, selected);
    shown_ = rows;
    for (const EvaluatorRef& argument : arguments_) {
      if (shown_.count() == 0) break;
      COPPICE_TRY(argument->select(input, shown_, selected));
      shown_ = selected;
    }
    selected = shown_;
    return {};
  }

 private:
  void take(const Vector& values) {
    truth_of(values, open_, truth_);
    for (std::size_t word = 0; word < open_.size(); ++word) {
      null_[word] |= truth_.null[word];
      if constexpr (kIsAnd) {
        open_[word] &= truth_.yes[word] | truth_.null[word];
      } else {
        yes_[word] |= truth_.yes[word];
        open_[word] &= ~truth_.yes[word];
      }
    }
  }

  Evaluators arguments_;
  Mask open_{}, yes_{}, null_{};  // open: not decided yet
  Truth truth_;
  Selection shown_ = Selection::all(0);
  TruthBuffer buffer_;
};

class NotEvaluator final : public Evaluator {
 public:
  explicit NotEvaluator(EvaluatorRef argument) : argument_(std::move(argument)) {}
  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(argument_->run(input, rows));
    to_mask(rows, rows_);
    truth_of(argument_->result(), rows_, truth_);
    for (std::size_t word = 0; word < rows_.size(); ++word)
      rows_[word] &= ~(truth_.yes[word] | truth_.null[word]);
    result_ = buffer_.fill(rows_, truth_.null, input.rows);
    return {};
  }

 private:
  EvaluatorRef argument_;
  Mask rows_{};
  Truth truth_;
  TruthBuffer buffer_;
};

class IsNullEvaluator final : public Evaluator {
 public:
  IsNullEvaluator(EvaluatorRef argument, bool wanted)
      : argument_(std::move(argument)), wanted_(wanted) {}
  Status run(const RowBatch& input, const Selection& rows) override {
    COPPICE_TRY(argument_->run(input, rows));
    to_mask(rows, rows_);
    nulls_of(argument_->result(), rows_, yes_);
    if (!wanted_) {
      for (std::size_t word = 0; word < rows_.size(); ++word)
        yes_[word] = rows_[word] & ~yes_[word];
    }
    result_ = buffer_.fill(yes_, {}, input.rows);
    return {};
  }

 private:
  EvaluatorRef argument_;
  bool wanted_;
  Mask rows_{}, yes_{};
  TruthBuffer buffer_;
};

}  // namespace

EvaluatorRef make_and(Evaluators arguments) {
  return std::make_unique<JunctionEvaluator<true>>(std::move(arguments));
}
EvaluatorRef make_or(Evaluators arguments) {
  return std::make_unique<JunctionEvaluator<false>>(std::move(arguments));
}
EvaluatorRef make_not(EvaluatorRef argument) {
  return std::make_unique<NotEvaluator>(std::move(argument));
}
EvaluatorRef make_is_null(EvaluatorRef argument, bool wanted) {
  return std::make_unique<IsNullEvaluator>(std::move(argument), wanted);
}

}  // namespace coppice::executor
