// setting_commands.cpp — SET, RESET, SHOW, DISCARD.
#include <span>

#include "interfaces/types/sql_error.h"
#include "modules/session/result_columns.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

bool is_of_transaction(std::string_view name) {
  return name == "transaction_isolation" || name == "transaction_read_only" ||
         name == "transaction_deferrable";
}

}  // namespace

Result<std::string> StatementRunner::operator()(const SetStatement& statement) {
  const std::string tag = COPPICE_TRY(set(statement));
  SetStatement another = statement;
  another.also.clear();
  for (const auto& [name, value] : statement.also) {
    another.name = name;
    another.value = value;
    COPPICE_TRY(set(another));
  }
  return tag;
}

Result<std::string> StatementRunner::set(const SetStatement& statement) {
  const std::string tag = statement.reset ? "RESET" : "SET";
  if (statement.all) {
    COPPICE_TRY(state_.settings.reset_all());
    return "RESET";
  }
  if (is_of_transaction(statement.name)) {
    COPPICE_TRY(set_transaction(statement));
    return tag;
  }
  if (statement.scope == SetStatement::Scope::kLocal && !state_.block.in_block() &&
      !state_.several) {
    COPPICE_TRY(warn("25P01", "SET LOCAL can only be used in transaction blocks"));
  }
  const std::string name = lower_case(statement.name);
  if (name == "session_authorization" || name == "role") {
    const bool self = !statement.value || *statement.value == "none" ||
                      *statement.value == "default" || *statement.value == state_.who.user;
    if (self) return tag;
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "changing the role is not supported"));
  }
  COPPICE_TRY(state_.settings.set(statement.name, statement.value,
                                  statement.scope == SetStatement::Scope::kLocal
                                      ? SettingScope::kLocal
                                      : SettingScope::kSession));
  return tag;
}

Result<std::string> StatementRunner::operator()(const ShowStatement& statement) {
  if (statement.name == "all") return show_all();
  const std::string value = COPPICE_TRY(show_value(state_, statement.name));
  const std::string title(state_.settings.spelling(statement.name));
  COPPICE_TRY(answer_.columns(text_columns({title}, state_.services.catalog.registry())));
  TextRows rows(1, answer_.sink);
  COPPICE_TRY(rows.add({value}));
  COPPICE_TRY(rows.flush());
  return "SHOW";
}

Result<std::string> StatementRunner::show_all() {
  COPPICE_TRY(answer_.columns(
      text_columns({"name", "setting", "description"}, state_.services.catalog.registry())));
  TextRows rows(3, answer_.sink);
  const std::span<const Setting> all = state_.settings.table().all();
  for (const Setting& setting : all) {
    if (!setting.listed) continue;
    const std::string value = COPPICE_TRY(show_value(state_, setting.name));
    COPPICE_TRY(rows.add({setting.name, value, setting.description}));
  }
  COPPICE_TRY(rows.flush());
  return "SHOW";
}

Result<std::string> show_value(const SessionState& state, std::string_view name) {
  const std::string_view canonical = state.settings.spelling(name);

  if (canonical == "role") return std::string("none");
  return state.settings.show(name);
}

Result<std::string> StatementRunner::operator()(const DiscardStatement& statement) {
  if (statement.what == "ALL") {
    COPPICE_TRY(forbid_block("DISCARD ALL"));
    state_.portals.clear();
    state_.prepared.clear();
    COPPICE_TRY(state_.settings.reset_all());
  }
  return "DISCARD " + statement.what;
}

}  // namespace coppice::session
