// sources.cpp — rows that are not stored: UNION ALL, set-returning functions, computed relations.
#include "kernel/fiber/fiber.h"
#include "modules/executor/expressions/evaluator.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/values/copy.h"

namespace coppice::executor {

namespace {

class AppendOperator final : public Operator {
 public:
  AppendOperator(const PlanNode& node, Execution& execution, Operators inputs)
      : Operator(node, execution), inputs_(std::move(inputs)) {}

  Status start() override {
    at_ = 0;
    opened_ = false;
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    for (; at_ < inputs_.size(); ++at_, opened_ = false) {
      if (!opened_) COPPICE_TRY(inputs_[at_]->open());
      opened_ = true;
      const bool more = COPPICE_TRY(inputs_[at_]->next(batch));
      if (more) return true;
    }
    return false;
  }

 private:
  Operators inputs_;
  std::size_t at_ = 0;
  bool opened_ = false;  // inputs_[at_]
};

class FunctionOperator final : public Operator {
 public:
  FunctionOperator(const PlanNode& node, Execution& execution, Evaluators arguments,
                   std::vector<PhysicalType> types)
      : Operator(node, execution), arguments_(std::move(arguments)) {
    for (const PhysicalType type : types) columns_.emplace_back(type);
    single_.rows = 1;
    single_.selection = Selection::all(1);
  }

  Status start() override {
    producer_.reset();
    std::vector<Datum> arguments;
    for (const EvaluatorRef& argument : arguments_) {
      COPPICE_TRY(argument->run(single_, single_.selection));
      arguments.push_back(argument->result().datum_at(0));
      if (arguments.back().null && node_.function->strict) return {};
    }
    producer_ = COPPICE_TRY(node_.function->set_kernel(execution_.calls(), arguments));
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    while (producer_ != nullptr) {
      for (VectorBuffer& column : columns_) column.clear();
      const bool more = COPPICE_TRY(producer_->next(columns_));
      if (!more) producer_.reset();
      batch.rows = columns_.front().size();
      if (batch.rows == 0) {
        COPPICE_TRY(fiber::maybe_yield());
        continue;
      }
      batch.selection = Selection::all(batch.rows);
      batch.egids = Vector();
      batch.columns.clear();
      for (const VectorBuffer& column : columns_) batch.columns.push_back(column.view());
      return true;
    }
    return false;
  }

 private:
  Evaluators arguments_;
  RowBatch single_;
  std::vector<VectorBuffer> columns_;
  std::unique_ptr<SetProducer> producer_;
};

class ComputedOperator final : public Operator {
 public:
  ComputedOperator(const PlanNode& node, Execution& execution, EvaluatorRef filter)
      : Operator(node, execution), filter_(std::move(filter)) {}

  Status start() override {
    const ExecuteContext& context = execution_.context();
    if (context.catalog == nullptr) return bad_plan("a computed relation without a catalog");
    cursor_ = node_.table->computed->open(*context.catalog, context.calls);
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    for (;;) {
      const bool more = COPPICE_TRY(cursor_->next(all_));
      if (!more) return false;
      if (all_.columns.size() < node_.table->columns.size())
        return bad_plan("a computed relation with too few columns");
      batch.rows = all_.rows;
      batch.selection = all_.selection;
      batch.egids = Vector();
      batch.columns.clear();
      for (const std::int16_t attribute : node_.columns)
        batch.columns.push_back(all_.columns[static_cast<std::size_t>(attribute) - 1]);
      if (node_.with_egid)
        batch.columns.push_back(Vector::constant(Datum::null_of(PhysicalType::kInt64), batch.rows));
      if (filter_ != nullptr) COPPICE_TRY(filter_->select(batch, all_.selection, batch.selection));
      if (batch.selection.count() != 0) return true;
      COPPICE_TRY(fiber::maybe_yield());
    }
  }

 private:
  EvaluatorRef filter_;  // may be null
  std::unique_ptr<RowCursor> cursor_;
  RowBatch all_;
};

}  // namespace

OperatorRef make_append(const PlanNode& node, Execution& execution, Operators inputs) {
  return std::make_unique<AppendOperator>(node, execution, std::move(inputs));
}

Result<OperatorRef> make_function(const PlanNode& node, Execution& execution) {
  if (node.function == nullptr || node.function->set_kernel == nullptr || node.types.empty())
    return bad_plan("a set-returning function that returns no set");
  const std::vector<TypeOid>& wanted = node.function->arguments;
  if (wanted.size() != node.projections.size())
    return bad_plan("a set-returning function with a wrong number of arguments");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const SqlType* const type = execution.registry().find_type(wanted[i]);
    const bool pseudo = type == nullptr || type->info().category == 'P';
    if (!pseudo && node.projections[i]->physical != type->info().physical)
      return bad_plan("a set-returning function with an argument of another type");
  }
  Evaluators arguments = COPPICE_TRY(make_evaluators(node.projections, execution));
  auto types = COPPICE_TRY(execution.physicals(node.types));
  return std::make_unique<FunctionOperator>(node, execution, std::move(arguments),
                                            std::move(types));
}

Result<OperatorRef> make_computed(const PlanNode& node, Execution& execution) {
  if (node.table == nullptr || node.table->computed == nullptr)
    return bad_plan("a computed relation that is stored");
  for (const std::int16_t attribute : node.columns) {
    if (node.table->find_column(attribute) == nullptr)
      return bad_plan("a scan of a column that is not there");
  }
  EvaluatorRef filter;
  if (node.filter != nullptr) filter = COPPICE_TRY(make_evaluator(*node.filter, execution));
  return std::make_unique<ComputedOperator>(node, execution, std::move(filter));
}

}  // namespace coppice::executor
