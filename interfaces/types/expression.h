// expression.h — bound, typed expressions: what the binder makes and the executor evaluates.
//
// Role:     every name is resolved, every operator is a function of the registry, every implicit
// cast
//           is a call. Only what evaluates lazily or handles NULL its own way has a kind.
// Owns:     its children. Functions and types point into the SqlRegistry.
// Holds:    depth at most kExpressionDepthMax; AND, OR and IN are n-ary so that long lists stay
// flat.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interfaces/sql_pack.h"
#include "interfaces/types/datum.h"

namespace coppice {

inline constexpr unsigned kExpressionDepthMax = 1000;

// A Datum that owns its bytes.
struct Value {
  PhysicalType type = PhysicalType::kInt64;
  bool null = true;
  Int128 bits = 0;
  std::string bytes;

  Value() = default;
  explicit Value(const Datum& from)
      : type(from.type), null(from.null), bits(from.bits), bytes(as_text(from.bytes)) {}
  Datum datum() const { return {type, null, bits, as_bytes(bytes)}; }
};

struct PlanNode;
struct Expression;
using ExpressionRef = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    kConstant,   // value
    kColumn,     // ordinal: of the input batch
    kParameter,  // ordinal: 0-based; a statement's $n or a subplan's outer value
    kCall,       // function(arguments); strict functions are NULL when an argument is
    kAnd,        // three-valued, short-circuit over arguments
    kOr,
    kNot,
    kIsNull,
    kIsNotNull,
    kDistinct,  // arguments[0] IS DISTINCT FROM arguments[1], by the type's equality
    kCase,      // arguments: when, then, when, then, …, [else]
    kCoalesce,
    kInList,          // arguments[0] IN (the rest), all of one type, by the type's equality
    kScalarSubquery,  // one column of at most one row of `subplan`, 21000 for more; NULL for none
    kExists,
    kInSubquery,     // arguments[0] IN (subplan)
    kTextCast,       // arguments[0] written as text by its type, read by `type` with `modifier`
    kArrayAny,       // arguments[0] = ANY (arguments[1]); kept for array types
    kArray,          // ARRAY[arguments …], by the type's pack()
    kSubscript,      // arguments[0][arguments[1]], NULL outside of the array
    kArraySubquery,  // one column of all rows of `subplan`, as an array
  };

  Kind kind = Kind::kConstant;
  TypeOid type = 0;
  std::int32_t modifier = -1;
  PhysicalType physical = PhysicalType::kInt64;
  std::int32_t location = -1;  // byte offset in the statement's text, for errors; -1: unknown

  Value value;                            // kConstant
  std::uint32_t ordinal = 0;              // kColumn, kParameter
  const SqlFunction* function = nullptr;  // kCall
  std::vector<ExpressionRef> arguments;
  // Subqueries: `outer[i]` is evaluated on the row at hand and given to the subplan as parameter
  // first_parameter + i. None: the subplan runs once per statement.
  std::shared_ptr<const PlanNode> subplan;
  std::vector<ExpressionRef> outer;
  std::uint32_t first_parameter = 0;

  ExpressionRef clone() const;
};

}  // namespace coppice
