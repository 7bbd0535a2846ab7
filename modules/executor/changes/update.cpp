// update.cpp — UPDATE.
//
// Holds:    all new values are worked out before the first row is written; all old keys are gone
//           before the first new one is looked for. So rows may swap unique values.
#include <algorithm>

#include "modules/executor/changes/change_operator.h"
#include "modules/executor/changes/old_rows.h"
#include "modules/executor/changes/table_writer.h"
#include "modules/executor/changes/violations.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/plan_walk.h"

namespace coppice::executor {

namespace {

class UpdateOperator final : public ChangeOperator {
 public:
  UpdateOperator(const PlanNode& node, Execution& execution, OperatorRef input,
                 Evaluators projections, Returning returning, std::vector<PhysicalType> input_types,
                 std::vector<PhysicalType> new_types)
      : ChangeOperator(node, execution, std::move(input), std::move(returning.evaluators),
                       std::move(returning.types)),
        projections_(std::move(projections)),
        old_(std::move(input_types), node.columns.size(), has_join(*node.inputs[0]), execution),
        new_(std::move(new_types), execution.budget()) {
    for (const std::int16_t attribute : node.assigned)
      columns_.push_back(node.table->find_column(attribute)->storage);
    for (const auto& index : node.table->indexes) {
      if (!is_maintained(*index) || !touches(*index)) continue;
      indexes_.push_back(index.get());
      if (index->unique) lock_ = RowLock::kUpdate;
    }
  }

 private:
  // Columns of one chunk, before or after.
  struct ChunkImage {
    std::vector<Vector> vectors;
    RowImage image;
    explicit ChunkImage(const TableInfo& table) : image(table) {}
  };

  bool touches(const IndexInfo& index) const {
    return std::ranges::any_of(index.columns, [&](const IndexColumn& column) {
      return std::ranges::find(node_.assigned, column.attribute) != node_.assigned.end();
    });
  }
  Status apply() override;
  Status evaluate();
  Status check_not_null(std::size_t chunk);
  Status write_rows(std::size_t chunk);
  // Old and new keys of rows whose key changes.
  Status changed_keys(const IndexInfo& index, std::size_t chunk, bool of_old, KeyBatch& to);
  void image_of(std::size_t chunk, bool of_old, ChunkImage& to) const;

  Evaluators projections_;
  OldRows old_;
  RowStore new_;  // parallel to the old rows: values of `assigned`
  std::vector<ColumnId> columns_;
  std::vector<const IndexInfo*> indexes_;  // with a column that is assigned
  RowLock lock_ = RowLock::kNoKeyUpdate;
  KeyBatch old_keys_, new_keys_;
};

Status UpdateOperator::apply() {
  COPPICE_TRY(old_.collect(input(), table(), lock_));
  COPPICE_TRY(evaluate());
  const std::size_t chunks = old_.rows().chunks();
  TableWriter writer(table(), execution_);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) COPPICE_TRY(write_rows(chunk));
  KeyBatch keys;
  for (const IndexInfo* const index : indexes_) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      COPPICE_TRY(changed_keys(*index, chunk, true, keys));
      COPPICE_TRY(writer.remove_keys(*index, keys, old_.ids(chunk)));
    }
  }
  for (const IndexInfo* const index : indexes_) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      COPPICE_TRY(changed_keys(*index, chunk, false, keys));
      ChunkImage after(table());
      image_of(chunk, false, after);
      COPPICE_TRY(writer.add_keys(*index, after.image, keys, old_.ids(chunk)));
    }
  }
  for (std::size_t chunk = 0; chunk < chunks && node_.has_returning; ++chunk) {
    ChunkImage after(table());
    image_of(chunk, false, after);
    COPPICE_TRY(give_back(after.image, old_.ids(chunk)));
  }
  execution_.rows_affected += old_.rows().rows();
  return {};
}

