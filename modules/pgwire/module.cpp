// module.cpp — wires the protocol front into the kernel.
#include <algorithm>

#include "kernel/core/inventory.h"
#include "kernel/fiber/runtime.h"
#include "modules/pgwire/config.h"
#include "modules/pgwire/server.h"

namespace coppice::pgwire {
namespace {

class PgwireModule final : public Module {
 public:
  static constexpr std::string_view kName = "pgwire";
  static constexpr std::string_view kSummary =
      "PostgreSQL's protocol 3.0: connections, messages, formats";
  using Config = PgwireConfig;
  using Needs = coppice::Needs<One<SessionFactory>, One<Authenticator>>;
  using Offers = coppice::Offers<>;

  static Result<std::unique_ptr<PgwireModule>> create(const PgwireConfig& config,
                                                      Deps<Needs> deps) {
    const std::uint64_t messages =
        config.message_bytes_max != 0 ? config.message_bytes_max.bytes : deps.memory_total() / 8;
    return std::make_unique<PgwireModule>(
        ServerOptions{.listen = config.listen,
                      .port = static_cast<std::uint16_t>(config.port),
                      .connections_max = config.connections_max,
                      .startup_timeout = config.startup_timeout,
                      .message_bytes_max = messages},
        deps);
  }
  PgwireModule(const ServerOptions& options, Deps<Needs> deps)
      : server_(options, deps.get<SessionFactory>(), deps.get<Authenticator>(),
                deps.runtime().net(), deps.clock(), deps.rng("secrets"), deps.log()) {}

  Status start() override { return server_.start(); }
  void stop(Deadline) noexcept override { server_.stop(); }

 private:
  Server server_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<PgwireModule>();
}

}  // namespace coppice::pgwire
