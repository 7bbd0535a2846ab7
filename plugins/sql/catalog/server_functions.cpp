// server_functions.cpp — functions about the server and the session: the session answers.
#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/answers.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kBool;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kName;
using type_oid::kOid;
using type_oid::kText;
using type_oid::kTimestamptz;

constexpr TypeOid kXid = 28, kCid = 29, kTid = 27, kAclitem = 1033, kPgLsn = 3220,
                  kNameArray = 1003, kPgNodeTree = 194;
constexpr Volatility kStable = Volatility::kStable, kVolatile = Volatility::kVolatile;

// By number: pg_encoding_to_char(6) is UTF8.
constexpr std::array<std::string_view, 42> kEncodings = {
    "SQL_ASCII", "EUC_JP",        "EUC_CN",     "EUC_KR",     "EUC_TW",     "EUC_JIS_2004",
    "UTF8",      "MULE_INTERNAL", "LATIN1",     "LATIN2",     "LATIN3",     "LATIN4",
    "LATIN5",    "LATIN6",        "LATIN7",     "LATIN8",     "LATIN9",     "LATIN10",
    "WIN1256",   "WIN1258",       "WIN866",     "WIN874",     "KOI8R",      "WIN1251",
    "WIN1252",   "ISO_8859_5",    "ISO_8859_6", "ISO_8859_7", "ISO_8859_8", "WIN1250",
    "WIN1253",   "WIN1254",       "WIN1255",    "WIN1257",    "KOI8U",      "SJIS",
    "BIG5",      "GBK",           "UHC",        "GB18030",    "JOHAB",      "SHIFT_JIS_2004"};

Status encoding_name(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
  const Argument<std::int32_t> numbers(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const std::int32_t number = numbers[row];
    if (number >= 0 && static_cast<std::size_t>(number) < kEncodings.size())
      to = kEncodings[static_cast<std::size_t>(number)];
    return {};
  });
}

Status encoding_number(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                       std::uint32_t size, VectorBuffer& out) {
  const Argument<std::string_view> names(arguments[0]);
  const auto same_letter = [](char a, char b) { return ascii_lower(a) == ascii_lower(b); };
  return each_fixed<std::int32_t>(
      rows, size, out, [&](std::uint32_t row, std::int32_t& number) -> Status {
        const std::string_view name = names[row];
        const auto* const found = std::ranges::find_if(kEncodings, [&](std::string_view known) {
          return std::ranges::equal(known, name, same_letter);
        });
        number =
            found == kEncodings.end() ? -1 : static_cast<std::int32_t>(found - kEncodings.begin());
        return {};
      });
}

Status database_encoding(CallContext&, std::span<const Vector>, const Selection& rows,
                         std::uint32_t size, VectorBuffer& out) {
  return each_bytes(rows, size, out, [](std::uint32_t, std::string& to) -> Status {
    to = "UTF8";
    return {};
  });
}

Status always_false(CallContext&, std::span<const Vector>, const Selection&, std::uint32_t size,
                    VectorBuffer& out) {
  std::fill_n(out.append_values<std::uint8_t>(size), size, std::uint8_t{0});
  return {};
}

Status no_oid(CallContext&, std::span<const Vector>, const Selection&, std::uint32_t size,
              VectorBuffer& out) {
  std::fill_n(out.append_values<std::uint32_t>(size), size, std::uint32_t{0});
  return {};
}

Error no_such_setting(std::string_view name) {
  return sql_error("42704", "unrecognized configuration parameter \"" + std::string(name) + "\"");
}

// current_setting(name [, missing_ok]), set_config(name, value, is_local): asked by row, and what
// has no answer is an error.
Status setting(CallContext& context, std::string_view question, std::span<const Vector> arguments,
               const Selection& rows, std::uint32_t size, VectorBuffer& out) {
  std::vector<Datum> values(arguments.size());
  std::optional<std::string> answer;
  return each_datum(rows, size, out, [&](std::uint32_t row) -> Result<Datum> {
    for (std::size_t i = 0; i < arguments.size(); ++i) values[i] = arguments[i].datum_at(row);
    if (values[0].null) return std::unexpected(sql_error("22004", "SET requires parameter name"));
    answer = context.ask(question, values);
    if (answer) return Datum::of(as_bytes(*answer));
    const bool missing_ok = question == "current_setting" && values.size() == 2 &&
                            !values[1].null && values[1].as_int() != 0;
    if (missing_ok) return Datum::null_of(PhysicalType::kBytes);
    return std::unexpected(no_such_setting(as_text(values[0].bytes)));
  });
}
Status current_setting(CallContext& context, std::span<const Vector> arguments,
                       const Selection& rows, std::uint32_t size, VectorBuffer& out) {
  return setting(context, "current_setting", arguments, rows, size, out);
}
Status set_config(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
                  std::uint32_t size, VectorBuffer& out) {
  return setting(context, "set_config", arguments, rows, size, out);
}

