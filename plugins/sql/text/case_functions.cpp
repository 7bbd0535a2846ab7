// case_functions.cpp — lower, upper, initcap.
//
// Source:   PostgreSQL 15, formatting.c: code point by code point, as towlower() has it.
#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/case_text.h"
#include "plugins/sql/text/letters.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

using type_oid::kText;

// map(code) -> code, in order.
template <class Map>
void map_characters(std::string_view text, std::string& to, Map map) {
  to.reserve(to.size() + text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_code_point(to, map(static_cast<unsigned char>(text[at++])));
      continue;
    }
    const std::string_view rest = text.substr(at);
    append_code_point(to, map(code_point(rest)));
    at += character_bytes(rest);
  }
}

}  // namespace

void append_lower(std::string_view text, std::string& to) {
  map_characters(text, to, to_lower);
}

void append_upper(std::string_view text, std::string& to) {
  map_characters(text, to, to_upper);
}

void append_initcap(std::string_view text, std::string& to) {
  bool inside = false;
  map_characters(text, to, [&](char32_t code) {
    const char32_t mapped = inside ? to_lower(code) : to_upper(code);
    inside = is_alphanumeric(mapped);
    return mapped;
  });
}

namespace {

Status lower(std::string& to, std::string_view text) {
  append_lower(text, to);
  return {};
}
Status upper(std::string& to, std::string_view text) {
  append_upper(text, to);
  return {};
}
Status initcap(std::string& to, std::string_view text) {
  append_initcap(text, to);
  return {};
}

constexpr std::array kFunctions = {
    FunctionRow{870, "lower", kText, {kText}, kCall<lower>},
    FunctionRow{871, "upper", kText, {kText}, kCall<upper>},
    FunctionRow{872, "initcap", kText, {kText}, kCall<initcap>},
};

}  // namespace

void add_case_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
