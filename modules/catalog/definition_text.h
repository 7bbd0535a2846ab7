// definition_text.h — what SQL functions say about definitions, in PostgreSQL's words: clients take
// these texts apart.
//
// Role:     pg_get_indexdef, pg_get_constraintdef, pg_get_expr, format_type, pg_table_is_visible
//           and their kind, over one view.
// Threads:  any. Parks: never.
// Source:   PostgreSQL 15, ruleutils.c and format_type.c.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interfaces/catalog.h"

namespace coppice::catalog {

struct DefinitionContext {
  const CatalogView& view;
  const SqlRegistry& registry;
  std::span<const std::string> search_path;  // pg_catalog implied first
};

// Nothing: NULL, or a question that is not about definitions.
std::optional<std::string> definition_text(const DefinitionContext& context,
                                           std::string_view question,
                                           std::span<const Datum> arguments);

// As it must be written in SQL: quoted where it is a keyword or not plain lower case.
std::string quote_identifier(std::string_view name);

std::string index_definition(const DefinitionContext& context, const IndexInfo& index, bool pretty);
std::string constraint_definition(const TableInfo& table, const IndexInfo& index);
// A DEFAULT: a lone string literal gets the type's name behind it.
std::string default_definition(const SqlRegistry& registry, const ColumnInfo& column);
std::string type_text(const SqlRegistry& registry, TypeOid type, std::int32_t modifier);

bool is_visible(const DefinitionContext& context, Oid schema, std::string_view relation);
// The name of a table or an index, with its schema unless that is found by the search path.
std::string relation_text(const DefinitionContext& context, Oid schema, std::string_view relation);

}  // namespace coppice::catalog
