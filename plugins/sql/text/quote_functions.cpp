// quote_functions.cpp — quote_ident and relatives, concat, concat_ws, format.
//
// Source:   PostgreSQL 15, quote.c, ruleutils.c, varlena.c.
#include <algorithm>
#include <charconv>
#include <limits>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/format_text.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_parts.h"

namespace coppice::sql_text {
namespace {

using type_oid::kAny;
using type_oid::kAnyelement;
using type_oid::kAnynonarray;
using type_oid::kText;

Status quote_ident(std::string& to, std::string_view name) {
  return append_identifier(name, to);
}
Status quote_literal(std::string& to, std::string_view text) {
  return append_literal(text, to);
}
Status quote_nullable(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                      std::uint32_t size, VectorBuffer& out) {
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    if (!arguments[0].is_null(row)) return append_literal(as_text(arguments[0].bytes_at(row)), to);
    to = "NULL";
    return {};
  });
}

Status concat(CallContext&, std::span<const Vector> arguments, const Selection& rows,
              std::uint32_t size, VectorBuffer& out) {
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    COPPICE_TRY(detail::check_batch_bytes(out));
    for (const Vector& argument : arguments)
      if (!argument.is_null(row)) COPPICE_TRY(append_bounded(to, as_text(argument.bytes_at(row))));
    return {};
  });
}

Status concat_ws(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                 std::uint32_t size, VectorBuffer& out) {
  const std::uint32_t base = out.size();
  COPPICE_TRY(each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    COPPICE_TRY(detail::check_batch_bytes(out));
    if (arguments[0].is_null(row)) return {};
    const std::string_view separator = as_text(arguments[0].bytes_at(row));
    bool first = true;
    for (const Vector& argument : arguments.subspan(1)) {
      if (argument.is_null(row)) continue;
      if (!first) COPPICE_TRY(append_bounded(to, separator));
      first = false;
      COPPICE_TRY(append_bounded(to, as_text(argument.bytes_at(row))));
    }
    return {};
  }));
  rows.for_each([&](std::uint32_t row) {
    if (arguments[0].is_null(row)) out.set_null(base + row);
  });
  return {};
}

Status format(CallContext&, std::span<const Vector> arguments, const Selection& rows,
              std::uint32_t size, VectorBuffer& out) {
  const std::uint32_t base = out.size();
  std::vector<std::optional<std::string_view>> values;
  COPPICE_TRY(each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    COPPICE_TRY(detail::check_batch_bytes(out));
    if (arguments[0].is_null(row)) return {};
    values.clear();
    for (const Vector& argument : arguments.subspan(1))
      values.push_back(argument.is_null(row) ? std::optional<std::string_view>()
                                             : std::optional(as_text(argument.bytes_at(row))));
    return append_format(as_text(arguments[0].bytes_at(row)), values, to);
  }));
  rows.for_each([&](std::uint32_t row) {
    if (arguments[0].is_null(row)) out.set_null(base + row);
  });
  return {};
}

Status join_texts(std::string& to, std::string_view a, std::string_view b) {
  COPPICE_TRY(append_bounded(to, a));
  return append_bounded(to, b);
}

constexpr Volatility kStable = Volatility::kStable;
constexpr std::array kFunctions = {
    FunctionRow{1282, "quote_ident", kText, {kText}, kCall<quote_ident>},
    FunctionRow{1283, "quote_literal", kText, {kText}, kCall<quote_literal>},
    FunctionRow{1285,
                "quote_literal",
                kText,
                {kAnyelement},
                kCall<quote_literal>,
                kStable,
                true,
                false,
                true},
    FunctionRow{
        1289, "quote_nullable", kText, {kText}, quote_nullable, Volatility::kImmutable, false},
    FunctionRow{
        1290, "quote_nullable", kText, {kAnyelement}, quote_nullable, kStable, false, false, true},
    FunctionRow{3058, "concat", kText, {kAny}, concat, kStable, false, true, true},
    FunctionRow{3059, "concat_ws", kText, {kText, kAny}, concat_ws, kStable, false, true, true},
    FunctionRow{3539, "format", kText, {kText, kAny}, format, kStable, false, true, true},
    FunctionRow{3540, "format", kText, {kText}, format, kStable, false},
    FunctionRow{2003,
                "textanycat",
                kText,
                {kText, kAnynonarray},
                kCall<join_texts>,
                kStable,
                true,
                false,
                true},
    FunctionRow{2004,
                "anytextcat",
                kText,
                {kAnynonarray, kText},
                kCall<join_texts>,
                kStable,
                true,
                false,
                true},
};

}  // namespace

void add_quote_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
