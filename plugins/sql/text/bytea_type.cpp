// bytea_type.cpp — byte strings, in hex and in the older escape format.
//
// Source:   PostgreSQL 15, byteain(), byteaout(), hex_decode().
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/byte_text.h"
#include "plugins/sql/text/parts.h"

namespace coppice::sql_text {
namespace {

class ByteaType final : public SqlType {
 public:
  ByteaType()
      : SqlType({.oid = type_oid::kBytea,
                 .name = "bytea",
                 .display_name = "bytea",
                 .physical = PhysicalType::kBytes,
                 .array = 1001}) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      out.append_bytes(value);
      return {};
    }
    std::string bytes;
    const std::string_view text = as_text(value);
    if (text.starts_with("\\x"))
      COPPICE_TRY(decode_hex(text.substr(2), bytes));
    else
      COPPICE_TRY(decode_escape(text, bytes));
    out.append_bytes(as_bytes(bytes));
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override {
    if (form == WireForm::kBinary) {
      format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
        append(bytes, values.bytes_at(row));
      });
      return {};
    }
    std::string text;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      text.clear();
      append_bytea(text, as_text(values.bytes_at(row)), settings.bytea_escape);
      append_text(bytes, text);
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.bytes(values.bytes_at(row), order);
  }
};

}  // namespace

void add_bytea_type(SqlRegistry& registry) {
  registry.add(std::make_unique<ByteaType>());
}

}  // namespace coppice::sql_text
