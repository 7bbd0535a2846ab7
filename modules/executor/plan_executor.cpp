// plan_executor.cpp — queries, COPY's rows, single values.
#include "modules/executor/plan_executor.h"

#include "modules/executor/changes/index_builder.h"
#include "modules/executor/changes/insert_image.h"
#include "modules/executor/changes/table_writer.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operator.h"

namespace coppice::executor {

namespace {

class PlanQuery final : public Query {
 public:
  PlanQuery(std::shared_ptr<const QueryPlan> plan, Engine& engine, const SqlRegistry& registry,
            const ExecuteContext& context)
      : plan_(std::move(plan)),
        execution_(engine, registry, context, plan_->parameter_types.size(),
                   plan_->parameter_slots) {}

  Status build() {
    if (plan_->root == nullptr) return bad_plan("a plan without a root");
    root_ = COPPICE_TRY(make_operator(*plan_->root, execution_));
    return {};
  }

  Result<bool> next(RowBatch& batch) override {
    if (ended_) return false;
    if (!opened_) {
      opened_ = true;
      if (Status opened = root_->open(); !opened) {
        ended_ = true;
        return std::unexpected(std::move(opened).error());
      }
    }
    Result<bool> more = root_->next(batch);
    ended_ = !more || !*more;
    return more;
  }

  std::uint64_t rows_affected() const override { return execution_.rows_affected; }
  std::vector<OperatorStats> stats() const override { return execution_.stats; }

 private:
  std::shared_ptr<const QueryPlan> plan_;
  Execution execution_;
  OperatorRef root_;
  bool opened_ = false, ended_ = false;
};

}  // namespace

Result<std::unique_ptr<Query>> PlanExecutor::open(std::shared_ptr<const QueryPlan> plan,
                                                  const ExecuteContext& context) {
  auto query = std::make_unique<PlanQuery>(std::move(plan), engine_, catalog_.registry(), context);
  COPPICE_TRY(query->build());
  return query;
}

Result<std::uint64_t> PlanExecutor::insert_rows(const TableInfoRef& table, const RowBatch& batch,
                                                const ExecuteContext& context) {
  COPPICE_TRY(
      context.txn->lock_relation(table->storage, RelationLock::kRowExclusive, LockWait::kWait));
  Execution execution(engine_, catalog_.registry(), context, 0, 0);
  std::vector<std::int16_t> attributes;
  for (const ColumnInfo& column : table->columns) {
    if (!column.dropped) attributes.push_back(column.attribute);
  }
  if (batch.columns.size() != attributes.size())
    return bad_plan("rows that do not have the table's columns");
  InsertImage image(*table, execution);
  COPPICE_TRY(image.fill(attributes, batch.columns, batch.rows, batch.selection));
  TableWriter writer(*table, execution);
  COPPICE_TRY(writer.insert(image.image()));
  return batch.selection.count();
}

Status PlanExecutor::build_index(NamespaceId ns, Oid table, const NewIndex& definition,
                                 const ExecuteContext& context) {
  IndexBuilder builder(engine_, txns_, catalog_, context, ns, table);
  return context.txn != nullptr ? builder.build_within(definition) : builder.build(definition);
}

Result<Value> PlanExecutor::evaluate(const Expression& expression, const ExecuteContext& context) {
  Execution execution(engine_, catalog_.registry(), context, 0, 0);
  return evaluate_once(expression, execution);
}

}  // namespace coppice::executor
