// plan.h — query plans: what the planner makes and the executor runs.
//
// Role:     a tree of operators, each giving batches of columns; expressions of a node refer to its
//           input's columns by ordinal (joins: left columns, then right ones).
// Owns:     children and expressions; table infos are shared with the catalog. Immutable once made,
//           so a cached plan runs in several sessions at once.
// Holds:    plans carry no literals' values in their shape: bounds are expressions, evaluated when
//           the plan starts; so one plan serves all parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interfaces/catalog.h"
#include "interfaces/types/expression.h"
#include "kernel/base/ticks.h"

namespace coppice {

struct PlanNode;
using PlanNodeRef = std::shared_ptr<const PlanNode>;

// One index column's restriction.
struct IndexBound {
  ExpressionRef from, to;  // null: open. Equality: from is set, `equal`
  bool equal = false;
  bool from_inclusive = true, to_inclusive = true;
  bool is_null = false;                // the column IS NULL
  bool prefix = false;                 // LIKE with a constant prefix: `from` gives the prefix text
  std::vector<ExpressionRef> in_list;  // equality with any of these; at most one such column
};

// A tree of index conditions; leaves restrict leading columns of one index each.
struct IndexCondition {
  enum class Kind : std::uint8_t { kLeaf, kAnd, kOr } kind = Kind::kLeaf;
  std::shared_ptr<const IndexInfo> index;
  std::vector<IndexBound> bounds;  // one per leading column
  std::vector<IndexCondition> children;
};

struct SortKey {
  ExpressionRef value;
  KeyOrder order;
};

struct AggregateCall {
  const SqlAggregate* aggregate = nullptr;
  std::vector<ExpressionRef> arguments;
  ExpressionRef filter;  // null: none
  bool distinct = false;
};

enum class JoinKind : std::uint8_t { kInner, kLeft, kRight, kFull, kSemi, kAnti };

struct PlanNode {
  enum class Kind : std::uint8_t {
    kValues,      // rows of expressions; no input. One empty row: SELECT without FROM
    kScan,        // table, columns, bounds: in egid order
    kBitmapScan,  // table, condition: rows of index conditions, one batched fetch
    kIndexOrder,  // table, index, bounds, direction: in index order
    kEgidLookup,  // table, `rows` expressions: WHERE egid = n
    kCountOnly,   // count of a condition, from postings alone: one int8 column
    kComputed,    // a virtual relation
    kFunction,    // a set-returning function
    kFilter,
    kProject,
    kHashJoin,    // keys
    kLookupJoin,  // for each left batch, index look-ups into table
    kNestedLoop,  // any condition; the right side is materialised
    kAggregate,   // groups, calls: columns are the groups, then the calls
    kDistinct,
    kSort,  // sort_keys; `limit` set: top-N
    kLimit,
    kAppend,  // UNION ALL
    kInsert,  // into table; projections of the input
    kUpdate,  // input begins with `columns` of the old row and its egid
    kDelete,  // the same
  };

  Kind kind = Kind::kValues;
  std::vector<TypeOid> types;  // of the output columns
  std::vector<std::int32_t> modifiers;
  std::vector<PlanNodeRef> inputs;
  double rows_estimate = 0, cost_estimate = 0;

  // Scans: output is `columns` (attributes of the table), then egid (int8) if with_egid.
  TableInfoRef table;
  std::vector<std::int16_t> columns;
  bool with_egid = false;
  IndexCondition condition;  // kBitmapScan, kIndexOrder (leaf), kCountOnly, kLookupJoin (leaf;
                             // bounds refer to the left input's columns)
  Direction direction = Direction::kForward;
  ExpressionRef filter;  // scans, joins, kFilter: what a row must satisfy; null: all

  std::vector<std::vector<ExpressionRef>> rows;  // kValues; kEgidLookup: one row of ids
  std::vector<RowBatch> batches;                 // kValues: its rows in columns, after `rows`
  std::vector<ExpressionRef> projections;        // kProject; kFunction: arguments
  const SqlFunction* function = nullptr;         // kFunction

  JoinKind join = JoinKind::kInner;
  std::vector<ExpressionRef> left_keys,
      right_keys;  // kHashJoin; right ones on the right input's columns

  std::vector<ExpressionRef> groups;
  std::vector<AggregateCall> calls;

  std::vector<SortKey> sort_keys;  // also kDistinct with DISTINCT ON semantics: not yet
  ExpressionRef limit, offset;     // int8; null: none

  // Changes. kInsert: `columns` are all live attributes, projections[i] (on the input) is the value
  // of columns[i]. kUpdate, kDelete: the input's first columns are `columns` of the old row, then
  // its egid, then whatever the expressions need (more joined columns); `columns` has at least
  // what the changed indexes and `returning` need. kUpdate: projections are parallel to `assigned`.
  // `returning` sees `columns`, then egid: of the new row, for kDelete of the old one.
  std::vector<std::int16_t> assigned;
  std::vector<ExpressionRef> returning;
  bool has_returning = false;
};

// Figures of one operator, for EXPLAIN ANALYZE.
struct OperatorStats {
  const PlanNode* node = nullptr;
  std::uint64_t rows = 0, batches = 0, loops = 0;
  Ticks ticks = 0;
};

struct OutputColumn {
  std::string name;
  Oid table = 0;
  std::int16_t attribute = 0;
};

// A whole statement that gives or changes rows.
struct QueryPlan {
  enum class Command : std::uint8_t {
    kSelect,
    kInsert,
    kUpdate,
    kDelete
  } command = Command::kSelect;
  PlanNodeRef root;
  std::vector<OutputColumn> output;  // empty: no rows for the client
  std::vector<TypeOid> parameter_types;
  std::uint32_t parameter_slots = 0;  // statement's parameters, then subplans' outer values
  std::uint64_t catalog_version = 0;  // replan when the view's differs
  std::vector<TableInfoRef> tables;   // with what must be locked for the statement
  std::vector<RelationLock> locks;    // parallel to tables
};

}  // namespace coppice
