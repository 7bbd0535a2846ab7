// ast_query.h — SELECT, INSERT, UPDATE, DELETE, MERGE and what stands in FROM.
#pragma once

#include "modules/planner/parse/ast_expression.h"

namespace coppice::planner::ast {

// --- FROM
// -----------------------------------------------------------------------------------------

enum class FromKind : std::uint8_t { kTable, kSubquery, kFunction, kJoin, kSample };

struct FromItem {
  FromKind kind;
  const Alias* alias = nullptr;
  Location location = kNoLocation;
};
template <FromKind kThis>
struct FromItemOf : FromItem {
  static constexpr FromKind kKind = kThis;
  FromItemOf() : FromItem{kThis} {}
};

struct ColumnDefinition;

struct FromTable final : FromItemOf<FromKind::kTable> {
  const RelationName* table = nullptr;  // its alias is the item's
};

struct FromSubquery final : FromItemOf<FromKind::kSubquery> {
  bool lateral = false;
  const Select* select = nullptr;  // VALUES too
};

struct RowsFrom {
  const Expr* call = nullptr;  // a FunctionCall, or what looks like one (CURRENT_DATE, COALESCE …)
  List<const ColumnDefinition*> columns;  // f() AS (a int, b text)
};
struct FromFunction final : FromItemOf<FromKind::kFunction> {
  bool lateral = false;
  bool ordinality = false;
  bool rows_from = false;                 // ROWS FROM (…) was written
  List<RowsFrom> functions;               // one, unless rows_from
  List<const ColumnDefinition*> columns;  // f() AS x (a int, b text)
};

enum class JoinKind : std::uint8_t { kInner, kLeft, kRight, kFull };  // CROSS: kInner, no condition
struct FromJoin final : FromItemOf<FromKind::kJoin> {
  JoinKind type = JoinKind::kInner;
  bool natural = false;
  const FromItem* left = nullptr;
  const FromItem* right = nullptr;
  const Expr* on = nullptr;
  Names using_columns;
  const Alias* using_alias = nullptr;  // USING (a) AS x
};

struct FromSample final : FromItemOf<FromKind::kSample> {  // t TABLESAMPLE method (…)
  const FromItem* item = nullptr;
  Names method;
  List<const Expr*> arguments;
  const Expr* repeatable = nullptr;
};

// --- clauses
// --------------------------------------------------------------------------------------

// A select item, a RETURNING item, an INSERT column, or `name[steps] = value` of a SET list.
struct Target {
  Name name;  // the alias, or the column assigned to
  List<Step> steps;
  const Expr* value = nullptr;  // null for INSERT columns
  Location location = kNoLocation;
};

enum class FrameUnit : std::uint8_t { kRange, kRows, kGroups };
enum class FrameBound : std::uint8_t {
  kUnboundedPreceding,
  kOffsetPreceding,
  kCurrentRow,
  kOffsetFollowing,
  kUnboundedFollowing,
};
enum class FrameExclusion : std::uint8_t { kNone, kCurrentRow, kGroup, kTies };
struct Window {
  Name name;       // WINDOW name AS (…), or OVER name
  Name reference;  // OVER (reference …)
  List<const Expr*> partition_by;
  List<SortItem> order_by;
  bool frame_given = false;
  FrameUnit unit = FrameUnit::kRange;
  FrameBound start = FrameBound::kUnboundedPreceding;
  FrameBound end = FrameBound::kCurrentRow;
  FrameExclusion exclusion = FrameExclusion::kNone;
  const Expr* start_offset = nullptr;
  const Expr* end_offset = nullptr;
  Location location = kNoLocation;
};

enum class LockStrength : std::uint8_t { kKeyShare, kShare, kNoKeyUpdate, kUpdate };
enum class LockWait : std::uint8_t { kBlock, kSkip, kError };
struct RowLocking {
  LockStrength strength = LockStrength::kUpdate;
  LockWait wait = LockWait::kBlock;
  List<const RelationName*> relations;  // OF …; empty: all
};

enum class Materialize : std::uint8_t { kDefault, kAlways, kNever };
struct SearchClause {  // SEARCH BREADTH FIRST BY a SET seq
  Names columns;
  bool breadth_first = false;
  Name sequence_column;
  Location location = kNoLocation;
};
struct CycleClause {  // CYCLE a SET mark TO v DEFAULT d USING path
  Names columns;
  Name mark_column;
  const Expr* mark_value = nullptr;
  const Expr* mark_default = nullptr;
  Name path_column;
  Location location = kNoLocation;
};
struct CommonTable {
  Name name;
  Names columns;
  Materialize materialize = Materialize::kDefault;
  const Statement* query = nullptr;  // Select, Insert, Update, Delete
  const SearchClause* search = nullptr;
  const CycleClause* cycle = nullptr;
  Location location = kNoLocation;
};
struct With {
  bool recursive = false;
  List<CommonTable> tables;
  Location location = kNoLocation;
};

enum class OnCommit : std::uint8_t { kNone, kPreserveRows, kDeleteRows, kDrop };
struct IntoTable {  // SELECT INTO, CREATE TABLE … AS, CREATE MATERIALIZED VIEW
  const RelationName* table = nullptr;
  Names columns;
  Name access_method;
  List<Option> options;
  OnCommit on_commit = OnCommit::kNone;
  Name tablespace;
  bool no_data = false;  // WITH NO DATA
};

// --- statements
// -----------------------------------------------------------------------------------

enum class SetKind : std::uint8_t { kNone, kUnion, kIntersect, kExcept };

// One of three: a set operation (set_kind; left, right), VALUES (values), or a plain SELECT. ORDER
// BY, LIMIT, FOR UPDATE and WITH belong to any of them.
struct Select final : StatementOf<StatementKind::kSelect> {
  const With* with = nullptr;

