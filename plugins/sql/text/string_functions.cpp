// string_functions.cpp — lengths, parts of texts, padding, replacing.
//
// Source:   PostgreSQL 15, varlena.c and oracle_compat.c.
#include <algorithm>
#include <charconv>
#include <limits>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/find_bytes.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_length.h"
#include "plugins/sql/text/text_parts.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kText;

using Text = std::string_view;
using Int = std::int32_t;

constexpr std::int64_t kCharacterBytesMax = 4;
constexpr std::int64_t kHeaderBytes = 4;  // PostgreSQL counts it towards the longest text

std::unexpected<Error> too_large() {
  return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "requested length too large"));
}

Int size_of(std::size_t n) {
  return static_cast<Int>(n);
}

Status text_length(Int& to, Text text) {
  to = size_of(count_characters(text));
  return {};
}
Status bpchar_length(Int& to, Text text) {
  to = size_of(count_characters(without_padding(text)));
  return {};
}
Status octet_length(Int& to, Text text) {
  to = size_of(text.size());
  return {};
}
Status bit_length(Int& to, Text text) {
  to = size_of(text.size() * 8);
  return {};
}

Status position(Int& to, Text text, Text what) {
  const std::size_t found = find_bytes(text, what);
  to = found == Text::npos ? 0 : size_of(count_characters(text.substr(0, found))) + 1;
  return {};
}

Status starts_with(bool& to, Text text, Text prefix) {
  to = text.starts_with(prefix);
  return {};
}

Status substr_from(std::string& to, Text text, Int start) {
  to.append(slice_characters(text, std::int64_t{start} - 1, kToTheEnd));
  return {};
}
Status substr(std::string& to, Text text, Int start, Int length) {
  if (length < 0) return std::unexpected(negative_length());
  to.append(slice_characters(text, std::int64_t{start} - 1, length));
  return {};
}

// How many characters `n` of left() and right() means: a negative one counts from the other end.
std::size_t kept_characters(Text text, Int n) {
  if (n >= 0) return static_cast<std::size_t>(n);
  const std::int64_t kept = static_cast<std::int64_t>(count_characters(text)) + n;
  return static_cast<std::size_t>(std::max<std::int64_t>(kept, 0));
}
Status left(std::string& to, Text text, Int n) {
  to.append(text.substr(0, prefix_bytes(text, kept_characters(text, n))));
  return {};
}
Status right(std::string& to, Text text, Int n) {
  const std::size_t all = count_characters(text);
  const std::size_t kept = std::min(kept_characters(text, n), all);
  to.append(text.substr(prefix_bytes(text, all - kept)));
  return {};
}

Text first_character(Text text) {
  return text.substr(0, character_bytes(text));
}

Text trim_left(Text text, Text set) {
  while (!text.empty() && !set.empty() && find_bytes(set, first_character(text)) != Text::npos)
    text.remove_prefix(character_bytes(text));
  return text;
}
Text trim_right(Text text, Text set) {
  while (!text.empty() && !set.empty()) {
    std::size_t at = text.size() - 1;
    while (at > 0 && !starts_character(text[at])) --at;
    if (find_bytes(set, text.substr(at)) == Text::npos) break;
    text = text.substr(0, at);
  }
  return text;
}
Status btrim(std::string& to, Text text, Text set) {
  to.append(trim_right(trim_left(text, set), set));
  return {};
}
Status ltrim(std::string& to, Text text, Text set) {
  to.append(trim_left(text, set));
  return {};
}
Status rtrim(std::string& to, Text text, Text set) {
  to.append(trim_right(text, set));
  return {};
}
Status btrim_spaces(std::string& to, Text text) {
  return btrim(to, text, " ");
}
Status ltrim_spaces(std::string& to, Text text) {
  return ltrim(to, text, " ");
}
Status rtrim_spaces(std::string& to, Text text) {
  return rtrim(to, text, " ");
}

enum class Side : bool { kLeft, kRight };

