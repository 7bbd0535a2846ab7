// trust_authenticator.cpp — loopback or nothing.
#include "plugins/auth/trust/trust_authenticator.h"

#include "interfaces/types/sql_error.h"

namespace coppice::auth_trust {

Result<std::unique_ptr<Authenticator>> TrustAuthenticator::create(const NoConfig&, PluginContext&) {
  return std::make_unique<TrustAuthenticator>();
}

Status TrustAuthenticator::check(std::string_view user, std::string_view database,
                                 AuthExchange& exchange) {
  if (exchange.peer_is_loopback()) return {};
  return std::unexpected(sql_error(
      "28000", "no authentication is configured for connections from other machines, user \"" +
                   std::string(user) + "\", database \"" + std::string(database) + "\""));
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Authenticator, TrustAuthenticator>();
}

}  // namespace coppice::auth_trust
