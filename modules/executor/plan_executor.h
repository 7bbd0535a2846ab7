// plan_executor.h — the module's service.
//
// Role:     implements interfaces/executor.h: builds a tree of operators from a plan and drives
//           it.
// Owns:     nothing between calls.
// Threads:  any; a Query is one fiber's.
#pragma once

#include "interfaces/executor.h"

namespace coppice::executor {

class PlanExecutor final : public Executor {
 public:
  PlanExecutor(Engine& engine, TxnManager& txns, Catalog& catalog)
      : engine_(engine), txns_(txns), catalog_(catalog) {}

  Result<std::unique_ptr<Query>> open(std::shared_ptr<const QueryPlan> plan,
                                      const ExecuteContext& context) override;
  Result<std::uint64_t> insert_rows(const TableInfoRef& table, const RowBatch& batch,
                                    const ExecuteContext& context) override;
  Status build_index(NamespaceId ns, Oid table, const NewIndex& definition,
                     const ExecuteContext& context) override;
  Result<Value> evaluate(const Expression& expression, const ExecuteContext& context) override;

 private:
  Engine& engine_;
  TxnManager& txns_;
  Catalog& catalog_;
};

}  // namespace coppice::executor
