// format_text.cpp — quoting, and the mini-language of format().
//
// Source:   PostgreSQL 15, quote_identifier(), quote_literal(), text_format().
#include "plugins/sql/text/format_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/text_length.h"
#include "plugins/sql/text/text_parts.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

// Every keyword of the grammar that is not unreserved, in order.
constexpr std::array<std::string_view, 151> kReserved = {"all",
                                                         "analyse",
                                                         "analyze",
                                                         "and",
                                                         "any",
                                                         "array",
                                                         "as",
                                                         "asc",
                                                         "asymmetric",
                                                         "authorization",
                                                         "between",
                                                         "bigint",
                                                         "binary",
                                                         "bit",
                                                         "boolean",
                                                         "both",
                                                         "case",
                                                         "cast",
                                                         "char",
                                                         "character",
                                                         "check",
                                                         "coalesce",
                                                         "collate",
                                                         "collation",
                                                         "column",
                                                         "concurrently",
                                                         "constraint",
                                                         "create",
                                                         "cross",
                                                         "current_catalog",
                                                         "current_date",
                                                         "current_role",
                                                         "current_schema",
                                                         "current_time",
                                                         "current_timestamp",
                                                         "current_user",
                                                         "dec",
                                                         "decimal",
                                                         "default",
                                                         "deferrable",
                                                         "desc",
                                                         "distinct",
                                                         "do",
                                                         "else",
                                                         "end",
                                                         "except",
                                                         "exists",
                                                         "extract",
                                                         "false",
                                                         "fetch",
                                                         "float",
                                                         "for",
                                                         "foreign",
                                                         "freeze",
                                                         "from",
                                                         "full",
                                                         "grant",
                                                         "greatest",
                                                         "group",
                                                         "grouping",
                                                         "having",
                                                         "ilike",
                                                         "in",
                                                         "initially",
                                                         "inner",
                                                         "inout",
                                                         "int",
                                                         "integer",
                                                         "intersect",
                                                         "interval",
                                                         "into",
                                                         "is",
                                                         "isnull",
                                                         "join",
                                                         "lateral",
                                                         "leading",
                                                         "least",
                                                         "left",
                                                         "like",
                                                         "limit",
                                                         "localtime",
                                                         "localtimestamp",
                                                         "national",
                                                         "natural",
                                                         "nchar",
                                                         "none",
                                                         "normalize",
                                                         "not",
                                                         "notnull",
                                                         "null",
                                                         "nullif",
                                                         "numeric",
                                                         "offset",
                                                         "on",
                                                         "only",
                                                         "or",
                                                         "order",
                                                         "out",
                                                         "outer",
                                                         "overlaps",
                                                         "overlay",
                                                         "placing",
                                                         "position",
                                                         "precision",
                                                         "primary",
                                                         "real",
                                                         "references",
                                                         "returning",
                                                         "right",
                                                         "row",
                                                         "select",
                                                         "session_user",
                                                         "setof",
                                                         "similar",
                                                         "smallint",
                                                         "some",
                                                         "substring",
                                                         "symmetric",
                                                         "table",
                                                         "tablesample",
                                                         "then",
                                                         "time",
                                                         "timestamp",
                                                         "to",
                                                         "trailing",
                                                         "treat",
                                                         "trim",
                                                         "true",
                                                         "union",
                                                         "unique",
                                                         "user",
                                                         "using",
                                                         "values",
                                                         "varchar",
                                                         "variadic",
                                                         "verbose",
                                                         "when",
                                                         "where",
                                                         "window",
                                                         "with",
                                                         "xmlattributes",
                                                         "xmlconcat",
                                                         "xmlelement",
                                                         "xmlexists",
                                                         "xmlforest",
                                                         "xmlnamespaces",
                                                         "xmlparse",
                                                         "xmlpi",
                                                         "xmlroot",
                                                         "xmlserialize",
                                                         "xmltable"};

bool is_plain_identifier(std::string_view name) {
  if (name.empty() || is_digit(name[0])) return false;
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_'; };
  return std::ranges::all_of(name, plain) && !std::ranges::binary_search(kReserved, name);
}

void append_doubling(std::string_view text, char quote, bool slashes, std::string& to) {
  for (const char c : text) {
    if (c == quote || (slashes && c == '\\')) to.push_back(c);
    to.push_back(c);
  }
}

// Quoting at most doubles a text.
Status check_doubled(std::string_view text, const std::string& to) {
  if (to.size() + text.size() * 2 + 3 <= kValueBytesMax) return {};
  return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "out of memory"));
}

std::unexpected<Error> bad_format(std::string message) {
  return std::unexpected(sql_error("22023", std::move(message)));
}
Error with_hint(Error error) {
  return std::move(error).note(sql_field::kHint, "For a single \"%\" use \"%%\".");
}

}  // namespace

Status append_identifier(std::string_view name, std::string& to) {
  if (is_plain_identifier(name)) return append_bounded(to, name);
  COPPICE_TRY(check_doubled(name, to));
  to.push_back('"');
  append_doubling(name, '"', false, to);
  to.push_back('"');
  return {};
}

Status append_literal(std::string_view text, std::string& to) {
  COPPICE_TRY(check_doubled(text, to));
  const bool slashes = text.find('\\') != std::string_view::npos;
  to.append(slashes ? "E'" : "'");
  append_doubling(text, '\'', slashes, to);
  to.push_back('\'');
  return {};
}