Status pad(std::string& to, Text text, Int wanted, Text fill, Side side) {
  std::size_t length = static_cast<std::size_t>(std::max(wanted, 0));
  const std::size_t has = count_characters(text);
  const std::size_t kept = std::min(has, length);
  if (fill.empty()) length = kept;
  if (static_cast<std::int64_t>(length) * kCharacterBytesMax + kHeaderBytes >
      static_cast<std::int64_t>(kValueBytesMax))
    return too_large();
  const Text body = text.substr(0, prefix_bytes(text, kept));
  if (side == Side::kRight) to.append(body);
  std::size_t missing = length - kept;
  const std::size_t fill_characters = count_characters(fill);
  for (; missing != 0 && missing >= fill_characters; missing -= fill_characters) to.append(fill);
  to.append(fill.substr(0, prefix_bytes(fill, missing)));
  if (side == Side::kLeft) to.append(body);
  return {};
}
Status lpad(std::string& to, Text text, Int length, Text fill) {
  return pad(to, text, length, fill, Side::kLeft);
}
Status rpad(std::string& to, Text text, Int length, Text fill) {
  return pad(to, text, length, fill, Side::kRight);
}
Status lpad_spaces(std::string& to, Text text, Int length) {
  return pad(to, text, length, " ", Side::kLeft);
}
Status rpad_spaces(std::string& to, Text text, Int length) {
  return pad(to, text, length, " ", Side::kRight);
}

Status repeat(std::string& to, Text text, Int count) {
  count = std::max(count, 0);
  const std::int64_t bytes = static_cast<std::int64_t>(text.size()) * count;
  if (bytes + kHeaderBytes > static_cast<std::int64_t>(kValueBytesMax)) return too_large();
  to.reserve(static_cast<std::size_t>(bytes));
  if (!text.empty())
    for (Int i = 0; i < count; ++i) to.append(text);
  return {};
}

Status replace(std::string& to, Text text, Text from, Text with) {
  std::size_t at = 0;
  while (!from.empty()) {
    const std::size_t found = find_bytes(text, from, at);
    if (found == Text::npos) break;
    COPPICE_TRY(append_bounded(to, text.substr(at, found - at)));
    COPPICE_TRY(append_bounded(to, with));
    at = found + from.size();
  }
  return append_bounded(to, text.substr(at));
}

Status reverse(std::string& to, Text text) {
  for (std::size_t end = text.size(); end > 0;) {
    std::size_t at = end - 1;
    while (at > 0 && !starts_character(text[at])) --at;
    to.append(text.substr(at, end - at));
    end = at;
  }
  return {};
}

Status overlay(std::string& to, Text text, Text with, Int start, Int length) {
  if (start <= 0) return std::unexpected(negative_length());
  const std::int64_t rest = std::int64_t{start} + length;
  if (rest > std::numeric_limits<Int>::max() || rest < std::numeric_limits<Int>::min())
    return std::unexpected(fault_error(Fault::kInt4Range));

  COPPICE_TRY(append_bounded(to, slice_characters(text, 0, start - 1)));
  COPPICE_TRY(append_bounded(to, with));
  return append_bounded(to, slice_characters(text, rest - 1, kToTheEnd));
}
Status overlay_same(std::string& to, Text text, Text with, Int start) {
  return overlay(to, text, with, start, size_of(count_characters(with)));
}

Status split_part(std::string& to, Text text, Text by, Int field) {
  if (field == 0) return std::unexpected(sql_error("22023", "field position must not be zero"));
  if (text.empty()) return {};
  if (by.empty()) {
    if (field == 1 || field == -1) to.append(text);
    return {};
  }
  if (field < 0) {
    std::int64_t fields = 1;
    for (std::size_t at = find_bytes(text, by); at != Text::npos;
         at = find_bytes(text, by, at + by.size()))
      ++fields;
    if (fields + field < 0) return {};
    field = static_cast<Int>(fields + field + 1);
  }
  std::size_t at = 0;
  for (; field > 1; --field) {
    const std::size_t found = find_bytes(text, by, at);
    if (found == Text::npos) return {};
    at = found + by.size();
  }
  const std::size_t end = find_bytes(text, by, at);
  to.append(text.substr(at, end == Text::npos ? Text::npos : end - at));
  return {};
}

Status translate(std::string& to, Text text, Text from, Text with) {
  for (std::size_t at = 0; at < text.size();) {
    const Text character = first_character(text.substr(at));
    at += character.size();
    const std::size_t found = find_bytes(from, character);
    if (found == Text::npos) {
      COPPICE_TRY(append_bounded(to, character));
      continue;
    }
    const Text rest = with.substr(prefix_bytes(with, count_characters(from.substr(0, found))));
    if (!rest.empty()) COPPICE_TRY(append_bounded(to, first_character(rest)));
  }
  return {};
}

Status ascii(Int& to, Text text) {
  to = text.empty() ? 0 : static_cast<Int>(code_point(text));
  return {};
}

Status chr(std::string& to, Int code) {
  const auto refuse = [](std::string message) {
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, std::move(message)));
  };
  if (code < 0) return std::unexpected(sql_error("22023", "character number must be positive"));
  if (code == 0) return refuse("null character not permitted");
  if (code > 0x10FFFF)
    return refuse("requested character too large for encoding: " + std::to_string(code));
  if (code >= 0xD800 && code <= 0xDFFF)
    return refuse("requested character not valid for encoding: " + std::to_string(code));
  append_code_point(to, static_cast<char32_t>(code));
  return {};
}

