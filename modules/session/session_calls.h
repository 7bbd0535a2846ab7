// session_calls.h — what functions may ask while a statement runs.
//
// Role:     times, settings, randomness; answers about the session here, about definitions by the
//           catalog.
// Owns:     the view it answers by. The session and its settings outlive it.
// Threads:  one at a time.   Parks: never.
// Errors:   what a question cannot say (set_config with a bad value) is kept for the statement:
//           take_error().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/catalog.h"
#include "modules/session/services.h"
#include "modules/session/session_settings.h"

namespace coppice::session {

// Who is connected, and to what.
struct SessionIdentity {
  std::string user;
  DatabaseInfo database;
  std::string client_address;
  std::uint32_t process = 0;
};

class SessionCalls final : public CallContext {
 public:
  SessionCalls(const SessionServices& services, const SessionIdentity& who,
               SessionSettings& settings, Rng& random, WallTime transaction_start,
               CatalogViewRef view);

  const SqlSettings& settings() const override { return settings_.sql(); }
  WallTime transaction_start() const override { return transaction_start_; }
  WallTime statement_start() const override { return statement_start_; }
  WallTime clock_now() const override { return services_.clock.wall_now(); }
  Rng& random() override { return random_; }
  std::optional<std::string> ask(std::string_view question,
                                 std::span<const Datum> arguments) override;
  const SqlRegistry* registry() const override { return &services_.catalog.registry(); }

  // The first error that an answer met, if any.
  Status take_error();

 private:
  std::optional<std::string> ask_setting(std::span<const Datum> arguments);
  std::optional<std::string> change_setting(std::span<const Datum> arguments);
  std::string current_schemas(bool implicit) const;
  std::string cancel_other(std::span<const Datum> arguments);

  const SessionServices& services_;
  const SessionIdentity& who_;
  SessionSettings& settings_;
  Rng& random_;
  const WallTime transaction_start_, statement_start_;
  const CatalogViewRef view_;
  const std::vector<std::string>& search_path_;
  Status error_;
};

}  // namespace coppice::session
