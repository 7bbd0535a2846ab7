// privileges.cpp — has_table_privilege and its kind: every role is a superuser, so all are true.
#include <algorithm>

#include "interfaces/sql_rows.h"
#include "kernel/base/assert.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

// Arguments by letter: name, text, oid, int2 (s).
struct PrivilegeRow {
  FunctionOid oid;
  std::string_view name, arguments;
};
constexpr std::array kPrivileges = {
    PrivilegeRow{3024, "has_any_column_privilege", "ntt"},
    PrivilegeRow{3025, "has_any_column_privilege", "not"},
    PrivilegeRow{3026, "has_any_column_privilege", "ott"},
    PrivilegeRow{3027, "has_any_column_privilege", "oot"},
    PrivilegeRow{3028, "has_any_column_privilege", "tt"},
    PrivilegeRow{3029, "has_any_column_privilege", "ot"},
    PrivilegeRow{3012, "has_column_privilege", "nttt"},
    PrivilegeRow{3013, "has_column_privilege", "ntst"},
    PrivilegeRow{3014, "has_column_privilege", "nott"},
    PrivilegeRow{3015, "has_column_privilege", "nost"},
    PrivilegeRow{3016, "has_column_privilege", "ottt"},
    PrivilegeRow{3017, "has_column_privilege", "otst"},
    PrivilegeRow{3018, "has_column_privilege", "oott"},
    PrivilegeRow{3019, "has_column_privilege", "oost"},
    PrivilegeRow{3020, "has_column_privilege", "ttt"},
    PrivilegeRow{3021, "has_column_privilege", "tst"},
    PrivilegeRow{3022, "has_column_privilege", "ott"},
    PrivilegeRow{3023, "has_column_privilege", "ost"},
    PrivilegeRow{2250, "has_database_privilege", "ntt"},
    PrivilegeRow{2251, "has_database_privilege", "not"},
    PrivilegeRow{2252, "has_database_privilege", "ott"},
    PrivilegeRow{2253, "has_database_privilege", "oot"},
    PrivilegeRow{2254, "has_database_privilege", "tt"},
    PrivilegeRow{2255, "has_database_privilege", "ot"},
    PrivilegeRow{3000, "has_foreign_data_wrapper_privilege", "ntt"},
    PrivilegeRow{3001, "has_foreign_data_wrapper_privilege", "not"},
    PrivilegeRow{3002, "has_foreign_data_wrapper_privilege", "ott"},
    PrivilegeRow{3003, "has_foreign_data_wrapper_privilege", "oot"},
    PrivilegeRow{3004, "has_foreign_data_wrapper_privilege", "tt"},
    PrivilegeRow{3005, "has_foreign_data_wrapper_privilege", "ot"},
    PrivilegeRow{2256, "has_function_privilege", "ntt"},
    PrivilegeRow{2257, "has_function_privilege", "not"},
    PrivilegeRow{2258, "has_function_privilege", "ott"},
    PrivilegeRow{2259, "has_function_privilege", "oot"},
    PrivilegeRow{2260, "has_function_privilege", "tt"},
    PrivilegeRow{2261, "has_function_privilege", "ot"},
    PrivilegeRow{2262, "has_language_privilege", "ntt"},
    PrivilegeRow{2263, "has_language_privilege", "not"},
    PrivilegeRow{2264, "has_language_privilege", "ott"},
    PrivilegeRow{2265, "has_language_privilege", "oot"},
    PrivilegeRow{2266, "has_language_privilege", "tt"},
    PrivilegeRow{2267, "has_language_privilege", "ot"},
    PrivilegeRow{6205, "has_parameter_privilege", "ntt"},
    PrivilegeRow{6206, "has_parameter_privilege", "ott"},
    PrivilegeRow{6207, "has_parameter_privilege", "tt"},
    PrivilegeRow{2268, "has_schema_privilege", "ntt"},
    PrivilegeRow{2269, "has_schema_privilege", "not"},
    PrivilegeRow{2270, "has_schema_privilege", "ott"},
    PrivilegeRow{2271, "has_schema_privilege", "oot"},
    PrivilegeRow{2272, "has_schema_privilege", "tt"},
    PrivilegeRow{2273, "has_schema_privilege", "ot"},
    PrivilegeRow{2181, "has_sequence_privilege", "ntt"},
    PrivilegeRow{2182, "has_sequence_privilege", "not"},
    PrivilegeRow{2183, "has_sequence_privilege", "ott"},
    PrivilegeRow{2184, "has_sequence_privilege", "oot"},
    PrivilegeRow{2185, "has_sequence_privilege", "tt"},
    PrivilegeRow{2186, "has_sequence_privilege", "ot"},
    PrivilegeRow{3006, "has_server_privilege", "ntt"},
    PrivilegeRow{3007, "has_server_privilege", "not"},
    PrivilegeRow{3008, "has_server_privilege", "ott"},
    PrivilegeRow{3009, "has_server_privilege", "oot"},
    PrivilegeRow{3010, "has_server_privilege", "tt"},
    PrivilegeRow{3011, "has_server_privilege", "ot"},
    PrivilegeRow{1922, "has_table_privilege", "ntt"},
    PrivilegeRow{1923, "has_table_privilege", "not"},
    PrivilegeRow{1924, "has_table_privilege", "ott"},
    PrivilegeRow{1925, "has_table_privilege", "oot"},
    PrivilegeRow{1926, "has_table_privilege", "tt"},
    PrivilegeRow{1927, "has_table_privilege", "ot"},
    PrivilegeRow{2390, "has_tablespace_privilege", "ntt"},
    PrivilegeRow{2391, "has_tablespace_privilege", "not"},
    PrivilegeRow{2392, "has_tablespace_privilege", "ott"},
    PrivilegeRow{2393, "has_tablespace_privilege", "oot"},
    PrivilegeRow{2394, "has_tablespace_privilege", "tt"},
    PrivilegeRow{2395, "has_tablespace_privilege", "ot"},
    PrivilegeRow{3138, "has_type_privilege", "ntt"},
    PrivilegeRow{3139, "has_type_privilege", "not"},
    PrivilegeRow{3140, "has_type_privilege", "ott"},
    PrivilegeRow{3141, "has_type_privilege", "oot"},
    PrivilegeRow{3142, "has_type_privilege", "tt"},
    PrivilegeRow{3143, "has_type_privilege", "ot"},
    PrivilegeRow{2705, "pg_has_role", "nnt"},
    PrivilegeRow{2706, "pg_has_role", "not"},
    PrivilegeRow{2707, "pg_has_role", "ont"},
    PrivilegeRow{2708, "pg_has_role", "oot"},
    PrivilegeRow{2709, "pg_has_role", "nt"},
    PrivilegeRow{2710, "pg_has_role", "ot"},
};

TypeOid type_of(char letter) {
  switch (letter) {
    case 'n':
      return type_oid::kName;
    case 't':
      return type_oid::kText;
    case 'o':
      return type_oid::kOid;
    case 's':
      return type_oid::kInt2;
    default:
      unreachable();
  }
}

Status always_true(CallContext&, std::span<const Vector>, const Selection&, std::uint32_t size,
                   VectorBuffer& out) {
  std::fill_n(out.append_values<std::uint8_t>(size), size, std::uint8_t{1});
  return {};
}

}  // namespace

void add_privilege_functions(SqlRegistry& registry) {
  for (const PrivilegeRow& row : kPrivileges) {
    FunctionRow function{row.oid, row.name, type_oid::kBool, {}, always_true, Volatility::kStable};
    std::ranges::transform(row.arguments, function.arguments.begin(), type_of);
    add_rows(registry, std::span<const FunctionRow>(&function, 1));
  }
}

}  // namespace coppice::sql_catalog
