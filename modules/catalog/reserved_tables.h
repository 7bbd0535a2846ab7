// reserved_tables.h — the tables that hold definitions: what their rows are made of.
//
// Role:     each row is a struct whose visit() names its fields once; the storage schema, reading
//           and writing follow from that (row_io.h).
// Format:   docs/internals/catalog.md. Fields are only ever added at the end, with a new
//           kCatalogFormat.
#pragma once

#include <cstdint>
#include <string>

#include "interfaces/catalog.h"
#include "interfaces/types/egid.h"

namespace coppice::catalog {

// Databases and roles live in a namespace of their own; a database's namespace has its OID, and no
// database has this one.
inline constexpr NamespaceId kSystemNamespace{2};
inline constexpr TableId kDatabasesTable{1}, kRolesTable{2}, kCountersTable{3};
// In each database. Their numbers are no OIDs of schemas, which are locked by theirs.
inline constexpr TableId kSchemasTable{1}, kTablesTable{2}, kColumnsTable{3}, kIndexesTable{4};

// The table whose epoch stands for all definitions of a namespace.
constexpr TableRef epoch_table(NamespaceId ns) {
  return {ns, ns == kSystemNamespace ? kDatabasesTable : kTablesTable};
}

// PostgreSQL's own numbers where it has them.
inline constexpr Oid kTemplate1Oid = 1, kTemplate0Oid = 4, kPostgresOid = 5, kCoppiceOid = 6;
inline constexpr Oid kPgToastOid = 99;
inline constexpr Oid kCoppiceSchemaOid = 13001;  // of computed relations alone; in no table
inline constexpr Oid kPostgresRoleOid = 11;      // kSuperuserOid is the role coppice

inline constexpr std::uint32_t kCatalogFormat = 1;

struct SchemaRow {
  static constexpr TableId kTable = kSchemasTable;
  Egid egid = 0;
  Oid oid = 0;
  std::string name;
  Oid owner = kSuperuserOid;

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.oid), field(row.name), field(row.owner);
  }
};

struct TableRow {
  static constexpr TableId kTable = kTablesTable;
  Egid egid = 0;
  Oid oid = 0;
  Oid schema = 0;
  std::string name;
  Oid owner = kSuperuserOid;
  std::uint32_t storage = 0;  // TableId

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.oid), field(row.schema), field(row.name), field(row.owner), field(row.storage);
  }
};

struct ColumnRow {
  static constexpr TableId kTable = kColumnsTable;
  Egid egid = 0;
  Oid table = 0;
  std::int16_t attribute = 0;
  std::string name;
  TypeOid type = 0;
  std::int32_t modifier = -1;
  bool not_null = false;
  bool dropped = false;
  std::string default_sql;
  std::uint32_t storage = 0;  // ColumnId

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.table), field(row.attribute), field(row.name), field(row.type), field(row.modifier);
    field(row.not_null), field(row.dropped), field(row.default_sql), field(row.storage);
  }
};

struct IndexRow {
  static constexpr TableId kTable = kIndexesTable;
  Egid egid = 0;
  Oid oid = 0;
  std::string name;
  Oid table = 0;
  std::uint32_t storage = 0;  // TableId
  bool unique = false;
  bool primary = false;
  bool constraint = false;
  bool nulls_not_distinct = false;
  std::int16_t state = 0;  // IndexState
  std::int64_t valid_from = 0;
  std::string columns;  // encode_index_columns()

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.oid), field(row.name), field(row.table), field(row.storage), field(row.unique);
    field(row.primary), field(row.constraint), field(row.nulls_not_distinct), field(row.state);
    field(row.valid_from), field(row.columns);
  }
};

struct DatabaseRow {
  static constexpr TableId kTable = kDatabasesTable;
  Egid egid = 0;
  Oid oid = 0;
  std::string name;
  std::uint32_t ns = 0;
  Oid owner = kSuperuserOid;
  bool allow_connections = true;
  bool is_template = false;

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.oid), field(row.name), field(row.ns), field(row.owner);
    field(row.allow_connections), field(row.is_template);
  }
};

struct RoleRow {
  static constexpr TableId kTable = kRolesTable;
  Egid egid = 0;
  Oid oid = 0;
  std::string name;
  bool superuser = false;
  bool can_login = true;

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.oid), field(row.name), field(row.superuser), field(row.can_login);
  }
};

// One row only.
struct CountersRow {
  static constexpr TableId kTable = kCountersTable;
  Egid egid = 0;
  std::uint32_t format = kCatalogFormat;
  Oid next_oid = kFirstUserOid;  // the first that no block has reserved

  template <class Self, class Visit>
  static void visit(Self& row, Visit&& field) {
    field(row.format), field(row.next_oid);
  }
};

// Per column: i16 attribute, u8 flags (1: descending, 2: nulls first).
std::string encode_index_columns(std::span<const IndexColumn> columns);
Result<std::vector<IndexColumn>> decode_index_columns(std::string_view bytes);

}  // namespace coppice::catalog
