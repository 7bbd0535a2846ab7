// module.cpp — wires sessions into the kernel.
#include "kernel/core/inventory.h"
#include "modules/session/config.h"
#include "modules/session/refusing_session.h"

namespace coppice::session {
namespace {

class SessionModule final : public Module {
 public:
  static constexpr std::string_view kName = "session";
  static constexpr std::string_view kSummary =
      "settings, prepared statements, portals, the statement loop";
  using Config = SessionConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<SessionFactory>;

  static Result<std::unique_ptr<SessionModule>> create(const SessionConfig&, Deps<Needs>) {
    return std::make_unique<SessionModule>();
  }
  void publish(Publish<Offers> to) { to.offer<SessionFactory>(factory_); }

 private:
  RefusingSessionFactory factory_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<SessionModule>();
}

}  // namespace coppice::session
