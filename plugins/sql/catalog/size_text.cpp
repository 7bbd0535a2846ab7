// size_text.cpp — sizes of relations and databases, and pg_size_pretty.
//
// Source:   PostgreSQL 15, dbsize.c.
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/catalog/answers.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kInt8;
using type_oid::kName;
using type_oid::kOid;
using type_oid::kRegclass;
using type_oid::kText;

struct SizeUnit {
  std::string_view name;
  std::int64_t limit;    // shown in this unit while below it
  bool round;            // the number at hand counts halves
  unsigned shift_after;  // to come to the next unit
};
constexpr std::array kUnits = {
    SizeUnit{"bytes", 10 * 1024, false, 9},  SizeUnit{"kB", 20 * 1024 - 1, true, 10},
    SizeUnit{"MB", 20 * 1024 - 1, true, 10}, SizeUnit{"GB", 20 * 1024 - 1, true, 10},
    SizeUnit{"TB", 20 * 1024 - 1, true, 10}, SizeUnit{"PB", 20 * 1024 - 1, true, 0},
};

std::int64_t half_rounded(std::int64_t value) {
  return (value + (value < 0 ? -1 : 1)) / 2;
}

std::string pretty(std::int64_t size) {
  for (std::size_t i = 0;; ++i) {
    const SizeUnit& unit = kUnits[i];
    const bool last = i + 1 == kUnits.size();
    const std::int64_t magnitude = size == INT64_MIN ? INT64_MAX : size < 0 ? -size : size;
    if (last || magnitude < unit.limit)
      return std::to_string(unit.round ? half_rounded(size) : size) + " " + std::string(unit.name);
    size /= std::int64_t{1} << unit.shift_after;
  }
}

Status size_pretty(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  const Argument<std::int64_t> sizes(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    to = pretty(sizes[row]);
    return {};
  });
}

constexpr Volatility kVolatile = Volatility::kVolatile;
constexpr std::array kFunctions = {
    FunctionRow{2288, "pg_size_pretty", kText, {kInt8}, size_pretty},
    FunctionRow{
        2325, "pg_relation_size", kInt8, {kRegclass}, answer_kernel<"pg_relation_size">, kVolatile},
    FunctionRow{2332,
                "pg_relation_size",
                kInt8,
                {kRegclass, kText},
                answer_kernel<"pg_relation_size">,
                kVolatile},
    FunctionRow{
        2997, "pg_table_size", kInt8, {kRegclass}, answer_kernel<"pg_table_size">, kVolatile},
    FunctionRow{
        2998, "pg_indexes_size", kInt8, {kRegclass}, answer_kernel<"pg_indexes_size">, kVolatile},
    FunctionRow{2286,
                "pg_total_relation_size",
                kInt8,
                {kRegclass},
                answer_kernel<"pg_total_relation_size">,
                kVolatile},
    FunctionRow{
        2324, "pg_database_size", kInt8, {kOid}, answer_kernel<"pg_database_size">, kVolatile},
    FunctionRow{
        2168, "pg_database_size", kInt8, {kName}, answer_kernel<"pg_database_size">, kVolatile},
};

}  // namespace

void add_size_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_catalog
