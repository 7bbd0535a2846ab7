// casts.cpp — numeric to and from integers and floats; rows of pg_cast.
// Source:   PostgreSQL 15, numeric.c: int4_numeric() and its neighbours.
#include <charconv>
#include <limits>

#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/numeric/kernels.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kNumeric;

template <class T>
Status from_integer(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  const Argument<T> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    append_numeric(to, values[row], 0);
    return {};
  });
}

template <class T>
Status from_float(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                  std::uint32_t size, VectorBuffer& out) {
  const Argument<T> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const Number number = COPPICE_TRY(
        number_from_float(static_cast<double>(values[row]), std::numeric_limits<T>::digits10));
    return store(number, to);
  });
}

template <class T>
constexpr std::string_view kTypeName = sizeof(T) == 2   ? "smallint"
                                       : sizeof(T) == 4 ? "integer"
                                                        : "bigint";
template <class T>
constexpr Fault kRange = sizeof(T) == 2   ? Fault::kInt2Range
                         : sizeof(T) == 4 ? Fault::kInt4Range
                                          : Fault::kInt8Range;

template <class T>
Result<T> integer_of(const Number& value) {
  if (!value.finite())
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, std::string("cannot convert ") +
                                                      (value.nan() ? "NaN" : "infinity") + " to " +
                                                      std::string(kTypeName<T>)));
  std::int64_t wide = 0;
  if (!to_int64(value, wide) || wide < std::numeric_limits<T>::min() ||
      wide > std::numeric_limits<T>::max())
    return std::unexpected(fault_error(kRange<T>));
  return static_cast<T>(wide);
}

// All digits count: the nearest float to the whole number.
template <class T>
Result<T> float_from_bytes(ByteView bytes) {
  ByteBuffer text;
  append_numeric_text(text, bytes);
  const std::string_view shown = as_text(text);
  T value = 0;
  const auto read = std::from_chars(shown.data(), shown.data() + shown.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  const std::string_view type = sizeof(T) == 4 ? "real" : "double precision";
  return std::unexpected(sql_error(
      "22003", "\"" + std::string(shown) + "\" is out of range for type " + std::string(type)));
}

template <class T>
Status to_float(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]);
  return each_fixed<T>(rows, size, out, [&](std::uint32_t row, T& to) -> Status {
    to = COPPICE_TRY(float_from_bytes<T>(values[row]));
    return {};
  });
}

// numeric(value, modifier)
Result<Number> to_precision(const Number& value, std::int32_t modifier) {
  Number to = value;
  COPPICE_TRY(fit(to, modifier));
  return to;
}

constexpr std::array kFunctions = {
    FunctionRow{1703, "numeric", kNumeric, {kNumeric, kInt4}, with_integer<to_precision>},
    FunctionRow{1740, "numeric", kNumeric, {kInt4}, from_integer<std::int32_t>},
    FunctionRow{1742, "numeric", kNumeric, {kFloat4}, from_float<float>},
    FunctionRow{1743, "numeric", kNumeric, {kFloat8}, from_float<double>},
    FunctionRow{1781, "numeric", kNumeric, {kInt8}, from_integer<std::int64_t>},
    FunctionRow{1782, "numeric", kNumeric, {kInt2}, from_integer<std::int16_t>},
    FunctionRow{1783, "int2", kInt2, {kNumeric}, to_fixed<std::int16_t, integer_of<std::int16_t>>},
    FunctionRow{1744, "int4", kInt4, {kNumeric}, to_fixed<std::int32_t, integer_of<std::int32_t>>},
    FunctionRow{1779, "int8", kInt8, {kNumeric}, to_fixed<std::int64_t, integer_of<std::int64_t>>},
    FunctionRow{1745, "float4", kFloat4, {kNumeric}, to_float<float>},
    FunctionRow{1746, "float8", kFloat8, {kNumeric}, to_float<double>},
};

constexpr std::array kCasts = {
    CastRow{kInt8, kNumeric, CastContext::kImplicit, 1781},
    CastRow{kInt2, kNumeric, CastContext::kImplicit, 1782},
    CastRow{kInt4, kNumeric, CastContext::kImplicit, 1740},
    CastRow{kFloat4, kNumeric, CastContext::kAssignment, 1742},
    CastRow{kFloat8, kNumeric, CastContext::kAssignment, 1743},
    CastRow{kNumeric, kInt8, CastContext::kAssignment, 1779},
    CastRow{kNumeric, kInt2, CastContext::kAssignment, 1783},
    CastRow{kNumeric, kInt4, CastContext::kAssignment, 1744},
    CastRow{kNumeric, kFloat4, CastContext::kImplicit, 1745},
    CastRow{kNumeric, kFloat8, CastContext::kImplicit, 1746},
    CastRow{kNumeric, kNumeric, CastContext::kImplicit, 1703},
};

}  // namespace

void add_casts(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span<const CastRow>(kCasts));
}

}  // namespace coppice::sql_numeric
