// module.cpp — wires sessions into the kernel.
#include "kernel/core/inventory.h"
#include "modules/session/config.h"
#include "modules/session/refusing_session.h"
#include "modules/session/session_factory.h"

namespace coppice::session {
namespace {

class SessionModule final : public Module {
 public:
  static constexpr std::string_view kName = "session";
  static constexpr std::string_view kSummary =
      "settings, prepared statements, portals, the statement loop";
  using Config = SessionConfig;
  using Needs = coppice::Needs<Optional<Catalog>, Optional<Planner>, Optional<Executor>,
                               Optional<TxnManager>, Optional<Metering>, Optional<Engine>>;
  using Offers = coppice::Offers<SessionFactory>;

  static Result<std::unique_ptr<SessionModule>> create(const SessionConfig& config,
                                                       Deps<Needs> deps) {
    return std::make_unique<SessionModule>(config, deps);
  }
  SessionModule(const SessionConfig& config, Deps<Needs> deps) {
    Catalog* catalog = deps.find<Catalog>();
    Planner* planner = deps.find<Planner>();
    Executor* executor = deps.find<Executor>();
    TxnManager* txns = deps.find<TxnManager>();
    Metering* metering = deps.find<Metering>();
    if (catalog == nullptr || planner == nullptr || executor == nullptr || txns == nullptr ||
        metering == nullptr)
      return;
    const SessionServices services{
        .catalog = *catalog,
        .planner = *planner,
        .executor = *executor,
        .txns = *txns,
        .metering = *metering,
        .engine = deps.find<Engine>(),
        .clock = deps.clock(),
        .settings = settings_,
        .limits = {.session_bytes = config.session_memory_max.bytes,
                   .statement_bytes = config.statement_memory_max.bytes}};
    factory_ = std::make_unique<SqlSessionFactory>(services, deps.rng("sessions"));
  }
  void publish(Publish<Offers> to) {
    if (factory_ != nullptr) {
      to.offer<SessionFactory>(*factory_);
    } else {
      to.offer<SessionFactory>(refusing_);
    }
  }

 private:
  SettingTable settings_;
  std::unique_ptr<SqlSessionFactory> factory_;
  RefusingSessionFactory refusing_;  // where the SQL layers are not listed
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<SessionModule>();
}

}  // namespace coppice::session