// The answer is the array's text.
Status current_schemas(CallContext& context, std::span<const Vector> arguments,
                       const Selection& rows, std::uint32_t size, VectorBuffer& out) {
  const SqlRegistry* const registry = context.registry();
  const SqlType* const names = registry == nullptr ? nullptr : registry->find_type(kNameArray);
  if (names == nullptr)
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "current_schemas() is not supported here"));
  VectorBuffer made(PhysicalType::kBytes);
  return each_datum(rows, size, out, [&](std::uint32_t row) -> Result<Datum> {
    const Datum argument = arguments[0].datum_at(row);
    const auto answer = context.ask("current_schemas", std::span(&argument, 1));
    if (!answer) return Datum::null_of(PhysicalType::kBytes);
    made.clear();
    COPPICE_TRY(names->parse(WireForm::kText, as_bytes(*answer), -1, context.settings(), made));
    return made.view().datum_at(0);
  });
}

constexpr std::array kFunctions = {
    FunctionRow{89, "version", kText, {}, answer_kernel<"version">, kStable},
    FunctionRow{861, "current_database", kName, {}, answer_kernel<"current_database">, kStable},
    FunctionRow{1402, "current_schema", kName, {}, answer_kernel<"current_schema">, kStable},
    FunctionRow{1403, "current_schemas", kNameArray, {kBool}, current_schemas, kStable},
    FunctionRow{745, "current_user", kName, {}, answer_kernel<"current_user">, kStable},
    FunctionRow{746, "session_user", kName, {}, answer_kernel<"session_user">, kStable},
    FunctionRow{2026, "pg_backend_pid", kInt4, {}, answer_kernel<"pg_backend_pid">, kStable},
    FunctionRow{2077, "current_setting", kText, {kText}, current_setting, kStable},
    FunctionRow{3294, "current_setting", kText, {kText, kBool}, current_setting, kStable},
    FunctionRow{2078, "set_config", kText, {kText, kText, kBool}, set_config, kVolatile, false},
    FunctionRow{2943, "txid_current", kInt8, {}, answer_kernel<"txid_current">, kVolatile},
    FunctionRow{2560,
                "pg_postmaster_start_time",
                kTimestamptz,
                {},
                answer_kernel<"pg_postmaster_start_time">,
                kStable},
    FunctionRow{
        2171, "pg_cancel_backend", kBool, {kInt4}, answer_kernel<"pg_cancel_backend">, kVolatile},
    FunctionRow{3810, "pg_is_in_recovery", kBool, {}, always_false, kVolatile},
    FunctionRow{2855, "pg_is_other_temp_schema", kBool, {kOid}, always_false, kStable},
    FunctionRow{2854, "pg_my_temp_schema", kOid, {}, no_oid, kStable},
    FunctionRow{1597, "pg_encoding_to_char", kName, {kInt4}, encoding_name, kStable},
    FunctionRow{1264, "pg_char_to_encoding", kInt4, {kName}, encoding_number, kStable},
    FunctionRow{1039, "getdatabaseencoding", kName, {}, database_encoding, kStable},
};

constexpr ScalarKernel kTextEqual = fixed_kernel<Equal, bool, std::string_view, std::string_view>;
constexpr ScalarKernel kTextNotEqual =
    fixed_kernel<NotEqual, bool, std::string_view, std::string_view>;
constexpr ScalarKernel kNumberEqual = fixed_kernel<Equal, bool, std::uint32_t, std::uint32_t>;
constexpr ScalarKernel kNumberNotEqual = fixed_kernel<NotEqual, bool, std::uint32_t, std::uint32_t>;
constexpr std::array kComparisons = {
    FunctionRow{68, "xideq", kBool, {kXid, kXid}, kNumberEqual},
    FunctionRow{3308, "xidneq", kBool, {kXid, kXid}, kNumberNotEqual},
    FunctionRow{1319, "xideqint4", kBool, {kXid, kInt4}, kNumberEqual},
    FunctionRow{69, "cideq", kBool, {kCid, kCid}, kNumberEqual},
    FunctionRow{1292, "tideq", kBool, {kTid, kTid}, kTextEqual},
    FunctionRow{1265, "tidne", kBool, {kTid, kTid}, kTextNotEqual},
    FunctionRow{1062, "aclitemeq", kBool, {kAclitem, kAclitem}, kTextEqual},
    FunctionRow{3233, "pg_lsn_eq", kBool, {kPgLsn, kPgLsn}, kTextEqual},
};
constexpr std::array kOperators = {
    OperatorRow{352, "=", kXid, kXid, kBool, 68, "=", "<>"},
    OperatorRow{3315, "<>", kXid, kXid, kBool, 3308, "<>", "="},
    OperatorRow{353, "=", kXid, kInt4, kBool, 1319, "", "<>"},
    OperatorRow{385, "=", kCid, kCid, kBool, 69, "=", ""},
    OperatorRow{387, "=", kTid, kTid, kBool, 1292, "=", "<>"},
    OperatorRow{402, "<>", kTid, kTid, kBool, 1265, "<>", "="},
    OperatorRow{974, "=", kAclitem, kAclitem, kBool, 1062, "=", ""},
    OperatorRow{3222, "=", kPgLsn, kPgLsn, kBool, 3233, "=", ""},
};
constexpr CastRow kTextOfTree{kPgNodeTree, kText, CastContext::kImplicit, 0};

}  // namespace

void add_server_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span<const FunctionRow>(kComparisons));
  add_rows(registry, std::span<const OperatorRow>(kOperators));
  add_rows(registry, std::span(&kTextOfTree, 1));
}

}  // namespace coppice::sql_catalog
