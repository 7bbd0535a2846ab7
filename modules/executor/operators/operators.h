// operators.h — makers of the operators, by kind; inputs are made already.
#pragma once

#include "modules/executor/operators/operator.h"

namespace coppice::executor {

Result<OperatorRef> make_values(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_scan(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_bitmap_scan(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_index_order(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_egid_lookup(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_count_only(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_computed(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_function(const PlanNode& node, Execution& execution);
Result<OperatorRef> make_filter(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_project(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_limit(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_hash_join(const PlanNode& node, Execution& execution, Operators inputs);
Result<OperatorRef> make_lookup_join(const PlanNode& node, Execution& execution, OperatorRef left);
Result<OperatorRef> make_nested_loop(const PlanNode& node, Execution& execution, Operators inputs);
Result<OperatorRef> make_aggregate(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_distinct_rows(const PlanNode& node, Execution& execution,
                                       OperatorRef input);
Result<OperatorRef> make_sort(const PlanNode& node, Execution& execution, OperatorRef input);
OperatorRef make_append(const PlanNode& node, Execution& execution, Operators inputs);
Result<OperatorRef> make_insert(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_update(const PlanNode& node, Execution& execution, OperatorRef input);
Result<OperatorRef> make_delete(const PlanNode& node, Execution& execution, OperatorRef input);

}  // namespace coppice::executor
