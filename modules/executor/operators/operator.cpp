// operator.cpp — what every operator does, and which one a node gets.
#include "modules/executor/operators/operator.h"

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/operators.h"

namespace coppice::executor {

namespace {

using Kind = PlanNode::Kind;

std::size_t input_count(Kind kind) {
  switch (kind) {
    case Kind::kFilter:
    case Kind::kProject:
    case Kind::kLookupJoin:
    case Kind::kAggregate:
    case Kind::kDistinct:
    case Kind::kSort:
    case Kind::kLimit:
    case Kind::kInsert:
    case Kind::kUpdate:
    case Kind::kDelete:
      return 1;
    case Kind::kHashJoin:
    case Kind::kNestedLoop:
      return 2;
    default:
      return 0;
  }
}

Result<OperatorRef> make_kind(const PlanNode& node, Execution& execution, Operators inputs) {
  switch (node.kind) {
    case Kind::kValues:
      return make_values(node, execution);
    case Kind::kScan:
      return make_scan(node, execution);
    case Kind::kFilter:
      return make_filter(node, execution, std::move(inputs[0]));
    case Kind::kProject:
      return make_project(node, execution, std::move(inputs[0]));
    case Kind::kLimit:
      return make_limit(node, execution, std::move(inputs[0]));
    case Kind::kInsert:
      return make_insert(node, execution, std::move(inputs[0]));
    case Kind::kUpdate:
      return make_update(node, execution, std::move(inputs[0]));
    case Kind::kDelete:
      return make_delete(node, execution, std::move(inputs[0]));
    case Kind::kBitmapScan:
      return make_bitmap_scan(node, execution);
    case Kind::kIndexOrder:
      return make_index_order(node, execution);
    case Kind::kEgidLookup:
      return make_egid_lookup(node, execution);
    case Kind::kCountOnly:
      return make_count_only(node, execution);
    case Kind::kComputed:
      return make_computed(node, execution);
    case Kind::kFunction:
      return make_function(node, execution);
    case Kind::kHashJoin:
      return make_hash_join(node, execution, std::move(inputs));
    case Kind::kLookupJoin:
      return make_lookup_join(node, execution, std::move(inputs[0]));
    case Kind::kNestedLoop:
      return make_nested_loop(node, execution, std::move(inputs));
    case Kind::kAggregate:
      return make_aggregate(node, execution, std::move(inputs[0]));
    case Kind::kDistinct:
      return make_distinct_rows(node, execution, std::move(inputs[0]));
    case Kind::kSort:
      return make_sort(node, execution, std::move(inputs[0]));
    case Kind::kAppend:
      return make_append(node, execution, std::move(inputs));
  }
  unreachable();
}

}  // namespace

Operator::Operator(const PlanNode& node, Execution& execution)
    : node_(node), execution_(execution), stats_(execution.stats.size()) {
  execution.stats.push_back({.node = &node});
}

Status Operator::open() {
  const Ticks from = read_ticks();
  Status started = start();
  OperatorStats& stats = execution_.stats[stats_];
  stats.ticks += read_ticks() - from;
  ++stats.loops;
  return started;
}

Result<bool> Operator::next(RowBatch& batch) {
  COPPICE_TRY(fiber::maybe_yield());
  const Ticks from = read_ticks();
  Result<bool> more = produce(batch);
  OperatorStats& stats = execution_.stats[stats_];
  stats.ticks += read_ticks() - from;
  if (more && *more) {
    ++stats.batches;
    stats.rows += batch.selection.count();
  }
  return more;
}

Result<OperatorRef> make_operator(const PlanNode& node, Execution& execution) {
  COPPICE_TRY(execution.enter(kOperatorLevels));
  if (node.kind != Kind::kAppend && node.inputs.size() != input_count(node.kind))
    return bad_plan("a node with a wrong number of inputs");
  Operators inputs;
  for (const PlanNodeRef& input : node.inputs) {
    if (input == nullptr) return bad_plan("a node without its input");
    OperatorRef made = COPPICE_TRY(make_operator(*input, execution));
    inputs.push_back(std::move(made));
  }
  Result<OperatorRef> made = make_kind(node, execution, std::move(inputs));
  execution.leave(kOperatorLevels);
  return made;
}

}  // namespace coppice::executor
