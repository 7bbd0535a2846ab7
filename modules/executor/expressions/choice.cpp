// choice.cpp — CASE and COALESCE: each row's value comes from one of several evaluators.
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/expressions/evaluators.h"
#include "modules/executor/values/copy.h"
#include "modules/executor/values/masks.h"

namespace coppice::executor {

namespace {

// Out of line, so that nested choices take little stack. Puts a vector together from parts of
// others, which stay as they are until finish(); rows that
// nobody gave are NULL.
class Merge {
 public:
  explicit Merge(PhysicalType type) : out_(type) {}

  [[gnu::noinline]] void begin(std::uint32_t size) {
    out_.clear();
    nulls_.fill(~std::uint64_t{0});
    if (is_bytes(out_.type()))
      views_.assign(size, {});
    else
      with_width(out_.type(), [&]<class T>(T) { values_ = out_.append_values<T>(size); });
  }
  [[gnu::noinline]] void add(const Vector& from, const Mask& rows) {
    for (std::uint32_t word = 0; word < rows.size(); ++word) {
      if (rows[word] == 0) continue;
      const std::uint64_t nulls = from.has_nulls() ? from.null_word(word) : 0;
      nulls_[word] = (nulls_[word] & ~rows[word]) | (nulls & rows[word]);
    }
    if (is_bytes(out_.type())) {
      each(rows, [&](std::uint32_t row) {
        if (!from.is_null(row)) views_[row] = from.bytes_at(row);
      });
    } else {
      with_width(out_.type(), [&]<class T>(T) {
        T* const to = static_cast<T*>(values_);
        each(rows, [&](std::uint32_t row) { to[row] = bits_at<T>(from, row); });
      });
    }
  }
  [[gnu::noinline]] Vector finish() {
    if (is_bytes(out_.type())) out_.append_views(views_);
    Vector vector = out_.view();
    vector.set_nulls(bitmap_of(nulls_));
    return vector;
  }

 private:
  template <class Visit>
  static void each(const Mask& rows, Visit visit) {
    for (std::uint32_t word = 0; word < rows.size(); ++word)
      for (std::uint64_t bits = rows[word]; bits != 0; bits &= bits - 1)
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }

  VectorBuffer out_;
  Mask nulls_{};
  void* values_ = nullptr;
  std::vector<ByteView> views_;
};

class CaseEvaluator final : public Evaluator {
 public:
  CaseEvaluator(PhysicalType physical, Evaluators arguments)
      : arguments_(std::move(arguments)), merge_(physical) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    to_mask(rows, open_);
    merge_.begin(input.rows);
    std::size_t at = 0;
    for (; at + 1 < arguments_.size(); at += 2) {
      to_selection(open_, input.rows, shown_);
      if (shown_.count() == 0) break;
      COPPICE_TRY(arguments_[at]->run(input, shown_));
      truth_of(arguments_[at]->result(), open_, truth_);
      to_selection(truth_.yes, input.rows, shown_);
      if (shown_.count() == 0) continue;
      COPPICE_TRY(arguments_[at + 1]->run(input, shown_));
      merge_.add(arguments_[at + 1]->result(), truth_.yes);
      for (std::size_t word = 0; word < open_.size(); ++word) open_[word] &= ~truth_.yes[word];
    }
    if (at + 1 == arguments_.size() && any_of(open_)) {
      to_selection(open_, input.rows, shown_);
      COPPICE_TRY(arguments_[at]->run(input, shown_));
      merge_.add(arguments_[at]->result(), open_);
    }
    result_ = merge_.finish();
    return {};
  }

 private:
  Evaluators arguments_;
  Merge merge_;
  Mask open_{};
  Truth truth_;
  Selection shown_ = Selection::all(0);
};

class CoalesceEvaluator final : public Evaluator {
 public:
  CoalesceEvaluator(PhysicalType physical, Evaluators arguments)
      : arguments_(std::move(arguments)), merge_(physical) {}

  Status run(const RowBatch& input, const Selection& rows) override {
    to_mask(rows, open_);
    merge_.begin(input.rows);
    for (const EvaluatorRef& argument : arguments_) {
      to_selection(open_, input.rows, shown_);
      if (shown_.count() == 0) break;
      COPPICE_TRY(argument->run(input, shown_));
      nulls_of(argument->result(), open_, nulls_);
      for (std::size_t word = 0; word < open_.size(); ++word) open_[word] &= ~nulls_[word];
      merge_.add(argument->result(), open_);
      open_ = nulls_;
    }
    result_ = merge_.finish();
    return {};
  }

 private:
  Evaluators arguments_;
  Merge merge_;
  Mask open_{}, nulls_{};
  Selection shown_ = Selection::all(0);
};

}  // namespace

EvaluatorRef make_case(PhysicalType physical, Evaluators arguments) {
  return std::make_unique<CaseEvaluator>(physical, std::move(arguments));
}
EvaluatorRef make_coalesce(PhysicalType physical, Evaluators arguments) {
  return std::make_unique<CoalesceEvaluator>(physical, std::move(arguments));
}

}  // namespace coppice::executor
