// bool_type.cpp — boolean: t and f, and the words that mean them.
#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

// PostgreSQL's parse_bool: any unambiguous beginning of true, false, yes, no, on, off; 1 and 0.
std::optional<bool> bool_of(std::string_view text) {
  if (text.empty() || text.size() > 5) return {};
  std::string word(text);
  std::ranges::transform(word, word.begin(), ascii_lower);
  const auto begins = [&](std::string_view full) { return full.starts_with(word); };
  if (begins("true") || begins("yes") || word == "on" || word == "1") return true;
  if (begins("false") || begins("no") || word == "0") return false;
  if (word.size() >= 2 && begins("off")) return false;
  return {};
}

class BoolType final : public SqlType {
 public:
  BoolType()
      : SqlType({.oid = type_oid::kBool,
                 .name = "bool",
                 .display_name = "boolean",
                 .physical = PhysicalType::kBool,
                 .size = 1,
                 .category = 'B',
                 .preferred = true,
                 .array = 1000}) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, 1));
      *out.append_values<std::uint8_t>(1) = value[0] != std::byte{0};
      return {};
    }
    const std::optional<bool> truth = bool_of(trim_spaces(as_text(value)));
    if (!truth) return invalid_text("boolean", as_text(value));
    *out.append_values<std::uint8_t>(1) = *truth;
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    const bool binary = form == WireForm::kBinary;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const bool truth = values.int_at(row) != 0;
      if (binary)
        bytes.push_back(truth ? std::byte{1} : std::byte{0});
      else
        append_text(bytes, truth ? "t" : "f");
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.boolean(values.int_at(row) != 0, order);
  }
};

}  // namespace

void add_bool_type(SqlRegistry& registry) {
  registry.add(std::make_unique<BoolType>());
  registry.alias("boolean", type_oid::kBool);
}

}  // namespace coppice::sql_core