namespace {

struct Specifier {
  std::int32_t position = 0;         // of the value, counted from 1; 0: the next one
  std::int32_t width_position = -1;  // likewise; -1: the width is `width`
  std::int32_t width = 0;
  bool left = false;
};

class FormatReader {
 public:
  explicit FormatReader(std::string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  char peek() const { return text_[at_]; }
  std::string_view character() const {
    const std::string_view rest = text_.substr(at_);
    return rest.substr(0, character_bytes(rest));
  }
  void skip() { ++at_; }
  Status advance() {
    if (++at_ < text_.size()) return {};
    return std::unexpected(with_hint(sql_error("22023", "unterminated format() type specifier")));
  }

  // From after the % to the letter of the conversion.
  Result<Specifier> specifier() {
    Specifier spec;
    const std::optional<std::int32_t> first = COPPICE_TRY(number());
    if (first && peek() != '$') {
      spec.width = *first;
      return spec;
    }
    if (first) {
      COPPICE_TRY(check_position(*first));
      spec.position = *first;
      COPPICE_TRY(advance());
    }
    while (peek() == '-') {
      spec.left = true;
      COPPICE_TRY(advance());
    }
    if (peek() != '*') {
      const std::optional<std::int32_t> width = COPPICE_TRY(number());
      spec.width = width.value_or(0);
      return spec;
    }
    COPPICE_TRY(advance());
    spec.width_position = 0;
    const std::optional<std::int32_t> argument = COPPICE_TRY(number());
    if (!argument) return spec;
    if (peek() != '$') return bad_format("width argument position must be ended by \"$\"");
    COPPICE_TRY(check_position(*argument));
    spec.width_position = *argument;
    COPPICE_TRY(advance());
    return spec;
  }

 private:
  static Status check_position(std::int32_t position) {
    if (position != 0) return {};
    return bad_format("format specifies argument 0, but arguments are numbered from 1");
  }
  Result<std::optional<std::int32_t>> number() {
    if (!is_digit(peek())) return std::optional<std::int32_t>();
    std::int64_t value = 0;
    while (is_digit(peek())) {
      value = value * 10 + (peek() - '0');
      if (value > std::numeric_limits<std::int32_t>::max())
        return std::unexpected(sql_error("22003", "number is out of range"));
      COPPICE_TRY(advance());
    }
    return std::optional<std::int32_t>(static_cast<std::int32_t>(value));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Status append_conversion(char conversion, const std::optional<std::string_view>& value,
                         std::string& to) {
  if (!value) {
    if (conversion == 'L') to.append("NULL");
    if (conversion == 'I')
      return std::unexpected(
          sql_error("22004", "null values cannot be formatted as an SQL identifier"));
    return {};
  }
  if (conversion == 'I') return append_identifier(*value, to);
  if (conversion == 'L') return append_literal(*value, to);
  return append_bounded(to, *value);
}

Result<std::int32_t> width_of(const std::optional<std::string_view>& value) {
  if (!value) return 0;
  std::int32_t width = 0;
  const std::string_view text = trim_spaces(*value);
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, width);
  if (read.ec == std::errc::result_out_of_range) return text_out_of_range("integer", *value);
  if (read.ec != std::errc() || read.ptr != end) return invalid_text("integer", *value);
  return width;
}

Status append_padded(std::string_view text, std::int64_t width, bool left, std::string& to) {
  if (width < -std::int64_t{std::numeric_limits<std::int32_t>::max()})
    return std::unexpected(sql_error("22003", "number is out of range"));
  left |= width < 0;
  width = std::abs(width);
  const auto missing = width - static_cast<std::int64_t>(count_characters(text));
  if (missing > static_cast<std::int64_t>(kValueBytesMax - text.size()))
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "out of memory"));
  const std::string padding(static_cast<std::size_t>(std::max<std::int64_t>(missing, 0)), ' ');
  if (!left) COPPICE_TRY(append_bounded(to, padding));
  COPPICE_TRY(append_bounded(to, text));
  return left ? append_bounded(to, padding) : Status();
}

// The values that specifiers refer to, by position or one after the other.
class Values {
 public:
  explicit Values(std::span<const std::optional<std::string_view>> values) : values_(values) {}
  Result<std::optional<std::string_view>> take(std::int32_t position) {
    const std::size_t at = position > 0 ? static_cast<std::size_t>(position) - 1 : next_;
    if (at >= values_.size()) return bad_format("too few arguments for format()");
    next_ = at + 1;
    return values_[at];
  }

 private:
  std::span<const std::optional<std::string_view>> values_;
  std::size_t next_ = 0;
};

}  // namespace

Status append_format(std::string_view format,
                     std::span<const std::optional<std::string_view>> arguments, std::string& to) {
  FormatReader reader(format);
  Values values(arguments);
  std::string piece;
  for (; !reader.done(); reader.skip()) {
    if (reader.peek() != '%') {
      to.push_back(reader.peek());
      continue;
    }
    COPPICE_TRY(reader.advance());
    if (reader.peek() == '%') {
      to.push_back('%');
      continue;
    }
    const Specifier spec = COPPICE_TRY(reader.specifier());
    const char conversion = reader.peek();
    if (conversion != 's' && conversion != 'I' && conversion != 'L')
      return std::unexpected(
          with_hint(sql_error("22023", "unrecognized format() type specifier \"" +
                                           std::string(reader.character()) + "\"")));
    std::int64_t width = spec.width;
    if (spec.width_position >= 0) {
      const std::optional<std::string_view> text = COPPICE_TRY(values.take(spec.width_position));
      width = COPPICE_TRY(width_of(text));
    }
    const std::optional<std::string_view> value = COPPICE_TRY(values.take(spec.position));
    piece.clear();
    COPPICE_TRY(append_conversion(conversion, value, piece));
    COPPICE_TRY(append_padded(piece, width, spec.left, to));
  }
  return {};
}

}  // namespace coppice::sql_text
