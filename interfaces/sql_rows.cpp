// sql_rows.cpp — table rows into a registry.
#include "interfaces/sql_rows.h"

#include "kernel/base/assert.h"

namespace coppice {
namespace {

IndexStrategy strategy_of(const OperatorRow& row) {
  if (row.result != type_oid::kBool || row.left == 0) return IndexStrategy::kNone;
  if (row.name == "<") return IndexStrategy::kLess;
  if (row.name == "<=") return IndexStrategy::kLessEqual;
  if (row.name == "=") return IndexStrategy::kEqual;
  if (row.name == ">=") return IndexStrategy::kGreaterEqual;
  if (row.name == ">") return IndexStrategy::kGreater;
  if (row.name == "~~" && row.left != type_oid::kBytea) return IndexStrategy::kPrefix;
  return IndexStrategy::kNone;
}

const SqlFunction* function_of(const SqlRegistry& registry, FunctionOid oid) {
  const SqlFunction* const found = registry.find_function(oid);
  COPPICE_ASSERT(found != nullptr);
  return found;
}

}  // namespace

void add_rows(SqlRegistry& registry, std::span<const FunctionRow> rows) {
  for (const FunctionRow& row : rows) {
    SqlFunction function;
    function.oid = row.oid;
    function.name = row.name;
    for (const TypeOid argument : row.arguments)
      if (argument != 0) function.arguments.push_back(argument);
    function.variadic = row.variadic;
    function.any_as_text = row.any_as_text;
    function.result = row.result;
    function.strict = row.strict;
    function.volatility = row.volatility;
    function.kernel = row.kernel;
    registry.add(std::move(function));
  }
}

void add_rows(SqlRegistry& registry, std::span<const OperatorRow> rows) {
  for (const OperatorRow& row : rows) {
    SqlOperator op;
    op.oid = row.oid;
    op.name = row.name;
    op.left = row.left;
    op.right = row.right;
    op.result = row.result;
    op.function = function_of(registry, row.function);
    op.commutator = row.commutator;
    op.negator = row.negator;
    op.strategy = strategy_of(row);
    registry.add(std::move(op));
  }
}

void add_rows(SqlRegistry& registry, std::span<const CastRow> rows) {
  for (const CastRow& row : rows) {
    const SqlFunction* const function =
        row.function == 0 ? nullptr : function_of(registry, row.function);
    registry.add(SqlCast{row.from, row.to, row.context, function});
  }
}

void add_rows(SqlRegistry& registry, std::span<const AggregateRow> rows) {
  for (const AggregateRow& row : rows) {
    SqlAggregate aggregate;
    aggregate.oid = row.oid;
    aggregate.name = row.name;
    if (row.argument != 0) aggregate.arguments.push_back(row.argument);
    aggregate.result = row.result;
    aggregate.make = row.make;
    registry.add(std::move(aggregate));
  }
}

}  // namespace coppice
