// definition_text.cpp — texts of definitions, and the table of questions.
#include "modules/catalog/definition_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "modules/catalog/name_answers.h"
#include "modules/catalog/pg_catalog/builtin_data.h"

namespace coppice::catalog {

namespace {

using Arguments = std::span<const Datum>;

Oid oid_of(Arguments arguments, std::size_t at = 0) {
  if (at >= arguments.size() || arguments[at].null) return 0;
  return static_cast<Oid>(arguments[at].as_int());
}

std::int32_t int_of(Arguments arguments, std::size_t at, std::int32_t otherwise) {
  if (at >= arguments.size() || arguments[at].null) return otherwise;
  return static_cast<std::int32_t>(arguments[at].as_int());
}

std::optional<std::string> boolean(bool value) {
  return value ? "t" : "f";
}

std::string column_list(const TableInfo& table, const IndexInfo& index, bool orders) {
  std::string list;
  for (const IndexColumn& key : index.columns) {
    const ColumnInfo* const column = table.find_column(key.attribute);
    if (column == nullptr) continue;
    if (!list.empty()) list += ", ";
    list += quote_identifier(column->name);
    if (!orders) continue;
    if (key.order.descending) {
      list += key.order.nulls_first ? " DESC" : " DESC NULLS LAST";
    } else if (key.order.nulls_first) {
      list += " NULLS FIRST";
    }
  }
  return list;
}

bool is_string_literal(std::string_view sql) {
  if (sql.size() < 2 || sql.front() != '\'' || sql.back() != '\'') return false;
  for (std::size_t i = 1; i + 1 < sql.size(); ++i) {
    if (sql[i] != '\'') continue;
    if (i + 2 >= sql.size() || sql[i + 1] != '\'') return false;
    ++i;
  }
  return true;
}

std::optional<std::string> index_answer(const DefinitionContext& context, Arguments arguments) {
  const auto index = context.view.find_index(oid_of(arguments));
  if (index == nullptr) return std::nullopt;
  const std::int32_t column = int_of(arguments, 1, 0);
  const bool pretty = int_of(arguments, 2, 0) != 0;
  if (column == 0) return index_definition(context, *index, pretty);
  const TableInfoRef table = context.view.find_table(index->table);
  if (column < 0 || static_cast<std::size_t>(column) > index->columns.size()) return "";
  const IndexColumn& key = index->columns[static_cast<std::size_t>(column) - 1];
  const ColumnInfo* const info = table->find_column(key.attribute);
  return info == nullptr ? std::nullopt : std::optional(quote_identifier(info->name));
}

std::optional<std::string> constraint_answer(const DefinitionContext& context,
                                             Arguments arguments) {
  const auto index = context.view.find_index(oid_of(arguments));
  if (index == nullptr || !index->constraint) return std::nullopt;
  return constraint_definition(*context.view.find_table(index->table), *index);
}

std::optional<std::string> expression_answer(const DefinitionContext&, Arguments arguments) {
  if (arguments.empty() || arguments[0].null) return std::nullopt;
  return std::string(as_text(arguments[0].bytes));  // adbin holds the text
}

std::optional<std::string> type_answer(const DefinitionContext& context, Arguments arguments) {
  if (arguments.empty() || arguments[0].null) return std::nullopt;
  return type_text(context.registry, oid_of(arguments), int_of(arguments, 1, -1));
}

std::optional<std::string> table_visible_answer(const DefinitionContext& context,
                                                Arguments arguments) {
  const Oid oid = oid_of(arguments);
  if (const TableInfoRef table = context.view.find_table(oid))
    return boolean(is_visible(context, table->schema, table->name));
  const auto index = context.view.find_index(oid);
  if (index == nullptr) return std::nullopt;
  const TableInfoRef table = context.view.find_table(index->table);
  return boolean(is_visible(context, table->schema, index->name));
}

std::optional<std::string> role_answer(const DefinitionContext& context, Arguments arguments) {
  const Oid oid = oid_of(arguments);
  for (const RoleInfo& role : context.view.roles()) {
    if (role.oid == oid) return role.name;
  }
  return "unknown (OID=" + std::to_string(oid) + ")";
}

std::string type_list(const SqlRegistry& registry, std::span<const TypeOid> types) {
  std::string list;
  for (const TypeOid type : types) {
    if (!list.empty()) list += ", ";
    list += type_text(registry, type, -1);
  }
  return list;
}

std::optional<std::string> function_arguments_answer(const DefinitionContext& context,
                                                     Arguments arguments) {
  const Oid oid = oid_of(arguments);
  if (const SqlFunction* const function = context.registry.find_function(oid))
    return type_list(context.registry, function->arguments);
  for (const SqlAggregate* aggregate : context.registry.all_aggregates())
    if (aggregate->oid == oid) return type_list(context.registry, aggregate->arguments);
  return std::nullopt;
}

std::optional<std::string> function_result_answer(const DefinitionContext& context,
                                                  Arguments arguments) {
  const Oid oid = oid_of(arguments);
  if (const SqlFunction* const function = context.registry.find_function(oid)) {
    const std::string type = type_text(context.registry, function->result, -1);
    return function->set_kernel == nullptr ? type : "SETOF " + type;
  }
  for (const SqlAggregate* aggregate : context.registry.all_aggregates())
    if (aggregate->oid == oid) return type_text(context.registry, aggregate->result, -1);
  return std::nullopt;
}

std::optional<std::string> always(const DefinitionContext&, Arguments) {
  return "t";
}

struct Question {
  std::string_view name;
  std::optional<std::string> (*answer)(const DefinitionContext&, Arguments);
};
constexpr Question kQuestions[] = {
    {"pg_get_indexdef", index_answer},
    {"pg_get_constraintdef", constraint_answer},
    {"pg_get_expr", expression_answer},
    {"pg_get_function_arguments", function_arguments_answer},
    {"pg_get_function_result", function_result_answer},
    {"format_type", type_answer},
    {"pg_table_is_visible", table_visible_answer},
    {"pg_get_userbyid", role_answer},
    {"pg_type_is_visible", always},
    {"pg_function_is_visible", always},
    {"pg_operator_is_visible", always},
    {"pg_relation_is_publishable", always},
};

}  // namespace

std::optional<std::string> definition_text(const DefinitionContext& context,
                                           std::string_view question, Arguments arguments) {
  const auto* const found = std::ranges::find(kQuestions, question, &Question::name);
  if (found == std::end(kQuestions)) return name_answer(context, question, arguments);
  return found->answer(context, arguments);
}

std::string quote_identifier(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const bool safe = !name.empty() && plain(name.front()) && std::ranges::all_of(name, [&](char c) {
    return plain(c) || (c >= '0' && c <= '9');
  });
  if (safe && !is_reserved_keyword(name)) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string index_definition(const DefinitionContext& context, const IndexInfo& index,
                             bool pretty) {
  const TableInfoRef table = context.view.find_table(index.table);
  const std::string on =
      pretty ? relation_text(context, table->schema, table->name)
             : quote_identifier(table->schema_name) + "." + quote_identifier(table->name);
  std::string text = index.unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ";
  text += quote_identifier(index.name) + " ON " + on + " USING btree (";
  text += column_list(*table, index, true) + ")";
  if (index.nulls_not_distinct) text += " NULLS NOT DISTINCT";
  return text;
}

std::string constraint_definition(const TableInfo& table, const IndexInfo& index) {
  std::string text = index.primary ? "PRIMARY KEY (" : "UNIQUE (";
  if (index.nulls_not_distinct) text = "UNIQUE NULLS NOT DISTINCT (";
  return text + column_list(table, index, false) + ")";
}

std::string default_definition(const SqlRegistry& registry, const ColumnInfo& column) {
  if (!is_string_literal(column.default_sql)) return column.default_sql;
  return column.default_sql + "::" + type_text(registry, column.type, -1);
}

std::string type_text(const SqlRegistry& registry, TypeOid type, std::int32_t modifier) {
  if (type == 0) return "-";
  if (const SqlType* const found = registry.find_type(type)) return found->describe(modifier);
  for (const SqlType* element : registry.all_types()) {
    if (element->info().array == type) return element->describe(modifier) + "[]";
  }
  const std::string_view name = builtin_type_name(type);  // of a type that no pack has
  return name.empty() ? "???" : std::string(name);
}

bool is_visible(const DefinitionContext& context, Oid schema, std::string_view relation) {
  const auto has = [&](Oid in) {
    return context.view.find_table(in, relation) != nullptr ||
           context.view.find_index(in, relation) != nullptr;
  };
  if (has(kPgCatalogOid)) return schema == kPgCatalogOid;
  for (const std::string& name : context.search_path) {
    const SchemaInfo* const searched = context.view.find_schema(name);
    if (searched != nullptr && has(searched->oid)) return searched->oid == schema;
  }
  return false;
}

std::string relation_text(const DefinitionContext& context, Oid schema, std::string_view relation) {
  const SchemaInfo* const info = context.view.find_schema(schema);
  if (info == nullptr || is_visible(context, schema, relation)) return quote_identifier(relation);
  return quote_identifier(info->name) + "." + quote_identifier(relation);
}

}  // namespace coppice::catalog
