// ast_expression.h — the expressions of the syntax tree, one struct per kind.
#pragma once

#include "modules/planner/parse/ast_node.h"

namespace coppice::planner::ast {

struct Select;
struct Window;

// A literal. As PostgreSQL types them: an integer is int4 when it fits, else int8; longer ones and
// those with a fraction or exponent are numeric; text is `unknown`. A minus sign before a number
// belongs to it, and the location is then the sign's.
enum class ConstantKind : std::uint8_t {
  kNull,
  kInteger,  // integer
  kNumeric,  // text: digits, with '.', exponent and leading '-' as written
  kText,     // text
  kBoolean,  // integer is 0 or 1
  kBits,     // text: 'b' or 'x', then the digits of B'…' or X'…'
};
struct Constant final : ExprOf<ExprKind::kConstant> {
  ConstantKind type = ConstantKind::kNull;
  std::int64_t integer = 0;
  Name text;
};

struct Parameter final : ExprOf<ExprKind::kParameter> {  // $1
  int number = 0;
};

struct ColumnRef final : ExprOf<ExprKind::kColumnRef> {  // a, t.a, s.t.a, *, t.*
  Names names;
  bool star = false;
};

struct Operator final : ExprOf<ExprKind::kOperator> {  // left + right, - right, OPERATOR(s.+)
  Names name;
  const Expr* left = nullptr;  // null: a prefix operator
  const Expr* right = nullptr;
};

struct ArrayComparison final : ExprOf<ExprKind::kArrayComparison> {  // left = ANY (array)
  Names name;
  bool all = false;
  const Expr* left = nullptr;
  const Expr* array = nullptr;
};

struct DistinctFrom final : ExprOf<ExprKind::kDistinctFrom> {
  bool negated = false;  // IS NOT DISTINCT FROM
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};

struct NullIf final : ExprOf<ExprKind::kNullIf> {
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};

struct InList final : ExprOf<ExprKind::kInList> {  // value [NOT] IN (items); see also Subquery
  bool negated = false;
  const Expr* value = nullptr;
  List<const Expr*> items;
};

enum class LikeKind : std::uint8_t { kLike, kILike, kSimilar };
struct Like final : ExprOf<ExprKind::kLike> {
  LikeKind type = LikeKind::kLike;
  bool negated = false;
  const Expr* value = nullptr;
  const Expr* pattern = nullptr;  // with ESCAPE: a call of pg_catalog.like_escape
                                  // SIMILAR: always a call of pg_catalog.similar_to_escape
};

struct Between final : ExprOf<ExprKind::kBetween> {
  bool negated = false;
  bool symmetric = false;
  const Expr* value = nullptr;
  const Expr* low = nullptr;
  const Expr* high = nullptr;
};

enum class LogicalKind : std::uint8_t { kAnd, kOr, kNot };
struct Logical final : ExprOf<ExprKind::kLogical> {  // a AND b AND c is one node of three
  LogicalKind type = LogicalKind::kAnd;
  List<const Expr*> items;
};

struct Cast final : ExprOf<ExprKind::kCast> {  // x::t, CAST(x AS t), t 'text'
  const Expr* value = nullptr;
  const TypeName* type = nullptr;
};

struct Collate final : ExprOf<ExprKind::kCollate> {
  const Expr* value = nullptr;
  Names collation;
};

struct FunctionCall final : ExprOf<ExprKind::kFunctionCall> {
  Names name;
  List<const Expr*> arguments;
  List<SortItem> order_by;
  const Expr* filter = nullptr;
  const Window* over = nullptr;
  bool star = false;          // count(*)
  bool distinct = false;      // count(DISTINCT x)
  bool variadic = false;      // f(VARIADIC array)
  bool within_group = false;  // order_by came from WITHIN GROUP
  bool sql_syntax = false;    // EXTRACT(… FROM …), TRIM(…), AT TIME ZONE …
};

struct NamedArgument final : ExprOf<ExprKind::kNamedArgument> {  // name => value
  Name name;
  const Expr* value = nullptr;
};

enum class StepKind : std::uint8_t { kField, kStar, kSubscript, kSlice };
struct Step {
  StepKind kind = StepKind::kField;
  Name field;
  const Expr* lower = nullptr;  // slices; may be null
  const Expr* upper = nullptr;  // the subscript; of slices, may be null
};
struct Indirection final : ExprOf<ExprKind::kIndirection> {  // a[1], (row).field, (row).*
  const Expr* value = nullptr;
  List<Step> steps;
};

struct Array final : ExprOf<ExprKind::kArray> {  // ARRAY[…]; elements may be Arrays
  List<const Expr*> elements;
};

struct Row final : ExprOf<ExprKind::kRow> {  // ROW(…), (a, b)
  List<const Expr*> items;
  bool keyword = false;  // ROW was written
};

struct When {
  const Expr* condition = nullptr;  // of CASE x WHEN v: the v
  const Expr* result = nullptr;
  Location location = kNoLocation;
};
struct Case final : ExprOf<ExprKind::kCase> {
  const Expr* value = nullptr;
  List<When> whens;
  const Expr* otherwise = nullptr;
};

struct Coalesce final : ExprOf<ExprKind::kCoalesce> {
  List<const Expr*> items;
};

struct MinMax final : ExprOf<ExprKind::kMinMax> {
  bool greatest = false;
  List<const Expr*> items;
};

enum class SubqueryKind : std::uint8_t { kScalar, kExists, kAny, kAll, kArray };
struct Subquery final : ExprOf<ExprKind::kSubquery> {
  SubqueryKind type = SubqueryKind::kScalar;
  const Expr* value = nullptr;  // kAny, kAll
  Names name;                   // their operator; empty means `value IN (SELECT …)`, that is "="
  const Select* select = nullptr;
};

enum class SqlValueKind : std::uint8_t {
  kCurrentDate,
  kCurrentTime,
  kCurrentTimestamp,
  kLocalTime,
  kLocalTimestamp,
  kCurrentRole,
  kCurrentUser,
  kUser,
  kSessionUser,
  kCurrentCatalog,
  kCurrentSchema,
};
struct SqlValue final : ExprOf<ExprKind::kSqlValue> {
  SqlValueKind type = SqlValueKind::kCurrentDate;
  int precision = -1;  // CURRENT_TIMESTAMP(3); -1: none
};

struct NullTest final : ExprOf<ExprKind::kNullTest> {
  bool negated = false;  // IS NOT NULL
  const Expr* value = nullptr;
};

enum class TruthValue : std::uint8_t { kTrue, kFalse, kUnknown };
struct BooleanTest final : ExprOf<ExprKind::kBooleanTest> {
  TruthValue truth = TruthValue::kTrue;
  bool negated = false;
  const Expr* value = nullptr;
};

struct Default final : ExprOf<ExprKind::kDefault> {};  // DEFAULT as a value

struct CurrentOf final : ExprOf<ExprKind::kCurrentOf> {  // WHERE CURRENT OF cursor
  Name cursor;
};

struct MultiAssign final : ExprOf<ExprKind::kMultiAssign> {  // UPDATE … SET (a, b) = source
  const Expr* source = nullptr;  // only in the first of the group; the others have null
  int column = 0;                // 1-based
  int columns = 0;
};

struct Grouping final : ExprOf<ExprKind::kGrouping> {  // GROUPING(a, b)
  List<const Expr*> items;
};

enum class GroupingSetKind : std::uint8_t { kEmpty, kRollup, kCube, kSets };
struct GroupingSet final : ExprOf<ExprKind::kGroupingSet> {  // only in GROUP BY
  GroupingSetKind type = GroupingSetKind::kEmpty;
  List<const Expr*> items;
};

}  // namespace coppice::planner::ast
