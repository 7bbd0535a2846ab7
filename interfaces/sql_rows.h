// sql_rows.h — functions, operators, casts and aggregates as table rows, and their way into a
// registry.
//
// Role:     what a pack's tables are written in; the numbers and names are pg_proc's,
//           pg_operator's and pg_cast's, so a table can be compared with PostgreSQL's.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "interfaces/sql_pack.h"

namespace coppice {

struct FunctionRow {
  FunctionOid oid;
  std::string_view name;
  TypeOid result;
  std::array<TypeOid, 6> arguments;  // up to the first zero
  ScalarKernel kernel;
  Volatility volatility = Volatility::kImmutable;
  bool strict = true;
  bool variadic = false;
  bool any_as_text = false;
};

struct OperatorRow {
  std::uint32_t oid;
  std::string_view name;
  TypeOid left, right, result;
  FunctionOid function;  // added before
  std::string_view commutator, negator;
};

struct CastRow {
  TypeOid from, to;
  CastContext context;
  FunctionOid function;  // 0: binary-coercible
};

struct AggregateRow {
  FunctionOid oid;
  std::string_view name;
  TypeOid result;
  TypeOid argument;  // 0: none
  AggregateFactory make;
};

void add_rows(SqlRegistry& registry, std::span<const FunctionRow> rows);
// Comparisons of two values serve an index by their name (=, <, …), ~~ by its prefix.
void add_rows(SqlRegistry& registry, std::span<const OperatorRow> rows);
void add_rows(SqlRegistry& registry, std::span<const CastRow> rows);
void add_rows(SqlRegistry& registry, std::span<const AggregateRow> rows);

}  // namespace coppice
