// module.cpp — wires sessions into the kernel.
#include <algorithm>
#include <cstdint>

#include "kernel/core/inventory.h"
#include "modules/session/config.h"
#include "modules/session/session_factory.h"

namespace coppice::session {
namespace {

class SessionModule final : public Module {
 public:
  static constexpr std::string_view kName = "session";
  static constexpr std::string_view kSummary =
      "settings, prepared statements, portals, the statement loop";
  using Config = SessionConfig;
  using Needs = coppice::Needs<One<Catalog>, One<Planner>, One<Executor>, One<TxnManager>,
                               One<Metering>, One<Engine>>;
  using Offers = coppice::Offers<SessionFactory>;

  static Result<std::unique_ptr<SessionModule>> create(const SessionConfig& config,
                                                       Deps<Needs> deps) {
    return std::make_unique<SessionModule>(config, deps);
  }
  SessionModule(const SessionConfig& config, Deps<Needs> deps)
      : factory_({.catalog = deps.get<Catalog>(),
                  .planner = deps.get<Planner>(),
                  .executor = deps.get<Executor>(),
                  .txns = deps.get<TxnManager>(),
                  .metering = deps.get<Metering>(),
                  .engine = &deps.get<Engine>(),
                  .clock = deps.clock(),
                  .settings = settings_,
                  .usage = usage_,
                  .limits = {.session_bytes = at_most(config.session_memory_max, deps),
                             .statement_bytes = at_most(config.statement_memory_max, deps)}},
                 deps.rng("sessions")) {}
  void publish(Publish<Offers> to) { to.offer<SessionFactory>(factory_); }

 private:
  // One alone must not take what all share.
  static std::uint64_t at_most(Size wanted, const Deps<Needs>& deps) {
    return std::min(wanted.bytes, deps.memory_total() / 8);
  }

  SettingTable settings_;
  UsageBoard usage_;
  SqlSessionFactory factory_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<SessionModule>();
}

}  // namespace coppice::session
