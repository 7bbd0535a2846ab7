// copy_text.cpp — splitting and unescaping.
#include "modules/catalog/pg_catalog/copy_text.h"

#include <algorithm>

namespace coppice::catalog {

namespace {

char unescaped(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

std::optional<std::string> field_of(std::string_view text) {
  if (text == "\\N") return std::nullopt;
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    value += escape ? unescaped(text[++i]) : text[i];
  }
  return value;
}

}  // namespace

std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::vector<std::optional<std::string>> copy_fields(std::string_view line) {
  std::vector<std::optional<std::string>> fields;
  for (;;) {
    const std::size_t end = line.find('\t');
    fields.push_back(field_of(line.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

}  // namespace coppice::catalog
