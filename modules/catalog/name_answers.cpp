// name_answers.cpp — names to OIDs and back.
#include "modules/catalog/name_answers.h"

#include <algorithm>

#include "modules/catalog/pg_catalog/builtin_data.h"

namespace coppice::catalog {

namespace {

using Arguments = std::span<const Datum>;

Oid oid_of(Arguments arguments) {
  if (arguments.empty() || arguments[0].null) return 0;
  return static_cast<Oid>(arguments[0].as_int());
}

std::string_view text_of(Arguments arguments) {
  if (arguments.empty() || arguments[0].null) return {};
  return as_text(arguments[0].bytes);
}

std::optional<std::string> relation_name_answer(const DefinitionContext& context,
                                                Arguments arguments) {
  const Oid oid = oid_of(arguments);
  if (const TableInfoRef table = context.view.find_table(oid))
    return relation_text(context, table->schema, table->name);
  const auto index = context.view.find_index(oid);
  if (index == nullptr) return std::nullopt;
  return relation_text(context, context.view.find_table(index->table)->schema, index->name);
}

// The next identifier of "Sche"".ma".tab: unquoted ones are folded. Nothing where there is none.
std::optional<std::string> take_identifier(std::string_view& text) {
  std::string name;
  if (!text.starts_with('"')) {
    const std::size_t end = std::min(text.find('.'), text.size());
    for (const char c : text.substr(0, end))
      name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    text.remove_prefix(end);
    return name.empty() ? std::nullopt : std::optional(name);
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (i + 1 == text.size() || text[i + 1] != '"') {
        text.remove_prefix(i + 1);
        return name;
      }
      ++i;
    }
    name += text[i];
  }
  return std::nullopt;
}

std::optional<Oid> find_relation(const DefinitionContext& context, const SchemaInfo* schema,
                                 const std::string& name) {
  if (schema == nullptr) return std::nullopt;
  if (const TableInfoRef table = context.view.find_table(schema->oid, name)) return table->oid;
  const auto index = context.view.find_index(schema->oid, name);
  return index == nullptr ? std::nullopt : std::optional(index->oid);
}

// Text to regclass: the OID, or nothing where there is no such relation (42P01 is the caller's).
std::optional<std::string> relation_oid_answer(const DefinitionContext& context,
                                               Arguments arguments) {
  std::string_view text = text_of(arguments);
  const auto first = take_identifier(text);
  if (!first) return std::nullopt;
  std::optional<Oid> found;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const auto second = take_identifier(text);
    if (second && text.empty())
      found = find_relation(context, context.view.find_schema(*first), *second);
  } else if (text.empty()) {
    found = find_relation(context, context.view.find_schema(kPgCatalogOid), *first);
    for (const std::string& schema : context.search_path) {
      if (!found) found = find_relation(context, context.view.find_schema(schema), *first);
    }
  }
  return found ? std::optional(std::to_string(*found)) : std::nullopt;
}

// One identifier; nothing if there is more or less.
std::optional<std::string> only_identifier(std::string_view text) {
  const auto name = take_identifier(text);
  return text.empty() ? name : std::nullopt;
}

// The name without "pg_catalog." before it; folded unless quoted.
std::optional<std::string> builtin_name(std::string_view text) {
  const auto first = take_identifier(text);
  if (!first || text.empty()) return first;
  if (*first != "pg_catalog" || !text.starts_with('.')) return std::nullopt;
  return only_identifier(text.substr(1));
}

std::optional<std::string> schema_name_answer(const DefinitionContext& context,
                                              Arguments arguments) {
  const SchemaInfo* const schema = context.view.find_schema(oid_of(arguments));
  return schema == nullptr ? std::nullopt : std::optional(quote_identifier(schema->name));
}

std::optional<std::string> schema_oid_answer(const DefinitionContext& context,
                                             Arguments arguments) {
  const auto name = only_identifier(text_of(arguments));
  if (!name) return std::nullopt;
  const SchemaInfo* const schema = context.view.find_schema(*name);
  return schema == nullptr ? std::nullopt : std::optional(std::to_string(schema->oid));
}

std::optional<std::string> role_name_answer(const DefinitionContext& context, Arguments arguments) {
  for (const RoleInfo& role : context.view.roles())
    if (role.oid == oid_of(arguments)) return quote_identifier(role.name);
  return std::nullopt;
}

