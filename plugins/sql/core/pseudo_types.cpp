// pseudo_types.cpp — unknown, void, record, any …: what the binder needs to name.
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

// Text as it came: unknown and cstring, before the binder knows better.
class RawTextType final : public SqlType {
 public:
  explicit RawTextType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    out.append_bytes(value);
    return {};
  }
  Status format(WireForm, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    format_rows(values, rows, out,
                [&](std::uint32_t row, ByteBuffer& bytes) { append(bytes, values.bytes_at(row)); });
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.bytes(values.bytes_at(row), order);
  }
};

// No value can be made of it by a client. void prints as nothing.
class PseudoType final : public SqlType {
 public:
  explicit PseudoType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm, ByteView, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (info().oid == type_oid::kVoid) {
      out.append_bytes({});
      return {};
    }
    return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                     "cannot accept a value of type " + info().display_name));
  }
  Status format(WireForm, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    bool all_null = true;
    rows.for_each([&](std::uint32_t row) { all_null = all_null && values.is_null(row); });
    if (info().oid != type_oid::kVoid && !all_null)
      return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                       "cannot display a value of type " + info().display_name));
    format_rows(values, rows, out, [](std::uint32_t, ByteBuffer&) {});
    return {};
  }
  void write_key(const Vector&, std::uint32_t, KeyOrder order, KeyWriter& out) const override {
    out.null(order);
  }
};

struct PseudoRow {
  TypeOid oid;
  std::string_view name, display;
  std::int16_t size;
  TypeOid array;
};
constexpr std::array kPseudoTypes = {
    PseudoRow{type_oid::kVoid, "void", "void", 4, 0},
    PseudoRow{type_oid::kRecord, "record", "record", -1, 2287},
    PseudoRow{type_oid::kAny, "any", "\"any\"", 4, 0},
    PseudoRow{type_oid::kAnyarray, "anyarray", "anyarray", -1, 0},
    PseudoRow{type_oid::kAnyelement, "anyelement", "anyelement", 4, 0},
    PseudoRow{type_oid::kAnynonarray, "anynonarray", "anynonarray", 4, 0},
    PseudoRow{2279, "trigger", "trigger", 4, 0},
    PseudoRow{2281, "internal", "internal", 8, 0},
};

SqlType::Info info_of(const PseudoRow& row, char category) {
  return {.oid = row.oid,
          .name = std::string(row.name),
          .display_name = std::string(row.display),
          .physical = PhysicalType::kBytes,
          .size = row.size,
          .category = category,
          .array = row.array,
          .equality = Equality::kNone,
          .ordered = false};
}

}  // namespace

void add_pseudo_types(SqlRegistry& registry) {
  registry.add(std::make_unique<RawTextType>(
      info_of({type_oid::kUnknown, "unknown", "unknown", -2, 0}, 'X')));
  registry.add(std::make_unique<RawTextType>(info_of({2275, "cstring", "cstring", -2, 1263}, 'P')));
  for (const PseudoRow& row : kPseudoTypes)
    registry.add(std::make_unique<PseudoType>(info_of(row, 'P')));
}

}  // namespace coppice::sql_core