Status UpdateOperator::evaluate() {
  new_.clear();
  RowBatch batch;
  for (std::size_t chunk = 0; chunk < old_.rows().chunks(); ++chunk) {
    old_.rows().batch_of(chunk, batch);
    std::vector<Vector> values;
    for (const EvaluatorRef& projection : projections_) {
      COPPICE_TRY(projection->run(batch, batch.selection));
      values.push_back(projection->result());
    }
    COPPICE_TRY(new_.append(values, batch.selection));
    COPPICE_TRY(check_not_null(chunk));
  }
  return {};
}

Status UpdateOperator::check_not_null(std::size_t chunk) {
  std::uint32_t first = UINT32_MAX;
  std::int16_t failing = 0;
  for (std::size_t i = 0; i < node_.assigned.size(); ++i) {
    const Vector values = new_.column(chunk, i);
    if (!values.has_nulls() || !table().find_column(node_.assigned[i])->not_null) continue;
    for (std::uint32_t row = 0; row < values.size() && row < first; ++row) {
      if (!values.is_null(row)) continue;
      first = row;
      failing = node_.assigned[i];
    }
  }
  if (failing == 0) return {};
  // The message shows the whole row.
  const Egid id = old_.ids(chunk)[first];
  const TableInfo& on = table();
  std::vector<ColumnId> columns;
  for (const ColumnInfo& column : on.columns) {
    if (!column.dropped) columns.push_back(column.storage);
  }
  const RowBatch whole = COPPICE_TRY(execution_.engine().fetch(
      execution_.txn().view(), table().storage, std::span(&id, 1), columns));
  RowImage image(table());
  image.size = 1;
  image.rows = Selection::all(1);
  std::size_t at = 0;
  for (const ColumnInfo& column : on.columns) {
    if (!column.dropped && whole.rows == 1) image.set(column.attribute, &whole.columns[at++]);
  }
  std::vector<Vector> changed;
  changed.reserve(node_.assigned.size());
  for (std::size_t i = 0; i < node_.assigned.size(); ++i) {
    changed.push_back(Vector::constant(new_.column(chunk, i).datum_at(first), 1));
    image.set(node_.assigned[i], &changed.back());
  }
  return std::unexpected(
      not_null_violation(execution_, table(), *table().find_column(failing), image, 0));
}

Status UpdateOperator::write_rows(std::size_t chunk) {
  RowBatch values;
  new_.batch_of(chunk, values);
  return execution_.txn().writes().update(table().storage, old_.ids(chunk), columns_, values);
}

void UpdateOperator::image_of(std::size_t chunk, bool of_old, ChunkImage& to) const {
  to.image.size = old_.rows().chunk_rows(chunk);
  to.image.rows = Selection::all(to.image.size);
  to.vectors.reserve(node_.columns.size() + node_.assigned.size());
  const auto set = [&](std::int16_t attribute, Vector values) {
    to.vectors.push_back(std::move(values));
    to.image.set(attribute, &to.vectors.back());
  };
  for (std::size_t i = 0; i < node_.columns.size(); ++i)
    set(node_.columns[i], old_.rows().column(chunk, i));
  for (std::size_t i = 0; i < node_.assigned.size() && !of_old; ++i)
    set(node_.assigned[i], new_.column(chunk, i));
}

Status UpdateOperator::changed_keys(const IndexInfo& index, std::size_t chunk, bool of_old,
                                    KeyBatch& to) {
  ChunkImage before(table()), after(table());
  image_of(chunk, true, before);
  image_of(chunk, false, after);
  COPPICE_TRY(make_keys(execution_, table(), index, before.image, old_keys_));
  COPPICE_TRY(make_keys(execution_, table(), index, after.image, new_keys_));
  to.keys.clear();
  for (std::size_t i = 0; i < old_keys_.keys.size(); ++i) {
    const KeyBatch::Key& was = old_keys_.keys[i];
    const KeyBatch::Key& is = new_keys_.keys[i];
    if (compare_keys(old_keys_.view(was), new_keys_.view(is)) == 0) continue;
    to.keys.push_back(of_old ? was : is);
  }
  std::swap(to.bytes, of_old ? old_keys_.bytes : new_keys_.bytes);
  return {};
}

