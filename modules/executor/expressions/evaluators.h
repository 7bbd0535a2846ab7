// evaluators.h — makers of the evaluators, by kind; arguments are made already.
#pragma once

#include "modules/executor/expressions/evaluator.h"

namespace coppice::executor {

Result<EvaluatorRef> make_call(const Expression& expression, Evaluators arguments,
                               Execution& execution);
EvaluatorRef make_and(Evaluators arguments);
EvaluatorRef make_or(Evaluators arguments);
EvaluatorRef make_not(EvaluatorRef argument);
EvaluatorRef make_is_null(EvaluatorRef argument, bool wanted);
Result<EvaluatorRef> make_distinct(const Expression& expression, Evaluators arguments,
                                   Execution& execution);
Result<EvaluatorRef> make_in_list(const Expression& expression, Evaluators arguments,
                                  Execution& execution);
Result<EvaluatorRef> make_array_any(const Expression& expression, Evaluators arguments,
                                    Execution& execution);
EvaluatorRef make_case(PhysicalType physical, Evaluators arguments);
EvaluatorRef make_coalesce(PhysicalType physical, Evaluators arguments);
Result<EvaluatorRef> make_text_cast(const Expression& expression, Evaluators arguments,
                                    Execution& execution);

// ARRAY[…], a[n].
Result<EvaluatorRef> make_array(const Expression& expression, Evaluators arguments,
                                Execution& execution);
Result<EvaluatorRef> make_subquery(const Expression& expression, Evaluators arguments,
                                   Execution& execution);

}  // namespace coppice::executor
