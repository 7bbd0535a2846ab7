// utility_settings.cpp — SET, RESET, SHOW: values as one text each, as the session keeps them.
//
// Source:   PostgreSQL 15, guc.c (flatten_set_variable_args).
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/options.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

// Settings whose value is a list of names, each written as an identifier (GUC_LIST_QUOTE).
constexpr std::array<std::string_view, 5> kNameLists = {
    "search_path", "temp_tablespaces", "local_preload_libraries", "session_preload_libraries",
    "unix_socket_directories"};

std::string quote_identifier(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const bool safe = !name.empty() && plain(name.front()) && std::ranges::all_of(name, [&](char c) {
    return plain(c) || (c >= '0' && c <= '9');
  });
  if (safe) return std::string(name);
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

Result<std::string> value_text(const BindContext& context, const ast::Expr& value, bool names) {
  const auto* const constant = ast::find_as<ast::Constant>(&value);
  if (constant == nullptr) return context.unsupported(value.location, "an interval as a value");
  switch (constant->type) {
    case ast::ConstantKind::kInteger:
      return std::to_string(constant->integer);
    case ast::ConstantKind::kBoolean:
      return constant->integer != 0 ? "true" : "false";
    case ast::ConstantKind::kText:
      return names ? quote_identifier(constant->text) : std::string(constant->text);
    case ast::ConstantKind::kNumeric:
      return std::string(constant->text);
    default:
      return context.unsupported(value.location, "this kind of value");
  }
}

// SET TRANSACTION, SET SESSION CHARACTERISTICS: one setting for each mode.
Result<Statement> bind_modes(const BindContext& context, const ast::Set& tree) {
  const bool session = tree.name == "SESSION CHARACTERISTICS";
  SetStatement set;
  set.scope = session ? SetStatement::Scope::kSession : SetStatement::Scope::kLocal;
  bool first = true;
  for (const ast::Option& option : tree.options) {
    const auto* const constant =
        option.values.empty() ? nullptr : ast::find_as<ast::Constant>(option.values[0]);
    if (constant == nullptr) return context.unsupported(option.location, "this transaction mode");
    const std::string name = (session ? "default_" : "") + std::string(option.name);
    const std::string value = constant->type == ast::ConstantKind::kText
                                  ? std::string(constant->text)
                                  : (constant->integer != 0 ? "on" : "off");
    if (first) {
      set.name = name;
      set.value = value;
    } else {
      set.also.emplace_back(name, value);
    }
    first = false;
  }
  return Statement{std::move(set)};
}

}  // namespace

Result<Statement> bind_set(BindContext& context, const ast::Set& tree) {
  SetStatement set;
  set.scope = tree.local ? SetStatement::Scope::kLocal : SetStatement::Scope::kSession;
  set.name = lower(tree.name);
  switch (tree.action) {
    case ast::SetAction::kMultiple:
      if (tree.name == "TRANSACTION SNAPSHOT")
        return context.unsupported(ast::kNoLocation, "SET TRANSACTION SNAPSHOT");
      return bind_modes(context, tree);
    case ast::SetAction::kCurrent:
      return context.unsupported(ast::kNoLocation, "SET … FROM CURRENT");
    case ast::SetAction::kResetAll:
      set.name.clear();
      set.all = set.reset = true;
      return Statement{std::move(set)};
    case ast::SetAction::kDefault:
    case ast::SetAction::kReset:
      set.reset = tree.action == ast::SetAction::kReset;
      return Statement{std::move(set)};
    case ast::SetAction::kValue:
      break;
  }
  const bool names = std::ranges::find(kNameLists, set.name) != kNameLists.end();
  std::string joined;
  for (const ast::Expr* const value : tree.values) {
    const std::string text = COPPICE_TRY(value_text(context, *value, names));
    if (!joined.empty()) joined += ", ";
    joined += text;
  }
  set.value = std::move(joined);
  return Statement{std::move(set)};
}

Result<Statement> bind_show(BindContext&, const ast::Show& tree) {
  return Statement{ShowStatement{lower(tree.name)}};
}

}  // namespace coppice::planner
