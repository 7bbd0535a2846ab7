// errors.cpp — messages.
#include "modules/catalog/errors.h"

#include "interfaces/types/sql_error.h"

namespace coppice::catalog {

std::string quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

Error no_such_database(std::string_view name) {
  return sql_error(sqlstate::kInvalidCatalogName, "database " + quoted(name) + " does not exist");
}

Error no_such_schema(std::string_view name) {
  return sql_error("3F000", "schema " + quoted(name) + " does not exist");
}

Error no_such_relation(std::string_view name) {
  return sql_error(sqlstate::kUndefinedTable, "relation " + quoted(name) + " does not exist");
}

Error no_such_index(std::string_view name) {
  return sql_error("42704", "index " + quoted(name) + " does not exist");
}

Error relation_exists(std::string_view name) {
  return sql_error(sqlstate::kDuplicateTable, "relation " + quoted(name) + " already exists");
}

Error is_system_catalog(std::string_view name) {
  return sql_error("42501", "permission denied: " + quoted(name) + " is a system catalog");
}

Error no_such_role(std::string_view name) {
  return sql_error("42704", "role " + quoted(name) + " does not exist");
}

Error duplicate_column(std::string_view name) {
  return sql_error("42701", "column " + quoted(name) + " specified more than once");
}

}  // namespace coppice::catalog
