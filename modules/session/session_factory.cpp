// session_factory.cpp — the role, the database, the settings of the start.
#include "modules/session/session_factory.h"

#include "interfaces/types/sql_error.h"
#include "modules/session/sql_session.h"

namespace coppice::session {

namespace {

// Asks the type of times with a zone whether it knows this one.
ZoneCheck zone_check(const SqlRegistry& registry) {
  return [&registry](std::string_view zone) {
    const SqlType* type = registry.find_type(type_oid::kTimestamptz);
    if (type == nullptr) return true;  // nobody reads it
    const std::string sample = "2000-01-01 00:00:00 " + std::string(zone);
    VectorBuffer out(type->info().physical);
    return type->parse(WireForm::kText, as_bytes(sample), -1, SqlSettings(), out).has_value();
  };
}

}  // namespace

Rng SqlSessionFactory::fork_rng() {
  const fiber::MutexGuard guard(mutex_);
  return rng_.fork();
}

Result<std::unique_ptr<Session>> SqlSessionFactory::open(const SessionRequest& request) {
  Catalog& catalog = services_.catalog;
  const RoleInfo role = COPPICE_TRY(catalog.role(request.user));
  if (!role.can_login) {
    return std::unexpected(
        sql_error("28000", "role \"" + request.user + "\" is not permitted to log in"));
  }
  DatabaseUse use =
      COPPICE_TRY(catalog.connect(request.database.empty() ? request.user : request.database));
  SessionIdentity who{request.user, use.info, request.client_address, request.process};
  auto state =
      std::make_unique<SessionState>(services_, std::move(who), std::move(use), services_.settings,
                                     zone_check(catalog.registry()), fork_rng());
  SessionSettings& settings = state->settings;
  settings.force("is_superuser", role.superuser ? "on" : "off");
  settings.force("session_authorization", request.user);
  for (const auto& [name, value] : request.settings)
    COPPICE_TRY(settings.set(name, value, SettingScope::kStartup));
  settings.end_transaction(true);
  settings.take_changes();  // told as what is reported at start
  return std::make_unique<SqlSession>(std::move(state));
}

}  // namespace coppice::session
