// refusing_session.cpp — what can be said without knowing any SQL.
#include "modules/session/refusing_session.h"

#include "interfaces/types/sql_error.h"

namespace coppice::session {

namespace {

Error not_yet() {
  return sql_error(sqlstate::kFeatureNotSupported, "SQL statements are not supported yet")
      .note(sql_field::kHint,
            "This build speaks the protocol; its SQL layer is under construction.");
}

// A text of nothing but blanks and semicolons: what drivers send as a ping.
bool is_empty(std::string_view text) {
  return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

Error unknown(std::string_view what, std::string_view name, std::string_view state) {
  return sql_error(state, std::string(what) + " \"" + std::string(name) + "\" does not exist");
}

}  // namespace

Status RefusingSession::run(std::string_view text, ResultSink& sink) {
  if (is_empty(text)) return sink.empty_query();
  return std::unexpected(not_yet());
}

Status RefusingSession::parse(std::string_view, std::string_view, std::span<const std::uint32_t>) {
  return std::unexpected(not_yet());
}

Result<StatementDescription> RefusingSession::describe_statement(std::string_view statement) {
  return std::unexpected(unknown("prepared statement", statement, "26000"));
}

Status RefusingSession::bind(std::string_view, std::string_view statement,
                             std::span<const BoundParameter>) {
  return std::unexpected(unknown("prepared statement", statement, "26000"));
}

Result<StatementDescription> RefusingSession::describe_portal(std::string_view portal) {
  return std::unexpected(unknown("portal", portal, "34000"));
}

Result<ExecuteOutcome> RefusingSession::execute(std::string_view portal, std::uint64_t,
                                                ResultSink&) {
  return std::unexpected(unknown("portal", portal, "34000"));
}

std::vector<std::pair<std::string, std::string>> RefusingSession::reported_parameters() const {
  std::string application;
  for (const auto& [name, value] : request_.settings) {
    if (name == "application_name") application = value;
  }
  return {{"application_name", application},
          {"client_encoding", "UTF8"},
          {"DateStyle", settings_.date_style},
          {"default_transaction_read_only", "off"},
          {"in_hot_standby", "off"},
          {"integer_datetimes", "on"},
          {"IntervalStyle", "postgres"},
          {"is_superuser", "on"},
          {"server_encoding", "UTF8"},
          {"server_version", "15.15"},
          {"session_authorization", request_.user},
          {"standard_conforming_strings", "on"},
          {"TimeZone", settings_.time_zone}};
}

}  // namespace coppice::session