std::optional<std::string> role_oid_answer(const DefinitionContext& context, Arguments arguments) {
  const auto name = only_identifier(text_of(arguments));
  if (!name) return std::nullopt;
  for (const RoleInfo& role : context.view.roles())
    if (role.name == *name) return std::to_string(role.oid);
  return std::nullopt;
}

std::optional<std::string> type_name_answer(const DefinitionContext& context, Arguments arguments) {
  std::string text = type_text(context.registry, oid_of(arguments), -1);
  return text == "???" ? std::nullopt : std::optional(std::move(text));
}

const SqlType* find_type(const SqlRegistry& registry, std::string_view text) {
  if (text == "char") return registry.find_type(type_oid::kBpchar);  // the grammar's char
  if (const auto name = builtin_name(text)) {
    if (const SqlType* const type = registry.find_type(*name)) return type;
  }
  const auto all = registry.all_types();  // "timestamp with time zone", "\"char\""
  const auto at = std::ranges::find(
      all, text, [](const SqlType* type) { return std::string_view(type->info().display_name); });
  return at == all.end() ? nullptr : *at;
}

// "int4", "pg_catalog.int4", "character varying(20)", "text[]".
std::optional<std::string> type_oid_answer(const DefinitionContext& context, Arguments arguments) {
  std::string_view text = text_of(arguments);
  const auto trim = [&] {
    while (text.ends_with(' ')) text.remove_suffix(1);
    while (text.starts_with(' ')) text.remove_prefix(1);
  };
  trim();
  const bool array = text.ends_with("[]");
  if (array) text.remove_suffix(2);
  trim();
  if (text.ends_with(')')) text = text.substr(0, text.find('('));
  trim();
  const SqlType* const type = find_type(context.registry, text);
  if (type == nullptr) return std::nullopt;
  const TypeOid oid = array ? type->info().array : type->info().oid;
  return oid == 0 ? std::nullopt : std::optional(std::to_string(oid));
}

std::optional<std::string> function_name_answer(const DefinitionContext& context,
                                                Arguments arguments) {
  const Oid oid = oid_of(arguments);
  if (const SqlFunction* const function = context.registry.find_function(oid))
    return quote_identifier(function->name);
  for (const SqlAggregate* aggregate : context.registry.all_aggregates())
    if (aggregate->oid == oid) return quote_identifier(aggregate->name);
  const std::string_view name = builtin_function_name(oid);
  return name.empty() ? std::nullopt : std::optional(std::string(name));
}

std::optional<std::string> function_oid_answer(const DefinitionContext& context,
                                               Arguments arguments) {
  std::string_view text = text_of(arguments);
  text = text.substr(0, text.find('('));  // regprocedure: the first of the name
  const auto name = builtin_name(text);
  if (!name) return std::nullopt;
  if (const auto functions = context.registry.functions(*name); !functions.empty())
    return std::to_string(functions.front()->oid);
  if (const auto aggregates = context.registry.aggregates(*name); !aggregates.empty())
    return std::to_string(aggregates.front()->oid);
  const Oid oid = builtin_function(*name);
  return oid == 0 ? std::nullopt : std::optional(std::to_string(oid));
}

struct Question {
  std::string_view name;
  std::optional<std::string> (*answer)(const DefinitionContext&, Arguments);
};
constexpr Question kQuestions[] = {
    {"regclassin", relation_oid_answer},   {"regclassout", relation_name_answer},
    {"regnamespacein", schema_oid_answer}, {"regnamespaceout", schema_name_answer},
    {"regprocin", function_oid_answer},    {"regprocout", function_name_answer},
    {"regrolein", role_oid_answer},        {"regroleout", role_name_answer},
    {"regtypein", type_oid_answer},        {"regtypeout", type_name_answer},
};

}  // namespace

std::optional<std::string> name_answer(const DefinitionContext& context, std::string_view question,
                                       std::span<const Datum> arguments) {
  const auto* const found = std::ranges::find(kQuestions, question, &Question::name);
  if (found == std::end(kQuestions)) return std::nullopt;
  return found->answer(context, arguments);
}

}  // namespace coppice::catalog
