// builtin_data.cpp — looking things up in the tables of data/.
#include "modules/catalog/pg_catalog/builtin_data.h"

#include <array>
#include <charconv>

#include "kernel/base/assert.h"
#include "modules/catalog/pg_catalog/builtin_texts.h"
#include "modules/catalog/pg_catalog/copy_text.h"

namespace coppice::catalog {

namespace {

std::string_view text_of(std::string_view name) {
  for (std::size_t i = 0; i < kBuiltinTextCount; ++i) {
    if (kBuiltinTexts[i].name == name) return kBuiltinTexts[i].text;
  }
  return {};
}

// None of these tables holds an escape, so that fields can be viewed where they are.
template <std::size_t count>
std::array<std::string_view, count> plain_fields(std::string_view line) {
  std::array<std::string_view, count> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  COPPICE_ASSERT(error == std::errc() && end == text.data() + text.size());
  return number;
}

}  // namespace

std::vector<BuiltinRelation> builtin_relations() {
  std::vector<BuiltinRelation> relations;
  std::string_view text = text_of("columns");
  while (const auto line = take_line(text)) {
    const auto [relation, oid, kind, column, type, not_null] = plain_fields<6>(*line);
    if (relations.empty() || relations.back().name != relation)
      relations.push_back(
          {.name = relation, .oid = number_of(oid), .kind = kind.front(), .columns = {}});
    relations.back().columns.push_back(
        {.name = column, .type = number_of(type), .not_null = not_null == "t"});
  }
  return relations;
}

std::string_view builtin_rows(std::string_view relation) {
  return text_of(relation);
}

std::string_view builtin_type_name(TypeOid type) {
  std::string_view text = text_of("type_names");
  while (const auto line = take_line(text)) {
    const auto [oid, name] = plain_fields<2>(*line);
    if (number_of(oid) == type) return name;
  }
  return {};
}

std::string_view builtin_function_name(FunctionOid function) {
  std::string_view text = text_of("functions");
  while (const auto line = take_line(text)) {
    const auto [oid, name] = plain_fields<2>(*line);
    if (number_of(oid) == function) return name;
  }
  return {};
}

FunctionOid builtin_function(std::string_view name) {
  std::string_view text = text_of("functions");
  while (const auto line = take_line(text)) {
    const auto [oid, found] = plain_fields<2>(*line);
    if (found == name) return number_of(oid);
  }
  return 0;
}

bool is_reserved_keyword(std::string_view word) {
  std::string_view text = text_of("keywords");
  while (const auto line = take_line(text)) {
    if (*line == word) return true;
  }
  return false;
}

}  // namespace coppice::catalog
