// scope.h — the names that an expression can see, level by level.
//
// Role:     a Level is one SELECT, INSERT, UPDATE or DELETE while it is bound: what its FROM
//           offers, its aggregates, its common tables. Names are looked for from the innermost
//           level out; a column of an outer level becomes a parameter of the subquery at each
//           boundary.
// Owns:     names and numbers of columns; levels live on the stack of their binding functions.
// Errors:   42703, 42P01, 42702, 42712.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interfaces/types/plan.h"
#include "modules/planner/bind/expressions.h"

namespace coppice::planner {

struct ScopeColumn {
  std::string name = {};
  TypeOid type = 0;
  std::int32_t modifier = -1;
  std::uint32_t id = 0;
  Oid table = 0;  // 0: not a plain column of a table
  std::int16_t attribute = 0;
  bool hidden = false;  // only by its name, where no other column has it: egid
  std::shared_ptr<const Expression> value = {};  // set: merged by USING, not a column itself
};

// What one FROM item offers.
struct ScopeItem {
  std::string name;    // alias, or the table's name; empty: an unnamed join
  std::string schema;  // of a table without alias
  std::vector<ScopeColumn> columns;
};
struct ScopeEntry {
  std::shared_ptr<ScopeItem> item = {};
  bool columns_visible = true;  // without qualification
  bool name_visible = true;
};
using ScopeEntries = std::vector<ScopeEntry>;

// The values that a subquery takes from outside: the i-th is parameter first_slot + i.
struct OuterValues {
  std::uint32_t first_slot = 0;
  std::vector<ExpressionRef> values;  // of the level around
};
// Subqueries within a subquery take slots, too; so each gets a range at once.
inline constexpr std::uint32_t kOuterValuesMax = 32;

struct AggregateUse {
  AggregateCall call;
  TypeOid type = 0;
  std::uint32_t id = 0;  // the column that it becomes
};

struct CommonTableUse {
  const ast::CommonTable* table = nullptr;
  std::size_t visible = 0;  // common tables before it, which its query sees
};

struct Level {
  Level* outer = nullptr;
  OuterValues* boundary = nullptr;  // set: the root of a subquery expression
  ScopeEntries entries = {};
  std::vector<AggregateUse> aggregates = {};
  std::vector<CommonTableUse> common_tables = {};  // of this level and of those around it
  bool has_aggregates = false;                     // was any bound at this level
  TableInfoRef unreachable = {};                   // INSERT's table: named in hints, never seen
};

struct FoundColumn {
  const ScopeColumn* column = nullptr;
  Level* level = nullptr;
};

// names: {"a"}, {"t", "a"}, {"s", "t", "a"}. Null if there is no such column; 42702 if two.
Result<FoundColumn> find_column(const BindContext& context, Level& level, ast::Names names,
                                ast::Location at);
// 42703 or 42P01, in PostgreSQL's words.
std::unexpected<Error> no_such_column(const BindContext& context, Level& level, ast::Names names,
                                      ast::Location at);
// The column as an expression of `level`.
Result<ExpressionRef> column_expression(BindContext& context, Level& level,
                                        const FoundColumn& found, ast::Location at);

// The item of a qualified star; null if there is none.
const ScopeItem* find_item(const Level& level, std::string_view schema, std::string_view name);

// 42712 if a name stands twice.
Status check_names(const BindContext& context, const ScopeEntries& left, const ScopeEntries& right);

}  // namespace coppice::planner
