// errors.h — the errors that more than one kind of DDL raises, in PostgreSQL's words.
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::catalog {

std::string quoted(std::string_view name);  // "name", for messages: nothing is doubled

Error no_such_database(std::string_view name);   // 3D000
Error no_such_schema(std::string_view name);     // 3F000
Error no_such_relation(std::string_view name);   // 42P01
Error no_such_index(std::string_view name);      // 42704
Error relation_exists(std::string_view name);    // 42P07
Error is_system_catalog(std::string_view name);  // 42501
Error no_such_role(std::string_view name);       // 42704
Error duplicate_column(std::string_view name);   // 42701

}  // namespace coppice::catalog
