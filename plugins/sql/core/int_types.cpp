// int_types.cpp — smallint, integer, bigint and oid.
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

// PostgreSQL's pg_strtoint: spaces, a sign, digits, spaces.
template <class T>
Result<T> int_of(std::string_view text, std::string_view type) {
  const std::string_view body = trim_spaces(text);
  const bool negative = body.starts_with('-');
  std::size_t at = negative || body.starts_with('+') ? 1 : 0;
  if (at == body.size()) return invalid_text(type, text);
  T value = 0;  // counted downwards: the lowest value has no positive counterpart
  for (; at < body.size(); ++at) {
    if (!is_digit(body[at])) return invalid_text(type, text);
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_sub_overflow(value, body[at] - '0', &value))
      return text_out_of_range(type, text);
  }
  if (!negative && __builtin_sub_overflow(T{0}, value, &value))
    return text_out_of_range(type, text);
  return value;
}

template <class T>
class IntType final : public SqlType {
 public:
  explicit IntType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, sizeof(T)));
      *out.append_values<T>(1) = load_be<T>(value.data());
      return {};
    }
    const T parsed = COPPICE_TRY(int_of<T>(as_text(value), info().display_name));
    *out.append_values<T>(1) = parsed;
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    if (form == WireForm::kBinary) {
      format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
        append_be(bytes, static_cast<T>(values.int_at(row)));
      });
    } else {
      format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
        append_number(bytes, values.int_at(row));
      });
    }
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    if constexpr (sizeof(T) == 2) out.int16(static_cast<T>(values.int_at(row)), order);
    if constexpr (sizeof(T) == 4) out.int32(static_cast<T>(values.int_at(row)), order);
    if constexpr (sizeof(T) == 8) out.int64(values.int_at(row), order);
  }
};

// PostgreSQL's oidin is strtoul: a sign is allowed, and what is a sign-extended oid is one.
Result<std::uint32_t> oid_of(std::string_view text) {
  const std::string_view body = trim_spaces(text);
  const bool negative = body.starts_with('-');
  std::size_t at = negative || body.starts_with('+') ? 1 : 0;
  if (at == body.size()) return invalid_text("oid", text);
  std::uint64_t value = 0;
  bool overflow = false;
  for (; at < body.size(); ++at) {
    if (!is_digit(body[at])) return invalid_text("oid", text);
    overflow |= __builtin_mul_overflow(value, 10U, &value);
    overflow |= __builtin_add_overflow(value, static_cast<unsigned>(body[at] - '0'), &value);
  }
  if (negative) value = 0 - value;
  const auto oid = static_cast<std::uint32_t>(value);
  const auto extended = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(oid)});
  if (overflow || (value != oid && value != extended)) return text_out_of_range("oid", text);
  return oid;
}

// Physically an int32, because PostgreSQL calls int4 and oid binary-coercible; unsigned wherever it
// is looked at.
class OidType final : public SqlType {
 public:
  explicit OidType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, 4));
      *out.append_values<std::uint32_t>(1) = load_be<std::uint32_t>(value.data());
      return {};
    }
    const std::uint32_t parsed = COPPICE_TRY(oid_of(as_text(value)));
    *out.append_values<std::uint32_t>(1) = parsed;
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    const bool binary = form == WireForm::kBinary;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const auto oid = static_cast<std::uint32_t>(values.int_at(row));
      if (binary)
        append_be(bytes, oid);
      else
        append_number(bytes, oid);
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.int64(static_cast<std::uint32_t>(values.int_at(row)), order);
  }
};

SqlType::Info integer_info(TypeOid oid, std::string_view name, std::string_view display,
                           PhysicalType physical, std::int16_t size, TypeOid array) {
  return {.oid = oid,
          .name = std::string(name),
          .display_name = std::string(display),
          .physical = physical,
          .size = size,
          .category = 'N',
          .array = array};
}

}  // namespace

void add_integer_types(SqlRegistry& registry) {
  registry.add(std::make_unique<IntType<std::int16_t>>(
      integer_info(type_oid::kInt2, "int2", "smallint", PhysicalType::kInt16, 2, 1005)));
  registry.add(std::make_unique<IntType<std::int32_t>>(
      integer_info(type_oid::kInt4, "int4", "integer", PhysicalType::kInt32, 4, 1007)));
  registry.add(std::make_unique<IntType<std::int64_t>>(
      integer_info(type_oid::kInt8, "int8", "bigint", PhysicalType::kInt64, 8, 1016)));
  registry.alias("smallint", type_oid::kInt2);
  registry.alias("integer", type_oid::kInt4);
  registry.alias("int", type_oid::kInt4);
  registry.alias("bigint", type_oid::kInt8);
  SqlType::Info oid = integer_info(type_oid::kOid, "oid", "oid", PhysicalType::kInt32, 4, 1028);
  oid.preferred = true;
  registry.add(std::make_unique<OidType>(std::move(oid)));
}

}  // namespace coppice::sql_core
