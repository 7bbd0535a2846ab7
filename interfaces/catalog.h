// catalog.h — names, schemas and definitions, at a snapshot.
//
// Role:     what the binder looks names up in and what DDL changes. Definitions are rows of
//           reserved tables of each database, so DDL is transactional and branches carry it along.
// Owns:     a CatalogView and its infos are immutable and shared; hold the view while using them.
// Threads:  views from anywhere; DDL calls from the fiber of their transaction.
// Parks:    whatever gives a Result or a Status.
// Errors:   SQLSTATEs of PostgreSQL: 42P01, 42P07, 42701, 42710, 42P04, 3D000, 2BP01, 55006 …
// Holds:    a relation is locked by its storage (Transaction::lock_relation(info.storage, …)). Who
//           had to wait looks the relation up again, or leaves it to TableInfo::epoch: a commit
//           that expects an old epoch is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/sql_pack.h"
#include "interfaces/txn.h"
#include "interfaces/types/hlc.h"

namespace coppice {

using Oid = std::uint32_t;
inline constexpr Oid kFirstUserOid = 16384;
inline constexpr Oid kPgCatalogOid = 11, kPublicOid = 2200, kInformationSchemaOid = 13000,
                     kSuperuserOid = 10;

struct ColumnInfo {
  std::string name;
  std::int16_t attribute = 0;  // attnum, 1-based, never reused
  TypeOid type = 0;
  std::int32_t modifier = -1;
  bool not_null = false;
  bool dropped = false;
  std::string default_sql;  // an expression's text, as written; empty: none
  ColumnId storage;
};

enum class IndexState : std::uint8_t {
  kWriteOnly,  // being built: writers maintain it, readers do not use it
  kReadable,
  kInvalid,  // its build failed; only DROP INDEX is left
};

struct IndexColumn {
  std::int16_t attribute = 0;
  KeyOrder order;
};

struct IndexInfo {
  Oid oid = 0;
  std::string name;
  Oid table = 0;
  TableRef storage;
  bool unique = false;
  bool primary = false;
  bool constraint = false;  // made by PRIMARY KEY or UNIQUE
  bool nulls_not_distinct = false;
  IndexState state = IndexState::kReadable;
  Hlc valid_from;  // snapshots before it must not use the index
  std::vector<IndexColumn> columns;
};

struct TableInfo;

// A relation that is computed: pg_catalog and coppice.* tables.
class VirtualRelation {
 public:
  virtual ~VirtualRelation() = default;
  // All rows, columns in TableInfo's order, at most kVectorRows a batch. The cursor needs neither
  // `view` nor `calls` any more. `calls` may be null; relations about the session ask it by the
  // relation's name and get COPY text (pg_settings).
  virtual std::unique_ptr<RowCursor> open(const class CatalogView& view,
                                          CallContext* calls) const = 0;
};

struct TableInfo {
  Oid oid = 0;
  Oid schema = 0;
  std::string schema_name;
  std::string name;
  Oid owner = kSuperuserOid;
  char kind = 'r';                            // pg_class.relkind
  const VirtualRelation* computed = nullptr;  // set: not stored
  TableRef storage;
  std::uint64_t epoch = 0;          // schema epoch that a write set built with this info expects
  std::vector<ColumnInfo> columns;  // by attribute, dropped ones included
  std::vector<std::shared_ptr<const IndexInfo>> indexes;

  const ColumnInfo* find_column(std::string_view column) const;
  const ColumnInfo* find_column(std::int16_t attribute) const;
  const IndexInfo* primary_key() const;
};
using TableInfoRef = std::shared_ptr<const TableInfo>;

struct SchemaInfo {
  Oid oid = 0;
  std::string name;
  Oid owner = kSuperuserOid;
};

struct DatabaseInfo {
  Oid oid = 0;
  std::string name;
  NamespaceId ns;
  Oid owner = kSuperuserOid;
  bool allow_connections = true;
  bool is_template = false;
};

struct RoleInfo {
  Oid oid = 0;
  std::string name;
  bool superuser = false;
  bool can_login = true;
};

// One database as a transaction sees it, its own DDL included.
class CatalogView {
 public:
  virtual ~CatalogView() = default;
  virtual const DatabaseInfo& database() const = 0;
  // Two views of one version say the same, in this process; plan caches key by it.
  virtual std::uint64_t version() const = 0;

