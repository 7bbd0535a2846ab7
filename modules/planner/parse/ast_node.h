// ast_node.h — what all syntax nodes share: lists, names, locations, kinds, type names, options.
//
// Role:     plain read-only structs in an Arena. Nodes hold what the user wrote, resolved by
// nobody. Owns:     nothing: every pointer, list and string points into the arena of the
// ParsedText. Holds:    optional parts are null pointers, empty lists or empty names. Locations are
// byte offsets
//           into the parsed text (position_of() turns one into the `P` of an ErrorResponse).
//           No path from a statement to a leaf is longer than kDepthMax nodes, so recursion over a
//           tree is bounded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/base/assert.h"

namespace coppice::planner::ast {

inline constexpr int kDepthMax = 1000;

template <class T>
using List = std::span<const T>;
using Name = std::string_view;  // as the lexer left it: folded, or as quoted
using Names = List<Name>;       // a qualified name, outermost first: {"schema", "table"}

using Location = std::int32_t;
inline constexpr Location kNoLocation = -1;

// --- expressions: the base; the kinds are in ast_expression.h
// -------------------------------------

enum class ExprKind : std::uint8_t {
  kConstant,
  kParameter,
  kColumnRef,
  kOperator,
  kArrayComparison,
  kDistinctFrom,
  kNullIf,
  kInList,
  kLike,
  kBetween,
  kLogical,
  kCast,
  kCollate,
  kFunctionCall,
  kNamedArgument,
  kIndirection,
  kArray,
  kRow,
  kCase,
  kCoalesce,
  kMinMax,
  kSubquery,
  kSqlValue,
  kNullTest,
  kBooleanTest,
  kDefault,
  kCurrentOf,
  kMultiAssign,
  kGrouping,
  kGroupingSet,
};

struct Expr {
  ExprKind kind;
  Location location = kNoLocation;
};
template <ExprKind kThis>
struct ExprOf : Expr {
  static constexpr ExprKind kKind = kThis;
  ExprOf() : Expr{kThis} {}
};

// --- statements: the base; the kinds are in ast_query.h, ast_ddl.h, ast_utility.h
// ------------------

enum class StatementKind : std::uint8_t {
  // ast_query.h
  kSelect,
  kInsert,
  kUpdate,
  kDelete,
  kMerge,
  // ast_ddl.h
  kCreateTable,
  kCreateTableAs,
  kAlterTable,
  kCreateIndex,
  kCreateSchema,
  kCreateDatabase,
  kAlterDatabase,
  kDropDatabase,
  kCreateView,
  kRefreshView,
  kCreateSequence,
  kAlterSequence,
  kCreateEnum,
  kAlterEnum,
  kCreateDomain,
  kDrop,
  kTruncate,
  kRename,
  kAlterOwner,
  kAlterSchema,
  kComment,
  kCreateRole,
  kAlterRole,
  kDropRole,
  kGrant,
  kGrantRole,
  kCreateFunction,
  kCreateExtension,
  // ast_utility.h
  kTransaction,
  kSet,
  kShow,
  kCopy,
  kExplain,
  kPrepare,
  kExecute,
  kDeallocate,
  kDiscard,
  kVacuum,
  kReindex,
  kCheckpoint,
  kLock,
  kDeclareCursor,
  kFetch,
  kCloseCursor,
  kListen,
  kNotify,
  kUnlisten,
  kSetConstraints,
  kDo,
  kCall,
};

struct Statement {
  StatementKind kind;
};
template <StatementKind kThis>
struct StatementOf : Statement {
  static constexpr StatementKind kKind = kThis;
  StatementOf() : Statement{kThis} {}
};

// The node as what its kind says it is. `as` asserts, `find_as` gives null for another kind.
template <class T, class Base>
const T& as(const Base& node) {
  COPPICE_DEBUG_ASSERT(node.kind == T::kKind);
  return static_cast<const T&>(node);
}
template <class T, class Base>
const T* find_as(const Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

// --- shared parts
// ---------------------------------------------------------------------------------

// `numeric(10,2)[]`, `SETOF t`, `t.c%TYPE`. Built-in spellings arrive as pg_catalog names
// (int → {"pg_catalog", "int4"}).
struct TypeName {
  Names names;
  List<const Expr*> modifiers;
  List<std::int32_t> array_bounds;  // one per dimension, -1 where no bound was written
  bool setof = false;
  bool percent_type = false;
  Location location = kNoLocation;
};

struct Alias {
  Name name;
  Names columns;
};

enum class Persistence : char { kPermanent = 'p', kUnlogged = 'u', kTemporary = 't' };

// A relation by name, wherever one is named: FROM, INSERT INTO, CREATE TABLE, DROP's cousins.
struct RelationName {
  Name database;
  Name schema;
  Name name;
  bool only = false;  // ONLY t: without its children
  Persistence persistence = Persistence::kPermanent;
  const Alias* alias = nullptr;
  Location location = kNoLocation;
};

enum class SortDirection : std::uint8_t { kDefault, kAscending, kDescending, kUsing };
enum class NullsOrder : std::uint8_t { kDefault, kFirst, kLast };

struct SortItem {
  const Expr* value = nullptr;
  SortDirection direction = SortDirection::kDefault;
  NullsOrder nulls = NullsOrder::kDefault;
  Names using_operator;
  Location location = kNoLocation;
};

enum class RoleKind : std::uint8_t { kNamed, kCurrentRole, kCurrentUser, kSessionUser, kPublic };
struct RoleName {
  RoleKind kind = RoleKind::kNamed;
  Name name;
  Location location = kNoLocation;
};

// One `name [=] value` of WITH (…), COPY (…), EXPLAIN (…), CREATE DATABASE, sequences, roles.
enum class OptionValue : std::uint8_t {
  kNone,
  kInteger,  // integer
  kNumber,   // text: does not fit int4, or has a fraction
  kText,     // text
  kBoolean,  // integer is 0 or 1
  kStar,
  kType,     // type (also a bare word where one was allowed: names of the type)
  kNames,    // names: a list of words, or one qualified name
  kValues,   // values: a list of constants
  kExpr,     // values[0]
  kRoles,    // roles
  kOptions,  // options: AS … lists of CREATE FUNCTION, SET clauses are kSet
  kSet,      // set: SET name = … inside CREATE/ALTER FUNCTION
};
struct Set;
struct Option {
  Name qualifier;
  Name name;
  OptionValue kind = OptionValue::kNone;
  std::int64_t integer = 0;
  Name text;
  const TypeName* type = nullptr;
  Names names;
  List<const Expr*> values;
  List<RoleName> roles;
  List<Option> options;
  const Set* set = nullptr;
  Location location = kNoLocation;
};

enum class DropBehavior : std::uint8_t { kRestrict, kCascade };

}  // namespace coppice::planner::ast