class DeleteOperator final : public ChangeOperator {
 public:
  DeleteOperator(const PlanNode& node, Execution& execution, OperatorRef input, Returning returning,
                 std::vector<PhysicalType> input_types)
      : ChangeOperator(node, execution, std::move(input), std::move(returning.evaluators),
                       std::move(returning.types)),
        old_(std::move(input_types), node.columns.size(), has_join(*node.inputs[0]), execution) {}

 private:
  Status apply() override;

  OldRows old_;
};

Status DeleteOperator::apply() {
  COPPICE_TRY(old_.collect(input(), table(), RowLock::kUpdate));
  TableWriter writer(table(), execution_);
  RowBatch batch;
  KeyBatch keys;
  for (std::size_t chunk = 0; chunk < old_.rows().chunks(); ++chunk) {
    old_.rows().batch_of(chunk, batch);
    RowImage image(table());
    image.size = batch.rows;
    image.rows = batch.selection;
    for (std::size_t i = 0; i < node_.columns.size(); ++i)
      image.set(node_.columns[i], &batch.columns[i]);
    const std::span<const Egid> ids = old_.ids(chunk);
    COPPICE_TRY(give_back(image, ids));
    const TableInfo& on = table();
    for (const auto& index : on.indexes) {
      if (!is_maintained(*index)) continue;
      COPPICE_TRY(make_keys(execution_, table(), *index, image, keys));
      COPPICE_TRY(writer.remove_keys(*index, keys, ids));
    }
    COPPICE_TRY(execution_.txn().writes().erase(table().storage, ids));
  }
  execution_.rows_affected += old_.rows().rows();
  return {};
}

// The input's columns as they are kept; at least `columns` and the egid.
Result<std::vector<PhysicalType>> input_types_of(const PlanNode& node, const Execution& execution,
                                                 const Operator& input) {
  const std::vector<TypeOid>& types = input.node().types;
  if (types.size() <= node.columns.size()) return bad_plan("a change whose input has no egid");
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    const PhysicalType given = COPPICE_TRY(execution.physical(types[i]));
    const PhysicalType stored =
        COPPICE_TRY(execution.physical(node.table->find_column(node.columns[i])->type));
    if (given != stored) return bad_plan("an old row of another type");
  }
  return execution.physicals(types);
}

}  // namespace

Result<OperatorRef> make_update(const PlanNode& node, Execution& execution, OperatorRef input) {
  Returning returning = COPPICE_TRY(make_returning(node, execution));
  if (node.projections.size() != node.assigned.size())
    return bad_plan("an UPDATE whose values are not parallel to its columns");
  auto input_types = COPPICE_TRY(input_types_of(node, execution, *input));
  std::vector<PhysicalType> new_types;
  for (std::size_t i = 0; i < node.assigned.size(); ++i) {
    const ColumnInfo* const column = node.table->find_column(node.assigned[i]);
    if (column == nullptr || node.projections[i] == nullptr)
      return bad_plan("an UPDATE of a column that is not there");
    const PhysicalType stored = COPPICE_TRY(execution.physical(column->type));
    if (node.projections[i]->physical != stored) return bad_plan("a new value of another type");
    new_types.push_back(stored);
  }
  Evaluators projections = COPPICE_TRY(make_evaluators(node.projections, execution));
  return std::make_unique<UpdateOperator>(node, execution, std::move(input), std::move(projections),
                                          std::move(returning), std::move(input_types),
                                          std::move(new_types));
}

Result<OperatorRef> make_delete(const PlanNode& node, Execution& execution, OperatorRef input) {
  Returning returning = COPPICE_TRY(make_returning(node, execution));
  auto input_types = COPPICE_TRY(input_types_of(node, execution, *input));
  return std::make_unique<DeleteOperator>(node, execution, std::move(input), std::move(returning),
                                          std::move(input_types));
}

}  // namespace coppice::executor