template <class T>
Status to_hex(std::string& to, T value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::make_unsigned_t<T>>(value), 16)
                       .ptr;
  to.append(digits.data(), end);
  return {};
}

Status concatenate(std::string& to, Text a, Text b) {
  COPPICE_TRY(append_bounded(to, a));
  return append_bounded(to, b);
}

constexpr std::array kFunctions = {
    FunctionRow{1317, "length", kInt4, {kText}, kCall<text_length>},
    FunctionRow{1318, "length", kInt4, {kBpchar}, kCall<bpchar_length>},
    FunctionRow{1257, "textlen", kInt4, {kText}, kCall<text_length>},
    FunctionRow{1381, "char_length", kInt4, {kText}, kCall<text_length>},
    FunctionRow{1372, "char_length", kInt4, {kBpchar}, kCall<bpchar_length>},
    FunctionRow{1369, "character_length", kInt4, {kText}, kCall<text_length>},
    FunctionRow{1367, "character_length", kInt4, {kBpchar}, kCall<bpchar_length>},
    FunctionRow{1374, "octet_length", kInt4, {kText}, kCall<octet_length>},
    FunctionRow{1375, "octet_length", kInt4, {kBpchar}, kCall<octet_length>},
    FunctionRow{1811, "bit_length", kInt4, {kText}, kCall<bit_length>},
    FunctionRow{849, "position", kInt4, {kText, kText}, kCall<position>},
    FunctionRow{868, "strpos", kInt4, {kText, kText}, kCall<position>},
    FunctionRow{3696, "starts_with", kBool, {kText, kText}, kCall<starts_with>},
    FunctionRow{883, "substr", kText, {kText, kInt4}, kCall<substr_from>},
    FunctionRow{877, "substr", kText, {kText, kInt4, kInt4}, kCall<substr>},
    FunctionRow{937, "substring", kText, {kText, kInt4}, kCall<substr_from>},
    FunctionRow{936, "substring", kText, {kText, kInt4, kInt4}, kCall<substr>},
    FunctionRow{3060, "left", kText, {kText, kInt4}, kCall<left>},
    FunctionRow{3061, "right", kText, {kText, kInt4}, kCall<right>},
    FunctionRow{884, "btrim", kText, {kText, kText}, kCall<btrim>},
    FunctionRow{885, "btrim", kText, {kText}, kCall<btrim_spaces>},
    FunctionRow{875, "ltrim", kText, {kText, kText}, kCall<ltrim>},
    FunctionRow{881, "ltrim", kText, {kText}, kCall<ltrim_spaces>},
    FunctionRow{876, "rtrim", kText, {kText, kText}, kCall<rtrim>},
    FunctionRow{882, "rtrim", kText, {kText}, kCall<rtrim_spaces>},
    FunctionRow{873, "lpad", kText, {kText, kInt4, kText}, kCall<lpad>},
    FunctionRow{879, "lpad", kText, {kText, kInt4}, kCall<lpad_spaces>},
    FunctionRow{874, "rpad", kText, {kText, kInt4, kText}, kCall<rpad>},
    FunctionRow{880, "rpad", kText, {kText, kInt4}, kCall<rpad_spaces>},
    FunctionRow{1622, "repeat", kText, {kText, kInt4}, kCall<repeat>},
    FunctionRow{2087, "replace", kText, {kText, kText, kText}, kCall<replace>},
    FunctionRow{3062, "reverse", kText, {kText}, kCall<reverse>},
    FunctionRow{1404, "overlay", kText, {kText, kText, kInt4, kInt4}, kCall<overlay>},
    FunctionRow{1405, "overlay", kText, {kText, kText, kInt4}, kCall<overlay_same>},
    FunctionRow{2088, "split_part", kText, {kText, kText, kInt4}, kCall<split_part>},
    FunctionRow{878, "translate", kText, {kText, kText, kText}, kCall<translate>},
    FunctionRow{1620, "ascii", kInt4, {kText}, kCall<ascii>},
    FunctionRow{1621, "chr", kText, {kInt4}, kCall<chr>},
    FunctionRow{2089, "to_hex", kText, {kInt4}, kCall<to_hex<std::int32_t>>},
    FunctionRow{2090, "to_hex", kText, {kInt8}, kCall<to_hex<std::int64_t>>},
    FunctionRow{1258, "textcat", kText, {kText, kText}, kCall<concatenate>},
};

}  // namespace

void add_string_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
