// trust_authenticator.h — everybody who reaches the loopback interface is who they say.
#pragma once

#include <memory>
#include <string_view>

#include "interfaces/auth.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::auth_trust {

class TrustAuthenticator final : public Authenticator {
 public:
  static constexpr std::string_view kKind = "trust";
  using Config = NoConfig;
  static Result<std::unique_ptr<Authenticator>> create(const NoConfig&, PluginContext&);

  bool demands_proof() const override { return false; }
  Status check(std::string_view user, std::string_view database, AuthExchange& exchange) override;
};

void register_in(Inventory& inventory);

}  // namespace coppice::auth_trust
