// builtin_data.h — what PostgreSQL 15 itself contains, as far as it does not depend on us: columns
// of its catalogs, built-in types, keywords.
//
// Role:     data/*.tsv, taken from a running PostgreSQL by data/generate.sh and put into the
//           binary.
// Threads:  any. Parks: never.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interfaces/sql_pack.h"

namespace coppice::catalog {

struct BuiltinColumn {
  std::string_view name;
  TypeOid type = 0;
  bool not_null = false;
};

struct BuiltinRelation {
  std::string_view name;
  std::uint32_t oid = 0;
  char kind = 'r';  // pg_class.relkind: r or v
  std::vector<BuiltinColumn> columns;
};

// By OID.
std::vector<BuiltinRelation> builtin_relations();

// The rows of a relation that are the same everywhere, in COPY's text format; empty: none.
std::string_view builtin_rows(std::string_view relation);

// format_type() of a built-in type; empty: unknown.
std::string_view builtin_type_name(TypeOid type);

// Functions that the data names and that this server may lack: boolin, bthandler …
std::string_view builtin_function_name(FunctionOid function);  // empty: unknown
FunctionOid builtin_function(std::string_view name);           // 0: unknown

// A keyword that cannot stand as an identifier everywhere.
bool is_reserved_keyword(std::string_view word);

}  // namespace coppice::catalog
