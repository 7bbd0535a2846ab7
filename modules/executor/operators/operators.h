// operators.h — makers of the operators, by kind; inputs are made already.
#pragma once

#include "modules/executor/operators/operator.h"

namespace coppice::executor {

Result<OperatorRef> make_values(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_scan(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_filter(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_project(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_limit(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_insert(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_update(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_delete(const PlanNode& node, Execution& execution, OperatorRef input);

}  // namespace coppice::executor
