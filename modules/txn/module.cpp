// module.cpp — wires the transaction manager into the kernel.
#include "kernel/core/inventory.h"
#include "modules/txn/config.h"
#include "modules/txn/manager.h"

namespace coppice::txn {
namespace {

class TxnModule final : public Module {
 public:
  static constexpr std::string_view kName = "txn";
  static constexpr std::string_view kSummary = "transactions: snapshots, locks, conflicts";
  using Config = TxnConfig;
  using Needs = coppice::Needs<One<Engine>>;
  using Offers = coppice::Offers<TxnManager>;

  static Result<std::unique_ptr<TxnModule>> create(const TxnConfig&, Deps<Needs> deps) {
    return std::make_unique<TxnModule>(deps.get<Engine>());
  }
  explicit TxnModule(Engine& engine) : manager_(engine) {}

  void publish(Publish<Offers> to) { to.offer<TxnManager>(manager_); }

 private:
  LockingTxnManager manager_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<TxnModule>();
}

}  // namespace coppice::txn