  virtual const SchemaInfo* find_schema(std::string_view name) const = 0;
  virtual const SchemaInfo* find_schema(Oid oid) const = 0;
  virtual TableInfoRef find_table(Oid schema, std::string_view name) const = 0;  // null if absent
  virtual TableInfoRef find_table(Oid oid) const = 0;
  virtual std::shared_ptr<const IndexInfo> find_index(Oid schema, std::string_view name) const = 0;
  virtual std::shared_ptr<const IndexInfo> find_index(Oid oid) const = 0;

  virtual std::vector<SchemaInfo> schemas() const = 0;
  virtual std::vector<TableInfoRef> tables() const = 0;  // by oid; computed ones included
  virtual std::vector<DatabaseInfo> databases() const = 0;
  virtual std::vector<RoleInfo> roles() const = 0;
};
using CatalogViewRef = std::shared_ptr<const CatalogView>;

struct NewColumn {
  std::string name;
  TypeOid type = 0;
  std::int32_t modifier = -1;
  bool not_null = false;
  std::string default_sql;
};

struct NewIndex {
  std::string name;  // empty: chosen as PostgreSQL does, t_a_b_idx, t_pkey, t_a_key
  std::vector<std::pair<std::string, KeyOrder>> columns;
  bool unique = false;
  bool primary = false;
  bool constraint = false;
  bool nulls_not_distinct = false;
};

struct NewTable {
  Oid schema = kPublicOid;
  std::string name;
  std::vector<NewColumn> columns;
  std::vector<NewIndex> indexes;  // built empty, readable at once
};

// A connection's database: while one of these lives, the database is in use and not dropped.
struct DatabaseUse {
  DatabaseInfo info;
  std::shared_ptr<const void> hold;
};

class Catalog {
 public:
  virtual ~Catalog() = default;

  virtual const SqlRegistry& registry() const = 0;

  // The database's newest committed definition. 3D000.
  virtual Result<DatabaseInfo> database(std::string_view name) = 0;
  // The same for a connection, which keeps it until its end. 3D000; 55000: takes no connections.
  virtual Result<DatabaseUse> connect(std::string_view name) = 0;
  virtual Result<RoleInfo> role(std::string_view name) = 0;  // 28000

  // As `txn` sees database `ns` in its current statement.
  virtual Result<CatalogViewRef> view(Transaction& txn, NamespaceId ns) = 0;

  // Answers what SQL functions ask about definitions (CallContext::ask): `question` is the
  // function's name (pg_get_indexdef, format_type, pg_table_is_visible …). Nothing: NULL, or not a
  // question about the catalog; booleans are "t" and "f".
  virtual std::optional<std::string> answer(const CatalogView& view,
                                            std::span<const std::string> search_path,
                                            std::string_view question,
                                            std::span<const Datum> arguments) const = 0;

  // DDL: takes the locks that PostgreSQL takes, writes definitions into txn's write set.
  virtual Result<Oid> create_table(Transaction& txn, NamespaceId ns, const NewTable& table) = 0;
  virtual Status drop_table(Transaction& txn, NamespaceId ns, Oid table) = 0;
  // New, empty storage; the old goes once no snapshot sees it.
  virtual Status truncate_table(Transaction& txn, NamespaceId ns, Oid table) = 0;
  // Registers the index with `state`; building it is the executor's work. Gives its definition.
  // kWriteOnly lets writers go on (SHARE UPDATE EXCLUSIVE), other states keep them out (SHARE).
  virtual Result<std::shared_ptr<const IndexInfo>> create_index(Transaction& txn, NamespaceId ns,
                                                                Oid table, const NewIndex& index,
                                                                IndexState state) = 0;
  virtual Status set_index_state(Transaction& txn, NamespaceId ns, Oid index, IndexState state,
                                 Hlc valid_from) = 0;
  virtual Status drop_index(Transaction& txn, NamespaceId ns, Oid index) = 0;
  virtual Result<Oid> create_schema(Transaction& txn, NamespaceId ns, std::string_view name) = 0;
  virtual Status drop_schema(Transaction& txn, NamespaceId ns, Oid schema) = 0;

  // Outside transaction blocks, each a transaction of its own.
  virtual Status create_database(std::string_view name, std::string_view owner) = 0;  // 42P04
  virtual Status drop_database(std::string_view name) = 0;  // 3D000, 55006 (in use)
};

}  // namespace coppice
