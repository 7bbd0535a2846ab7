// reg_types.cpp — regclass, regtype, regproc, regprocedure, regnamespace, regrole, regcollation.
//
// Source:   PostgreSQL 15, regproc.c.
#include "plugins/sql/catalog/reg_types.h"

#include <array>
#include <charconv>

#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/answers.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kOid;
using type_oid::kRegclass;
using type_oid::kRegtype;
using type_oid::kText;
using type_oid::kVarchar;

constexpr TypeOid kRegproc = 24, kRegprocedure = 2202;

struct RegKind {
  TypeOid oid;
  std::string_view name;
  TypeOid array;
  std::string_view in, out;                 // questions; empty: nobody knows these names
  std::string_view unknown, before, after;  // the error for a name that is not there
};
constexpr std::array kKinds = {
    RegKind{kRegproc, "regproc", 1008, "regprocin", "regprocout", "42883", "function \"",
            "\" does not exist"},
    RegKind{kRegprocedure, "regprocedure", 2207, "regprocin", "regprocout", "42883", "function \"",
            "\" does not exist"},
    RegKind{kRegclass, "regclass", 2210, "regclassin", "regclassout", "42P01", "relation \"",
            "\" does not exist"},
    RegKind{kRegtype, "regtype", 2211, "regtypein", "regtypeout", "42704", "type \"",
            "\" does not exist"},
    RegKind{4096, "regrole", 4097, "regrolein", "regroleout", "42704", "role \"",
            "\" does not exist"},
    RegKind{4089, "regnamespace", 4090, "regnamespacein", "regnamespaceout", "3F000", "schema \"",
            "\" does not exist"},
    RegKind{4191, "regcollation", 4192, "regcollationin", "regcollationout", "42704",
            "collation \"", "\" for encoding \"UTF8\" does not exist"},
};
constexpr const RegKind& kClassKind = kKinds[2];

Result<std::uint32_t> number_or_name(const RegKind& kind, std::string_view text,
                                     CallContext* calls) {
  if (text == "-") return 0U;
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end)
    return number;
  if (calls == nullptr)
    return std::unexpected(sql_error(
        sqlstate::kFeatureNotSupported,
        "names of type " + std::string(kind.name) + " cannot be looked up outside a statement"));
  const Datum argument = Datum::of(as_bytes(text));
  const std::optional<std::string> answer = calls->ask(kind.in, std::span(&argument, 1));
  if (answer)
    return static_cast<std::uint32_t>(answer_datum(PhysicalType::kInt64, *answer).as_int());
  return std::unexpected(sql_error(
      kind.unknown, std::string(kind.before) + std::string(text) + std::string(kind.after)));
}

// Physically an int32, as oid is.
class RegType final : public SqlType {
 public:
  explicit RegType(const RegKind& kind)
      : SqlType({.oid = kind.oid,
                 .name = std::string(kind.name),
                 .display_name = std::string(kind.name),
                 .physical = PhysicalType::kInt32,
                 .size = 4,
                 .category = 'N',
                 .array = kind.array}),
        kind_(kind) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings& settings,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, 4));
      *out.append_values<std::uint32_t>(1) = load_be<std::uint32_t>(value.data());
      return {};
    }
    const std::uint32_t oid = COPPICE_TRY(number_or_name(kind_, as_text(value), settings.calls));
    *out.append_values<std::uint32_t>(1) = oid;
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override {
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const auto oid = static_cast<std::uint32_t>(values.int_at(row));
      if (form == WireForm::kBinary) return append_be(bytes, oid);
      if (oid == 0) return append_text(bytes, "-");
      if (settings.calls != nullptr) {
        const Datum argument = Datum::integer(PhysicalType::kInt64, oid);
        if (const auto name = settings.calls->ask(kind_.out, std::span(&argument, 1)))
          return append_text(bytes, *name);
      }
      append_number(bytes, oid);
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.int64(static_cast<std::uint32_t>(values.int_at(row)), order);
  }

 private:
  const RegKind& kind_;
};

Status regclass_of_text(CallContext& context, std::span<const Vector> arguments,
                        const Selection& rows, std::uint32_t size, VectorBuffer& out) {
  const Argument<std::string_view> names(arguments[0]);
  return each_fixed<std::uint32_t>(rows, size, out,
                                   [&](std::uint32_t row, std::uint32_t& oid) -> Status {
                                     oid = COPPICE_TRY(relation_of(names[row], &context));
                                     return {};
                                   });
}

constexpr std::array kFunctions = {
    FunctionRow{1079, "regclass", kRegclass, {kText}, regclass_of_text, Volatility::kStable},
    FunctionRow{
        3495, "to_regclass", kRegclass, {kText}, answer_kernel<"regclassin">, Volatility::kStable},
    FunctionRow{
        3493, "to_regtype", kRegtype, {kText}, answer_kernel<"regtypein">, Volatility::kStable},
};

constexpr FunctionOid kOidOfInt2 = 313, kOidOfInt8 = 1287, kInt8OfOid = 1288;  // of pack core

}  // namespace

Result<std::uint32_t> relation_of(std::string_view text, CallContext* calls) {
  return number_or_name(kClassKind, text, calls);
}

void add_reg_types(SqlRegistry& registry) {
  for (const RegKind& kind : kKinds) registry.add(std::make_unique<RegType>(kind));
}

void add_reg_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  for (const RegKind& kind : kKinds) {
    const std::array casts = {
        CastRow{kOid, kind.oid, CastContext::kImplicit, 0},
        CastRow{kind.oid, kOid, CastContext::kImplicit, 0},
        CastRow{kInt8, kind.oid, CastContext::kImplicit, kOidOfInt8},
        CastRow{kInt2, kind.oid, CastContext::kImplicit, kOidOfInt2},
        CastRow{kInt4, kind.oid, CastContext::kImplicit, 0},
        CastRow{kind.oid, kInt8, CastContext::kAssignment, kInt8OfOid},
        CastRow{kind.oid, kInt4, CastContext::kAssignment, 0},
    };
    add_rows(registry, std::span<const CastRow>(casts));
  }
  constexpr std::array kMore = {
      CastRow{kRegproc, kRegprocedure, CastContext::kImplicit, 0},
      CastRow{kRegprocedure, kRegproc, CastContext::kImplicit, 0},
      CastRow{kText, kRegclass, CastContext::kImplicit, 1079},
      CastRow{kVarchar, kRegclass, CastContext::kImplicit, 1079},
  };
  add_rows(registry, std::span<const CastRow>(kMore));
}

}  // namespace coppice::sql_catalog
