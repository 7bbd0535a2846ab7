// scan.cpp — all rows of a table, in egid order.
#include "kernel/fiber/fiber.h"
#include "modules/executor/operators/operators.h"
#include "modules/executor/operators/table_columns.h"

namespace coppice::executor {

namespace {

class ScanOperator final : public Operator {
 public:
  ScanOperator(const PlanNode& node, Execution& execution, TableReader reader)
      : Operator(node, execution), reader_(std::move(reader)) {}

  Status start() override {
    const ScanOptions options{
        .columns = reader_.columns(), .direction = node_.direction, .with_egids = node_.with_egid};
    cursor_ = COPPICE_TRY(
        execution_.engine().scan(execution_.txn().view(), reader_.table().storage, options));
    return {};
  }

  Result<bool> produce(RowBatch& batch) override {
    for (;;) {
      const bool more = COPPICE_TRY(cursor_->next(batch));
      if (!more) return false;
      const bool any = COPPICE_TRY(reader_.finish(batch));
      if (any) return true;
      COPPICE_TRY(fiber::maybe_yield());
    }
  }

 private:
  TableReader reader_;
  std::unique_ptr<RowCursor> cursor_;
};

}  // namespace

Result<OperatorRef> make_scan(const PlanNode& node, Execution& execution) {
  TableReader reader = COPPICE_TRY(TableReader::make(node, execution));
  return std::make_unique<ScanOperator>(node, execution, std::move(reader));
}

}  // namespace coppice::executor
