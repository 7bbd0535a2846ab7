// cast_functions.cpp — what casts between the text types call.
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_length.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kChar;
using type_oid::kInt4;
using type_oid::kName;
using type_oid::kText;
using type_oid::kVarchar;

using Text = std::string_view;

// Op: `static Text apply(Text)`.
template <class Op>
Status text_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  const Argument<Text> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    to.append(Op::apply(values[row]));
    return {};
  });
}

struct Same {
  static Text apply(Text text) { return text; }
};
struct Unpadded {
  static Text apply(Text text) { return without_padding(text); }
};
struct ToName {
  static Text apply(Text text) { return clip_bytes(text, 63); }
};
struct UnpaddedToName {
  static Text apply(Text text) { return without_padding(clip_bytes(text, 63)); }
};
struct ToChar {
  static std::string apply(Text text) { return char_of_text(text); }
};
struct FromChar {
  static std::string apply(Text text) { return text_of_char(text); }
};

struct CharToInt {
  static std::int32_t apply(Text text) {
    return text.empty() ? 0 : static_cast<signed char>(text[0]);
  }
};

Status int_to_char(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  const Argument<std::int32_t> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const std::int32_t code = values[row];
    if (code < -128 || code > 127) return std::unexpected(fault_error(Fault::kCharRange));
    if (code != 0) to.push_back(static_cast<char>(code));
    return {};
  });
}

Status bool_to_text(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  const Argument<bool> values(arguments[0]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    to = values[row] ? "true" : "false";
    return {};
  });
}

// varchar(value, modifier, is_explicit), bpchar(value, modifier, is_explicit)
Status varchar_to_length(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                         std::uint32_t size, VectorBuffer& out) {
  const Argument<Text> values(arguments[0]);
  const Argument<std::int32_t> modifiers(arguments[1]);
  const Argument<bool> is_explicit(arguments[2]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    to = COPPICE_TRY(fit_varchar(values[row], modifiers[row], is_explicit[row]));
    return {};
  });
}
Status bpchar_to_length(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                        std::uint32_t size, VectorBuffer& out) {
  const Argument<Text> values(arguments[0]);
  const Argument<std::int32_t> modifiers(arguments[1]);
  const Argument<bool> is_explicit(arguments[2]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    return fit_bpchar(values[row], modifiers[row], is_explicit[row], to);
  });
}

constexpr std::array kFunctions = {
    FunctionRow{668, "bpchar", kBpchar, {kBpchar, kInt4, kBool}, bpchar_to_length},
    FunctionRow{669, "varchar", kVarchar, {kVarchar, kInt4, kBool}, varchar_to_length},
    FunctionRow{2971, "text", kText, {kBool}, bool_to_text},
    FunctionRow{401, "text", kText, {kBpchar}, text_kernel<Unpadded>},
    FunctionRow{406, "text", kText, {kName}, text_kernel<Same>},
    FunctionRow{946, "text", kText, {kChar}, text_kernel<FromChar>},
    FunctionRow{407, "name", kName, {kText}, text_kernel<ToName>},
    FunctionRow{1400, "name", kName, {kVarchar}, text_kernel<ToName>},
    FunctionRow{409, "name", kName, {kBpchar}, text_kernel<UnpaddedToName>},
    FunctionRow{408, "bpchar", kBpchar, {kName}, text_kernel<Same>},
    FunctionRow{860, "bpchar", kBpchar, {kChar}, text_kernel<FromChar>},
    FunctionRow{1401, "varchar", kVarchar, {kName}, text_kernel<Same>},
    FunctionRow{944, "char", kChar, {kText}, text_kernel<ToChar>},
    FunctionRow{78, "char", kChar, {kInt4}, int_to_char},
    FunctionRow{77, "int4", kInt4, {kChar}, fixed_kernel<CharToInt, std::int32_t, Text>},
};

}  // namespace

void add_casts_between_texts(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
