// pattern_functions.cpp — LIKE and ILIKE of texts, names, char(n) and byte strings.
//
// Source:   PostgreSQL 15, like.c: ILIKE compares both sides in lower case.
#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/case_text.h"
#include "plugins/sql/text/like.h"
#include "plugins/sql/text/parts.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kBytea;
using type_oid::kName;
using type_oid::kText;

enum class Case : std::uint8_t { kSensitive, kIgnored, kIgnoredAscii };

// Names compare under collation C, whose letters are those of ASCII.
void fold(std::string_view text, Case letters, std::string& to) {
  if (letters == Case::kIgnored) return append_lower(text, to);
  for (const char c : text) to.push_back(ascii_lower(c));
}

LikePattern compile(std::string_view pattern, Case letters, Characters characters) {
  if (letters == Case::kSensitive) return LikePattern(pattern, characters);
  std::string lower;
  fold(pattern, letters, lower);
  return LikePattern(lower, characters);
}

template <bool kWanted, Case kCase, Characters kCharacters>
Status like_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  const Vector& texts = arguments[0];
  const Vector& patterns = arguments[1];
  std::string lower;
  const auto match = [&](const LikePattern& pattern, std::uint32_t row, bool& to) -> Status {
    std::string_view text = as_text(texts.bytes_at(row));
    if constexpr (kCase != Case::kSensitive) {
      lower.clear();
      fold(text, kCase, lower);
      text = lower;
    }
    const bool matched = COPPICE_TRY(pattern.matches(text));
    to = matched == kWanted;
    return {};
  };
  if (patterns.encoding() == Encoding::kConstant && !patterns.has_nulls()) {
    const LikePattern pattern = compile(as_text(patterns.bytes_at(0)), kCase, kCharacters);
    return each_fixed<bool>(rows, size, out, [&](std::uint32_t row, bool& to) -> Status {
      return match(pattern, row, to);
    });
  }
  return each_fixed<bool>(rows, size, out, [&](std::uint32_t row, bool& to) -> Status {
    return match(compile(as_text(patterns.bytes_at(row)), kCase, kCharacters), row, to);
  });
}

constexpr ScalarKernel kLike = like_kernel<true, Case::kSensitive, Characters::kUtf8>;
constexpr ScalarKernel kNotLike = like_kernel<false, Case::kSensitive, Characters::kUtf8>;
constexpr ScalarKernel kIlike = like_kernel<true, Case::kIgnored, Characters::kUtf8>;
constexpr ScalarKernel kNotIlike = like_kernel<false, Case::kIgnored, Characters::kUtf8>;
constexpr ScalarKernel kNameIlike = like_kernel<true, Case::kIgnoredAscii, Characters::kUtf8>;
constexpr ScalarKernel kNameNotIlike = like_kernel<false, Case::kIgnoredAscii, Characters::kUtf8>;
constexpr ScalarKernel kBytesLike = like_kernel<true, Case::kSensitive, Characters::kBytes>;
constexpr ScalarKernel kBytesNotLike = like_kernel<false, Case::kSensitive, Characters::kBytes>;

Status like_escape(std::string& to, std::string_view pattern, std::string_view escape) {
  return append_like_escape(pattern, escape, Characters::kUtf8, to);
}
Status like_escape_bytea(std::string& to, std::string_view pattern, std::string_view escape) {
  return append_like_escape(pattern, escape, Characters::kBytes, to);
}

constexpr std::array kFunctions = {
    FunctionRow{850, "textlike", kBool, {kText, kText}, kLike},
    FunctionRow{851, "textnlike", kBool, {kText, kText}, kNotLike},
    FunctionRow{858, "namelike", kBool, {kName, kText}, kLike},
    FunctionRow{859, "namenlike", kBool, {kName, kText}, kNotLike},
    FunctionRow{1631, "bpcharlike", kBool, {kBpchar, kText}, kLike},
    FunctionRow{1632, "bpcharnlike", kBool, {kBpchar, kText}, kNotLike},
    FunctionRow{1633, "texticlike", kBool, {kText, kText}, kIlike},
    FunctionRow{1634, "texticnlike", kBool, {kText, kText}, kNotIlike},
    FunctionRow{1635, "nameiclike", kBool, {kName, kText}, kNameIlike},
    FunctionRow{1636, "nameicnlike", kBool, {kName, kText}, kNameNotIlike},
    FunctionRow{1660, "bpchariclike", kBool, {kBpchar, kText}, kIlike},
    FunctionRow{1661, "bpcharicnlike", kBool, {kBpchar, kText}, kNotIlike},
    FunctionRow{1569, "like", kBool, {kText, kText}, kLike},
    FunctionRow{1570, "notlike", kBool, {kText, kText}, kNotLike},
    FunctionRow{1571, "like", kBool, {kName, kText}, kLike},
    FunctionRow{1572, "notlike", kBool, {kName, kText}, kNotLike},
    FunctionRow{2005, "bytealike", kBool, {kBytea, kBytea}, kBytesLike},
    FunctionRow{2006, "byteanlike", kBool, {kBytea, kBytea}, kBytesNotLike},
    FunctionRow{2007, "like", kBool, {kBytea, kBytea}, kBytesLike},
    FunctionRow{2008, "notlike", kBool, {kBytea, kBytea}, kBytesNotLike},
    FunctionRow{1637, "like_escape", kText, {kText, kText}, kCall<like_escape>},
    FunctionRow{2009, "like_escape", kBytea, {kBytea, kBytea}, kCall<like_escape_bytea>},
};

}  // namespace

void add_pattern_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
