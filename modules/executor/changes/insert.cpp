// insert.cpp — INSERT.
#include "modules/executor/changes/change_operator.h"
#include "modules/executor/changes/insert_image.h"
#include "modules/executor/changes/table_writer.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/plan_walk.h"

namespace coppice::executor {

namespace {

class InsertOperator final : public ChangeOperator {
 public:
  InsertOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                 Evaluators projections, Returning returning, std::vector<PhysicalType> input_types)
      : ChangeOperator(node, execution, std::move(input), std::move(returning.evaluators),
                       std::move(returning.types)),
        projections_(std::move(projections)),
        input_types_(std::move(input_types)),
        keeps_input_(reads_table(*node.inputs[0], node.table->storage) ||
                     reads_table(node.projections, node.table->storage)) {}

 private:
  Status apply() override;
  Status insert(const RowBatch& batch);

  Evaluators projections_;
  std::vector<PhysicalType> input_types_;
  const bool keeps_input_;  // a scan must not meet the rows that are being inserted
};

Status InsertOperator::apply() {
  COPPICE_TRY(input().open());
  RowBatch batch;
  RowStore kept(input_types_, execution_.budget());
  for (;;) {
    const bool more = COPPICE_TRY(input().next(batch));
    if (!more) break;
    if (keeps_input_)
      COPPICE_TRY(kept.append(batch.columns, batch.selection));
    else
      COPPICE_TRY(insert(batch));
  }
  for (std::size_t chunk = 0; chunk < kept.chunks(); ++chunk) {
    kept.batch_of(chunk, batch);
    COPPICE_TRY(insert(batch));
  }
  return {};
}

Status InsertOperator::insert(const RowBatch& batch) {
  std::vector<Vector> values;
  for (const EvaluatorRef& projection : projections_) {
    COPPICE_TRY(projection->run(batch, batch.selection));
    values.push_back(projection->result());
  }
  InsertImage image(table(), execution_);
  COPPICE_TRY(image.fill(node_.columns, values, batch.rows, batch.selection));
  TableWriter writer(table(), execution_);
  const Egid first = COPPICE_TRY(writer.insert(image.image()));
  execution_.rows_affected += batch.selection.count();
  if (!node_.has_returning) return {};
  std::vector<Egid> ids(batch.rows);
  Egid next = first;
  batch.selection.for_each([&](std::uint32_t row) { ids[row] = next++; });
  return give_back(image.image(), ids);
}

}  // namespace

Result<OperatorRef> make_insert(const PlanNode& node, Execution& execution, OperatorRef input) {
  Returning returning = COPPICE_TRY(make_returning(node, execution));
  if (node.projections.size() != node.columns.size())
    return bad_plan("an INSERT whose values are not parallel to its columns");
  Evaluators projections = COPPICE_TRY(make_evaluators(node.projections, execution));
  auto types = COPPICE_TRY(execution.physicals(input->node().types));
  return std::make_unique<InsertOperator>(node, execution, std::move(input), std::move(projections),
                                          std::move(returning), std::move(types));
}

}  // namespace coppice::executor
