// text_types.cpp — text, varchar, char(n), name and "char".
#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_length.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

constexpr std::size_t kNameBytesMax = 63;

Result<std::string_view> fit(std::string_view text, std::int32_t modifier, bool is_explicit,
                             std::string_view type) {
  const auto limit = static_cast<std::size_t>(std::max(modifier - kModifierOffset, 0));
  const std::size_t kept = prefix_bytes(text, limit);
  if (kept == text.size() || is_explicit ||
      std::ranges::all_of(text.substr(kept), [](char c) { return c == ' '; }))
    return text.substr(0, kept);
  return std::unexpected(sql_error(
      "22001", "value too long for type " + std::string(type) + "(" + std::to_string(limit) + ")"));
}

}  // namespace

Result<std::string_view> fit_varchar(std::string_view text, std::int32_t modifier,
                                     bool is_explicit) {
  if (modifier < kModifierOffset) return text;
  return fit(text, modifier, is_explicit, "character varying");
}

Status fit_bpchar(std::string_view text, std::int32_t modifier, bool is_explicit, std::string& to) {
  if (modifier < kModifierOffset) {
    to.append(text);
    return {};
  }
  const std::string_view kept = COPPICE_TRY(fit(text, modifier, is_explicit, "character"));
  const std::size_t characters = count_characters(kept);
  const auto limit = static_cast<std::size_t>(modifier - kModifierOffset);
  to.append(kept);
  if (characters < limit) to.append(limit - characters, ' ');
  return {};
}

std::string char_of_text(std::string_view text) {
  const auto octal = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '7'; };
  if (text.size() != 4 || text[0] != '\\' || !octal(1) || !octal(2) || !octal(3))
    return text.empty() || text[0] == '\0' ? std::string() : std::string(1, text[0]);
  const int code = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
  return (code & 0xFF) == 0 ? std::string() : std::string(1, static_cast<char>(code));
}

std::string text_of_char(std::string_view value) {
  if (value.empty() || static_cast<unsigned char>(value[0]) < 0x80) return std::string(value);
  const auto byte = static_cast<unsigned char>(value[0]);
  return {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
          static_cast<char>('0' + (byte & 7))};
}

namespace {

// What all of them share: the wire form, text or binary, is the value's bytes.
class TextType : public SqlType {
 public:
  explicit TextType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    COPPICE_TRY(check_utf8(as_text(value)));
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

// varchar and bpchar: types that take a length.
class SizedTextType : public TextType {
 public:
  using TextType::TextType;

  std::string describe(std::int32_t modifier) const override {
    if (modifier < kModifierOffset) return info().display_name;
    return info().display_name + "(" + std::to_string(modifier - kModifierOffset) + ")";
  }
  Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const override {
    const std::string name = info().oid == type_oid::kBpchar ? "char" : "varchar";
    if (arguments.empty()) return -1;
    if (arguments.size() != 1) return std::unexpected(sql_error("22023", "invalid type modifier"));
    if (arguments[0] < 1)
      return std::unexpected(sql_error("22023", "length for type " + name + " must be at least 1"));
    if (arguments[0] > kLengthMax)
      return std::unexpected(sql_error(
          "22023", "length for type " + name + " cannot exceed " + std::to_string(kLengthMax)));
    return static_cast<std::int32_t>(arguments[0]) + kModifierOffset;
  }
};

class VarcharType final : public SizedTextType {
 public:
  using SizedTextType::SizedTextType;
  Status parse(WireForm, ByteView value, std::int32_t modifier, const SqlSettings&,
               VectorBuffer& out) const override {
    COPPICE_TRY(check_utf8(as_text(value)));
    const std::string_view kept = COPPICE_TRY(fit_varchar(as_text(value), modifier, false));
    out.append_bytes(as_bytes(kept));
    return {};
  }
};

class BpcharType final : public SizedTextType {
 public:
  using SizedTextType::SizedTextType;
  Status parse(WireForm, ByteView value, std::int32_t modifier, const SqlSettings&,
               VectorBuffer& out) const override {
    COPPICE_TRY(check_utf8(as_text(value)));
    std::string padded;
    COPPICE_TRY(fit_bpchar(as_text(value), modifier, false, padded));
    out.append_bytes(as_bytes(padded));
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.padded_text(values.bytes_at(row), order);
  }
};

class NameType final : public TextType {
 public:
  using TextType::TextType;
  Status parse(WireForm, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    COPPICE_TRY(check_utf8(as_text(value)));
    out.append_bytes(as_bytes(clip_bytes(as_text(value), kNameBytesMax)));
    return {};
  }
};

// One byte; the zero byte is kept as no bytes.
class CharType final : public TextType {
 public:
  using TextType::TextType;
  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, 1));
      out.append_bytes(value[0] == std::byte{0} ? ByteView() : value);
    } else {
      out.append_bytes(as_bytes(char_of_text(as_text(value))));
    }
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const ByteView value = values.bytes_at(row);
      if (form == WireForm::kText) return append_text(bytes, text_of_char(as_text(value)));
      bytes.push_back(value.empty() ? std::byte{0} : value[0]);
    });
    return {};
  }
};

SqlType::Info text_info(TypeOid oid, std::string_view name, std::string_view display,
                        TypeOid array) {
  return {.oid = oid,
          .name = std::string(name),
          .display_name = std::string(display),
          .physical = PhysicalType::kBytes,
          .category = 'S',
          .array = array};
}

}  // namespace

void add_text_types(SqlRegistry& registry) {
  SqlType::Info text = text_info(type_oid::kText, "text", "text", 1009);
  text.preferred = true;
  registry.add(std::make_unique<TextType>(std::move(text)));
  registry.add(std::make_unique<VarcharType>(
      text_info(type_oid::kVarchar, "varchar", "character varying", 1015)));
  SqlType::Info bpchar = text_info(type_oid::kBpchar, "bpchar", "character", 1014);
  bpchar.equality = Equality::kByKey;
  registry.add(std::make_unique<BpcharType>(std::move(bpchar)));
  SqlType::Info name = text_info(type_oid::kName, "name", "name", 1003);
  name.size = 64;
  registry.add(std::make_unique<NameType>(std::move(name)));
  SqlType::Info one = text_info(type_oid::kChar, "char", "\"char\"", 1002);
  one.size = 1;
  one.category = 'Z';
  registry.add(std::make_unique<CharType>(std::move(one)));
  registry.alias("character varying", type_oid::kVarchar);
  registry.alias("character", type_oid::kBpchar);
}

}  // namespace coppice::sql_text
