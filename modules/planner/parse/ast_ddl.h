// ast_ddl.h — statements that change the catalog.
#pragma once

#include "modules/planner/parse/ast_query.h"

namespace coppice::planner::ast {

// --- tables
// ---------------------------------------------------------------------------------------

enum class ConstraintKind : std::uint8_t {
  kNull,
  kNotNull,
  kDefault,
  kIdentity,
  kGenerated,
  kCheck,
  kPrimaryKey,
  kUnique,
  kForeignKey,
  // Written after a column constraint, they speak of the one before them.
  kDeferrable,
  kNotDeferrable,
  kInitiallyDeferred,
  kInitiallyImmediate,
};
enum class ForeignKeyMatch : char { kSimple = 's', kFull = 'f', kPartial = 'p' };
enum class ForeignKeyAction : char {
  kNoAction = 'a',
  kRestrict = 'r',
  kCascade = 'c',
  kSetNull = 'n',
  kSetDefault = 'd',
};
struct Constraint {
  ConstraintKind kind = ConstraintKind::kNull;
  Name name;
  bool deferrable = false;
  bool initially_deferred = false;
  bool no_inherit = false;
  bool not_valid = false;
  const Expr* value = nullptr;  // kCheck, kDefault, kGenerated
  bool always = false;          // GENERATED ALWAYS; else BY DEFAULT
  List<Option> options;         // WITH (…); of kIdentity the sequence's
  Names keys;                   // kPrimaryKey, kUnique; empty on a column constraint
  Names including;
  bool nulls_not_distinct = false;
  Name index;       // USING INDEX …
  Name tablespace;  // USING INDEX TABLESPACE …
  const RelationName* references = nullptr;
  Names foreign_columns;     // empty on a column constraint
  Names referenced_columns;  // empty: the primary key
  ForeignKeyMatch match = ForeignKeyMatch::kSimple;
  ForeignKeyAction on_update = ForeignKeyAction::kNoAction;
  ForeignKeyAction on_delete = ForeignKeyAction::kNoAction;
  Names on_delete_columns;  // ON DELETE SET NULL (…)
  Location location = kNoLocation;
};

struct ColumnDefinition {
  Name name;
  const TypeName* type = nullptr;
  Name compression;
  Names collation;
  List<Constraint> constraints;
  Location location = kNoLocation;
};

struct TableLike {  // LIKE t INCLUDING …
  const RelationName* table = nullptr;
  bool comments = false;
  bool compression = false;
  bool constraints = false;
  bool defaults = false;
  bool generated = false;
  bool identity = false;
  bool indexes = false;
  bool statistics = false;
  bool storage = false;
};

struct PartitionKey {
  Name column;
  const Expr* value = nullptr;
  Names collation;
  Names operator_class;
  Location location = kNoLocation;
};
struct PartitionBy {
  Name strategy;  // "range", "list", "hash" as written
  List<PartitionKey> keys;
  Location location = kNoLocation;
};
enum class BoundKind : std::uint8_t { kDefault, kHash, kList, kRange };
struct PartitionBound {  // MINVALUE and MAXVALUE are ColumnRefs of that name
  BoundKind kind = BoundKind::kDefault;
  int modulus = 0;
  int remainder = 0;
  List<const Expr*> values;
  List<const Expr*> from;
  List<const Expr*> to;
  Location location = kNoLocation;
};

struct CreateTable final : StatementOf<StatementKind::kCreateTable> {
  const RelationName* table = nullptr;
  bool if_not_exists = false;
  List<const ColumnDefinition*> columns;
  List<TableLike> likes;
  List<Constraint> constraints;
  List<const RelationName*> inherits;  // of a partition: its parent
  const PartitionBound* bound = nullptr;
  const PartitionBy* partition_by = nullptr;
  List<Option> options;
  OnCommit on_commit = OnCommit::kNone;
  Name tablespace;
  Name access_method;
};

struct CreateTableAs final : StatementOf<StatementKind::kCreateTableAs> {
  const IntoTable* into = nullptr;
  const Statement* query = nullptr;  // Select or Execute
  bool materialized_view = false;
  bool if_not_exists = false;
};

enum class AlterKind : std::uint8_t {
  kAddColumn,         // column; if_exists means IF NOT EXISTS
  kDropColumn,        // name
  kSetDefault,        // name, value
  kDropDefault,       // name
  kSetNotNull,        // name
  kDropNotNull,       // name
  kDropExpression,    // name
  kSetStatistics,     // name or number, statistics
  kSetColumnOptions,  // name, options
  kResetColumnOptions,
  kSetStorage,      // name, text
  kSetCompression,  // name, text
  kAlterType,       // name, column (type, collation), value: USING
  kAddIdentity,     // name, constraint
  kSetIdentity,     // name, options
  kDropIdentity,    // name
  kAddConstraint,   // constraint
  kAlterConstraint,
  kValidateConstraint,  // name
  kDropConstraint,      // name
  kChangeOwner,         // owner
  kClusterOn,           // name
  kDropCluster,
  kSetLogged,
  kSetUnlogged,
  kSetAccessMethod,  // name
  kSetTablespace,    // name
  kSetOptions,       // options
  kResetOptions,
  kEnableTrigger,  // name; empty with `text` "all" or "user"
  kDisableTrigger,
  kEnableRowSecurity,
  kDisableRowSecurity,
  kForceRowSecurity,
  kNoForceRowSecurity,
  kAddInherit,       // relation
  kDropInherit,      // relation
  kAttachPartition,  // relation, bound
  kDetachPartition,  // relation, concurrently
  kDetachPartitionFinalize,
  kReplicaIdentity,  // text: "nothing", "full", "default", "index"; name: the index
};
struct AlterAction {
  AlterKind kind = AlterKind::kAddColumn;
  Name name;
  int number = 0;
  int statistics = 0;
  const ColumnDefinition* column = nullptr;
  const Constraint* constraint = nullptr;
  const Expr* value = nullptr;
  List<Option> options;
  Name text;
  RoleName owner;
  const RelationName* relation = nullptr;
  const PartitionBound* bound = nullptr;
  DropBehavior behavior = DropBehavior::kRestrict;
  bool if_exists = false;
  bool concurrently = false;
};

// What kind of thing ALTER, DROP, COMMENT, RENAME and GRANT speak of.
enum class ObjectKind : std::uint8_t {
  kAccessMethod,
  kAggregate,
  kAttribute,
  kCast,
  kColumn,
  kCollation,
  kConversion,
  kDatabase,
  kDomain,
  kDomainConstraint,
  kEventTrigger,
  kExtension,
  kForeignDataWrapper,
  kForeignServer,
  kForeignTable,
  kFunction,
  kIndex,
  kLanguage,
  kLargeObject,
  kMaterializedView,
  kOperator,
  kOperatorClass,
  kOperatorFamily,
  kParameter,
  kPolicy,
  kProcedure,
  kPublication,
  kRole,
  kRoutine,
  kRule,
  kSchema,
  kSequence,
  kStatistics,
  kSubscription,
  kTable,
  kTableConstraint,
  kTablespace,
  kTextSearchConfiguration,
  kTextSearchDictionary,
  kTextSearchParser,
  kTextSearchTemplate,
  kTransform,
  kTrigger,
  kType,
  kView,
};

struct AlterTable final : StatementOf<StatementKind::kAlterTable> {
  ObjectKind object = ObjectKind::kTable;  // or kIndex, kSequence, kView, kMaterializedView, kType
  const RelationName* table = nullptr;
  bool if_exists = false;
  List<AlterAction> actions;
};

struct CreateIndex final : StatementOf<StatementKind::kCreateIndex> {
  Name name;  // may be empty
  const RelationName* table = nullptr;
  Name method;  // "btree" where none was written
  List<IndexElement> elements;
  List<IndexElement> including;
  List<Option> options;
  const Expr* where = nullptr;
  Name tablespace;
  bool unique = false;
  bool nulls_not_distinct = false;
  bool concurrently = false;
  bool if_not_exists = false;
};

// --- databases, schemas, views, sequences, types
// --------------------------------------------------

struct CreateSchema final : StatementOf<StatementKind::kCreateSchema> {
  Name name;  // empty: the role's
  const RoleName* owner = nullptr;
  bool if_not_exists = false;
  List<const Statement*> elements;
};

struct CreateDatabase final : StatementOf<StatementKind::kCreateDatabase> {
  Name name;
  List<Option> options;
};
struct AlterDatabase final : StatementOf<StatementKind::kAlterDatabase> {
  Name name;
  List<Option> options;
  const Set* set = nullptr;  // ALTER DATABASE … SET
};
struct DropDatabase final : StatementOf<StatementKind::kDropDatabase> {
  Name name;
  bool if_exists = false;
  List<Option> options;
};

enum class CheckOption : std::uint8_t { kNone, kLocal, kCascaded };
struct CreateView final : StatementOf<StatementKind::kCreateView> {
  const RelationName* view = nullptr;
  Names columns;
  const Select* query = nullptr;
  bool or_replace = false;
  List<Option> options;
  CheckOption check = CheckOption::kNone;
};
struct RefreshView final : StatementOf<StatementKind::kRefreshView> {
  const RelationName* view = nullptr;
  bool concurrently = false;
  bool no_data = false;
};

struct CreateSequence final : StatementOf<StatementKind::kCreateSequence> {
  const RelationName* sequence = nullptr;
  List<Option> options;
  bool if_not_exists = false;
};
struct AlterSequence final : StatementOf<StatementKind::kAlterSequence> {
  const RelationName* sequence = nullptr;
  List<Option> options;
  bool if_exists = false;
};

struct CreateEnum final : StatementOf<StatementKind::kCreateEnum> {
  Names name;
  Names values;
};
struct AlterEnum final : StatementOf<StatementKind::kAlterEnum> {
  Names name;
  bool rename = false;  // RENAME VALUE old TO new; else ADD VALUE new
  Name old_value;
  Name new_value;
  bool positioned = false;  // BEFORE or AFTER a neighbor
  bool after = false;
  Name neighbor;
  bool if_not_exists = false;
};
struct CreateDomain final : StatementOf<StatementKind::kCreateDomain> {
  Names name;
  const TypeName* type = nullptr;
  Names collation;
  List<Constraint> constraints;
};

// --- of any object
// --------------------------------------------------------------------------------

// Which object: relations and schema objects by names; functions also by argument types; columns,
// constraints, triggers, policies and rules by their relation's names and then their own; types,
// domains and casts by types.
struct ObjectName {
  Names names = {};
  List<const TypeName*> types = {};
  bool has_types = false;  // f() is not f
};

struct Drop final : StatementOf<StatementKind::kDrop> {
  ObjectKind object = ObjectKind::kTable;
  List<ObjectName> objects;
  DropBehavior behavior = DropBehavior::kRestrict;
  bool if_exists = false;
  bool concurrently = false;
};

struct Truncate final : StatementOf<StatementKind::kTruncate> {
  List<const RelationName*> tables;
  bool restart_identity = false;
  DropBehavior behavior = DropBehavior::kRestrict;
};

struct Rename final : StatementOf<StatementKind::kRename> {
  ObjectKind object = ObjectKind::kTable;
  ObjectKind owner = ObjectKind::kTable;   // of a column: what it is a column of
  const RelationName* relation = nullptr;  // tables and what belongs to one, else
  ObjectName name;
  Name old_name;  // of a column, constraint, trigger …
  Name new_name;
  DropBehavior behavior = DropBehavior::kRestrict;
  bool if_exists = false;
};
struct AlterOwner final : StatementOf<StatementKind::kAlterOwner> {
  ObjectKind object = ObjectKind::kTable;
  const RelationName* relation = nullptr;
  ObjectName name;
  RoleName owner;
};
struct AlterSchema final : StatementOf<StatementKind::kAlterSchema> {  // ALTER … SET SCHEMA
  ObjectKind object = ObjectKind::kTable;
  const RelationName* relation = nullptr;
  ObjectName name;
  Name schema;
  bool if_exists = false;
};

struct Comment final : StatementOf<StatementKind::kComment> {
  ObjectKind object = ObjectKind::kTable;
  ObjectName name;
  Name text;
  bool removed = false;  // IS NULL
};

// --- roles and privileges
// -------------------------------------------------------------------------

enum class CreateRoleKind : std::uint8_t { kRole, kUser, kGroup };
struct CreateRole final : StatementOf<StatementKind::kCreateRole> {
  CreateRoleKind type = CreateRoleKind::kRole;
  Name name;
  List<Option> options;
};
struct AlterRole final : StatementOf<StatementKind::kAlterRole> {
  const RoleName* role = nullptr;  // null: ALL
  List<Option> options;
  bool drop_members = false;  // ALTER GROUP … DROP USER
  Name database;              // IN DATABASE …
  const Set* set = nullptr;   // ALTER ROLE … SET
};
struct DropRole final : StatementOf<StatementKind::kDropRole> {
  List<RoleName> roles;
  bool if_exists = false;
};

struct Privilege {
  Name name;  // empty: ALL
  Names columns;
};
enum class GrantScope : std::uint8_t { kObjects, kAllInSchema, kDefaults };
struct Grant final : StatementOf<StatementKind::kGrant> {
  bool revoke = false;
  GrantScope scope = GrantScope::kObjects;
  ObjectKind object = ObjectKind::kTable;
  List<const RelationName*> relations;  // tables and sequences, else
  List<ObjectName> objects;
  List<Privilege> privileges;  // empty: ALL
  List<RoleName> grantees;
  bool grant_option = false;
  const RoleName* grantor = nullptr;
  DropBehavior behavior = DropBehavior::kRestrict;
  List<Option> defaults;  // ALTER DEFAULT PRIVILEGES' FOR ROLE and IN SCHEMA
};
struct GrantRole final : StatementOf<StatementKind::kGrantRole> {
  bool revoke = false;
  List<Privilege> roles;
  List<RoleName> grantees;
  bool admin_option = false;
  const RoleName* grantor = nullptr;
  DropBehavior behavior = DropBehavior::kRestrict;
};

// --- functions
// ------------------------------------------------------------------------------------

enum class ParameterMode : char {
  kIn = 'i',
  kOut = 'o',
  kInOut = 'b',
  kVariadic = 'v',
  kTable = 't',
  kDefault = 'd',  // no mode was written: as kIn
};
struct FunctionParameter {
  Name name;
  const TypeName* type = nullptr;
  ParameterMode mode = ParameterMode::kDefault;
  const Expr* default_value = nullptr;
};
struct CreateFunction final : StatementOf<StatementKind::kCreateFunction> {
  Names name;
  bool procedure = false;
  bool or_replace = false;
  List<FunctionParameter> parameters;
  const TypeName* returns = nullptr;
  List<Option> options;  // language, as, volatility, strict, …
};
struct CreateExtension final : StatementOf<StatementKind::kCreateExtension> {
  Name name;
  bool if_not_exists = false;
  List<Option> options;
};

}  // namespace coppice::planner::ast
