// evaluator.h — an expression ready to run on batches.
//
// Role:     one object per node of the expression, with the buffers of its results. Evaluates
//           only the
//           rows it is asked for, so that AND, CASE and COALESCE leave out what they need not
//           look at.
// Owns:     its arguments and results; the expression and the Execution outlive it.
// Threads:  one fiber.
// Parks:    run(), where a subquery reads.
// Errors:   those of the functions called; XX000 for a plan that does not fit together.
// Holds:    results and selections are members, so that a level of a deep expression takes little
//           stack.
#pragma once

#include <memory>
#include <vector>

#include "interfaces/types/row_batch.h"
#include "modules/executor/execution.h"

namespace coppice::executor {

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Works out `rows` of `input`; what result() has elsewhere is unspecified.
  virtual Status run(const RowBatch& input, const Selection& rows) = 0;
  // As many values as the input has rows; valid until the next run() and as long as its input.
  const Vector& result() const { return result_; }
  // Of `rows` those where this is true.
  virtual Status select(const RowBatch& input, const Selection& rows, Selection& selected);

 protected:
  Vector result_;

 private:
  [[gnu::noinline]] void take_true(std::uint32_t size, const Selection& rows,
                                   Selection& selected) const;
};
using EvaluatorRef = std::unique_ptr<Evaluator>;
using Evaluators = std::vector<EvaluatorRef>;

Result<EvaluatorRef> make_evaluator(const Expression& expression, Execution& execution);
Result<Evaluators> make_evaluators(const std::vector<ExpressionRef>& expressions,
                                   Execution& execution);

// One value, of an expression without columns.
Result<Value> evaluate_once(const Expression& expression, Execution& execution);

}  // namespace coppice::executor
