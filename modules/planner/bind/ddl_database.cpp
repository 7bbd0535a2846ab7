// ddl_database.cpp — CREATE SCHEMA, CREATE DATABASE, DROP DATABASE.
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/options.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

Status check_role(const BindContext& context, std::string_view name) {
  const auto roles = context.catalog().roles();
  if (std::ranges::find(roles, name, &RoleInfo::name) != roles.end()) return {};
  return context.error(ast::kNoLocation, "42704", "role " + quoted(name) + " does not exist");
}

std::string role_text(const BindContext& context, const ast::RoleName& role) {
  return std::string(role.kind == ast::RoleKind::kNamed ? role.name : context.plan().user);
}

// Every database is UTF8, ordered by bytes; letters are Unicode's.
constexpr std::array<std::string_view, 7> kLocales = {
    "C", "POSIX", "C.UTF-8", "C.UTF8", "en_US.UTF-8", "en_US.utf8", "default"};

bool is_default(const ast::Option& option) {
  return option.kind == ast::OptionValue::kNone;  // ENCODING DEFAULT
}

Status check_template(const BindContext& context, const ast::Option& option) {
  const std::string name = COPPICE_TRY(option_text(context, option));
  if (name == "template0" || name == "template1") return {};
  const auto databases = context.catalog().databases();
  if (std::ranges::find(databases, name, &DatabaseInfo::name) == databases.end())
    return context.error(ast::kNoLocation, sqlstate::kInvalidCatalogName,
                         "template database " + quoted(name) + " does not exist");
  return context.unsupported(option.location, "a database as TEMPLATE");
}

Status check_encoding(const BindContext& context, const ast::Option& option) {
  const std::string text = COPPICE_TRY(option_text(context, option));
  const std::string name = lower(text);
  if (name == "utf8" || name == "utf-8" || name == "unicode" || name == "6") return {};
  return context.unsupported(option.location, "database encoding " + quoted(text));
}

Status check_locale(const BindContext& context, const ast::Option& option) {
  const std::string name = COPPICE_TRY(option_text(context, option));
  if (std::ranges::find(kLocales, name) != kLocales.end()) return {};
  return context.unsupported(option.location, "locale " + quoted(name));
}

// Only what a database is anyway.
Status check_number(const BindContext& context, const ast::Option& option, std::int64_t same) {
  if (option.kind == ast::OptionValue::kInteger && option.integer == same) return {};
  return context.unsupported(option.location, quoted(option.name) + " of a database");
}

Status check_flag(const BindContext& context, const ast::Option& option, bool same) {
  const bool value = COPPICE_TRY(option_boolean(context, option));
  if (value == same) return {};
  return context.unsupported(option.location, quoted(option.name) + " of a database");
}

Status read_option(const BindContext& context, const ast::Option& option,
                   CreateDatabaseStatement& to) {
  const ast::Name name = option.name;
  if (name == "as_of") return context.unsupported(option.location, "CREATE DATABASE … AS_OF");
  constexpr std::array<std::string_view, 15> kKnown = {"owner",
                                                       "template",
                                                       "encoding",
                                                       "strategy",
                                                       "locale",
                                                       "lc_collate",
                                                       "lc_ctype",
                                                       "icu_locale",
                                                       "tablespace",
                                                       "locale_provider",
                                                       "is_template",
                                                       "allow_connections",
                                                       "connection_limit",
                                                       "collation_version",
                                                       "oid"};
  if (std::ranges::find(kKnown, name) == kKnown.end())
    return context.error(option.location, sqlstate::kSyntaxError,
                         "option " + quoted(name) + " not recognized");
  if (is_default(option)) return {};
  if (name == "owner") {
    to.owner = COPPICE_TRY(option_text(context, option));
    return check_role(context, to.owner);
  }
  if (name == "template") return check_template(context, option);
  if (name == "encoding") return check_encoding(context, option);
  if (name == "locale" || name == "lc_collate" || name == "lc_ctype")
    return check_locale(context, option);
  if (name == "tablespace") {
    const std::string tablespace = COPPICE_TRY(option_text(context, option));
    return check_tablespace(context, tablespace);
  }
  if (name == "is_template") return check_flag(context, option, false);
  if (name == "allow_connections") return check_flag(context, option, true);
  if (name == "connection_limit") return check_number(context, option, -1);
  if (name == "strategy") return {};
  return context.unsupported(option.location, quoted(name) + " of a database");
}

}  // namespace

Result<Statement> bind_create_schema(BindContext& context, const ast::CreateSchema& tree) {
  if (!tree.elements.empty())
    return context.unsupported(ast::kNoLocation, "CREATE SCHEMA with elements");
  CreateSchemaStatement create;
  create.name = tree.name;
  create.if_not_exists = tree.if_not_exists;
  if (tree.owner != nullptr) {
    const std::string owner = role_text(context, *tree.owner);
    COPPICE_TRY(check_role(context, owner));
    if (create.name.empty()) create.name = owner;
  }
  if (create.name.starts_with("pg_"))
    return std::unexpected(
        sql_error("42939", "unacceptable schema name " + quoted(create.name))
            .note(sql_field::kDetail, "The prefix \"pg_\" is reserved for system schemas."));
  return Statement{std::move(create)};
}

Result<Statement> bind_create_database(BindContext& context, const ast::CreateDatabase& tree) {
  CreateDatabaseStatement create;
  create.name = tree.name;
  create.owner = context.plan().user;
  COPPICE_TRY(check_no_duplicates(context, tree.options));
  for (const ast::Option& option : tree.options) COPPICE_TRY(read_option(context, option, create));
  return Statement{std::move(create)};
}

Result<Statement> bind_drop_database(BindContext& context, const ast::DropDatabase& tree) {
  for (const ast::Option& option : tree.options)
    return context.unsupported(option.location,
                               "DROP DATABASE … WITH (" + std::string(option.name) + ")");
  return Statement{DropDatabaseStatement{std::string(tree.name), tree.if_exists}};
}

}  // namespace coppice::planner