  bool distinct = false;
  List<const Expr*> distinct_on;
  List<Target> targets;  // may be empty: SELECT FROM t
  const IntoTable* into = nullptr;
  List<const FromItem*> from;
  const Expr* where = nullptr;
  List<const Expr*> group_by;  // may hold GroupingSets
  bool group_distinct = false;
  const Expr* having = nullptr;
  List<Window> windows;

  List<List<const Expr*>> values;

  SetKind set_kind = SetKind::kNone;
  bool set_all = false;
  const Select* left = nullptr;
  const Select* right = nullptr;

  List<SortItem> order_by;
  const Expr* offset = nullptr;
  const Expr* limit = nullptr;  // LIMIT ALL is a NULL constant
  bool limit_with_ties = false;
  List<RowLocking> locking;
};

enum class ConflictAction : std::uint8_t { kNothing, kUpdate };
struct IndexElement {
  Name column;                  // or
  const Expr* value = nullptr;  // an expression
  Names collation;
  Names operator_class;
  List<Option> operator_class_options;
  SortDirection direction = SortDirection::kDefault;
  NullsOrder nulls = NullsOrder::kDefault;
};
struct OnConflict {
  ConflictAction action = ConflictAction::kNothing;
  List<IndexElement> elements;  // ON CONFLICT (…)
  const Expr* elements_where = nullptr;
  Name constraint;  // ON CONFLICT ON CONSTRAINT …
  List<Target> sets;
  const Expr* where = nullptr;
  Location location = kNoLocation;
};

enum class Overriding : std::uint8_t { kNone, kUserValue, kSystemValue };
struct Insert final : StatementOf<StatementKind::kInsert> {
  const With* with = nullptr;
  const RelationName* table = nullptr;
  List<Target> columns;  // empty: all
  Overriding overriding = Overriding::kNone;
  const Select* source = nullptr;  // null: DEFAULT VALUES
  const OnConflict* on_conflict = nullptr;
  List<Target> returning;
};

struct Update final : StatementOf<StatementKind::kUpdate> {
  const With* with = nullptr;
  const RelationName* table = nullptr;
  List<Target> sets;
  List<const FromItem*> from;
  const Expr* where = nullptr;
  List<Target> returning;
};

struct Delete final : StatementOf<StatementKind::kDelete> {
  const With* with = nullptr;
  const RelationName* table = nullptr;
  List<const FromItem*> using_items;
  const Expr* where = nullptr;
  List<Target> returning;
};

enum class MergeAction : std::uint8_t { kNothing, kInsert, kUpdate, kDelete };
struct MergeWhen {
  bool matched = false;
  MergeAction action = MergeAction::kNothing;
  const Expr* condition = nullptr;
  List<Target> targets;  // INSERT's columns, UPDATE's sets
  Overriding overriding = Overriding::kNone;
  List<const Expr*> values;  // empty: DEFAULT VALUES
};
struct Merge final : StatementOf<StatementKind::kMerge> {
  const With* with = nullptr;
  const RelationName* table = nullptr;
  const FromItem* source = nullptr;
  const Expr* on = nullptr;
  List<MergeWhen> whens;
};

}  // namespace coppice::planner::ast
