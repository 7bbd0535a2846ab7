// session_calls.cpp — the questions about the session.
#include "modules/session/session_calls.h"

#include <utility>

#include "interfaces/types/sql_error.h"

namespace coppice::session {

namespace {

std::string_view text_of(std::span<const Datum> arguments, std::size_t at) {
  return at < arguments.size() && !arguments[at].null ? as_text(arguments[at].bytes)
                                                      : std::string_view();
}
bool flag_of(std::span<const Datum> arguments, std::size_t at) {
  return at < arguments.size() && !arguments[at].null && arguments[at].bits != 0;
}

}  // namespace

SessionCalls::SessionCalls(const SessionServices& services, const SessionIdentity& who,
                           SessionSettings& settings, Rng& random, WallTime transaction_start,
                           CatalogViewRef view)
    : services_(services),
      who_(who),
      settings_(settings),
      random_(random),
      transaction_start_(transaction_start),
      statement_start_(services.clock.wall_now()),
      view_(std::move(view)),
      search_path_(settings.hot().search_path) {}

std::optional<std::string> SessionCalls::ask_setting(std::span<const Datum> arguments) {
  Result<std::string> value = settings_.show(text_of(arguments, 0));
  if (value) return *std::move(value);
  if (!flag_of(arguments, 1) && error_) error_ = std::unexpected(std::move(value).error());
  return std::nullopt;
}

std::optional<std::string> SessionCalls::change_setting(std::span<const Datum> arguments) {
  const std::string_view name = text_of(arguments, 0);
  std::optional<std::string> value;
  if (arguments.size() > 1 && !arguments[1].null) value = text_of(arguments, 1);
  const SettingScope scope = flag_of(arguments, 2) ? SettingScope::kLocal : SettingScope::kSession;
  if (Status done = settings_.set(name, value, scope); !done) {
    if (error_) error_ = std::move(done);
    return std::nullopt;
  }
  Result<std::string> now = settings_.show(name);
  return now ? std::optional(*std::move(now)) : std::nullopt;
}

// Sessions of the same database alone.
std::string SessionCalls::cancel_other(std::span<const Datum> arguments) {
  const bool known = !arguments.empty() && !arguments[0].null &&
                     services_.usage.cancel(TenantId{who_.database.ns.value},
                                            static_cast<std::uint32_t>(arguments[0].as_int()));
  return known ? "t" : "f";
}

// As text of an array of names.
std::string SessionCalls::current_schemas(bool implicit) const {
  std::string list = "{";
  if (implicit) list += "pg_catalog";
  for (const std::string& name : search_path_) {
    if (view_ == nullptr || view_->find_schema(name) == nullptr) continue;
    if (list.size() > 1) list += ",";
    list += "\"" + name + "\"";
  }
  return list + "}";
}

std::optional<std::string> SessionCalls::ask(std::string_view question,
                                             std::span<const Datum> arguments) {
  if (question == "current_setting") return ask_setting(arguments);
  if (question == "set_config") return change_setting(arguments);
  if (question == "pg_settings") return settings_.describe_all();
  const TenantId tenant{who_.database.ns.value};
  if (question == "coppice.statement_usage")
    return services_.usage.rows(tenant, services_.clock.wall_now());
  if (question == "coppice.tenant_usage")
    return tenant_rows(services_.metering, tenant, who_.database.name);
  if (question == "current_database" || question == "current_catalog") return who_.database.name;
  if (question == "current_user" || question == "session_user" || question == "user" ||
      question == "current_role")
    return who_.user;
  if (question == "current_schemas") return current_schemas(flag_of(arguments, 0));
  if (question == "current_schema") {
    for (const std::string& name : search_path_) {
      if (view_ != nullptr && view_->find_schema(name) != nullptr) return name;
    }
    return std::nullopt;
  }
  if (question == "version") {
    return "PostgreSQL " + settings_.value("server_version") +
           " (Coppice) on x86_64-pc-linux-gnu, 64-bit";
  }
  if (question == "pg_backend_pid") return std::to_string(who_.process);
  if (question == "pg_cancel_backend") return cancel_other(arguments);
  if (question == "inet_client_addr") return who_.client_address;
  if (view_ == nullptr) return std::nullopt;
  return services_.catalog.answer(*view_, search_path_, question, arguments);
}

Status SessionCalls::take_error() {
  return std::exchange(error_, Status());
}

}  // namespace coppice::session
