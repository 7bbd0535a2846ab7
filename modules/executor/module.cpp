// module.cpp — wires the executor into the kernel.
#include "kernel/core/inventory.h"
#include "modules/executor/config.h"
#include "modules/executor/plan_executor.h"

namespace coppice::executor {
namespace {

class ExecutorModule final : public Module {
 public:
  static constexpr std::string_view kName = "executor";
  static constexpr std::string_view kSummary = "runs query plans, batch by batch";
  using Config = ExecutorConfig;
  using Needs = coppice::Needs<One<Engine>, One<TxnManager>, One<Catalog>>;
  using Offers = coppice::Offers<Executor>;

  static Result<std::unique_ptr<ExecutorModule>> create(const ExecutorConfig&, Deps<Needs> deps) {
    return std::make_unique<ExecutorModule>(deps.get<Engine>(), deps.get<TxnManager>(),
                                            deps.get<Catalog>());
  }
  ExecutorModule(Engine& engine, TxnManager& txns, Catalog& catalog)
      : executor_(engine, txns, catalog) {}

  void publish(Publish<Offers> to) { to.offer<Executor>(executor_); }

 private:
  PlanExecutor executor_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<ExecutorModule>();
}

}  // namespace coppice::executor
