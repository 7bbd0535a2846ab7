#include "tests/modules/planner/parse/json_oracle.h"

#include <pg_query.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace coppice::planner {
namespace {

struct Json {
  std::string scalar;  // of a string, with is_string; else the literal's text
  bool is_string = false;
  bool is_array = false;
  std::vector<std::string> keys;  // of an object, with their values
  std::vector<Json> values;
  std::vector<Json> items;

  const Json* find(const std::string& key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key) return &values[i];
    return nullptr;
  }
};

// Reads what libpg_query writes; not a general JSON reader.
class Reader {
 public:
  explicit Reader(const char* at) : at_(at) {}

  Json value() {
    Json json;
    if (*at_ == '{') {
      ++at_;
      while (*at_ != '}') {
        json.keys.push_back(string());
        ++at_;  // ':'
        json.values.push_back(value());
        if (*at_ == ',') ++at_;
      }
      ++at_;
    } else if (*at_ == '[') {
      json.is_array = true;
      ++at_;
      while (*at_ != ']') {
        json.items.push_back(value());
        if (*at_ == ',') ++at_;
      }
      ++at_;
    } else if (*at_ == '"') {
      json.is_string = true;
      json.scalar = string();
    } else {
      while (*at_ != ',' && *at_ != '}' && *at_ != ']') json.scalar += *at_++;
    }
    return json;
  }

 private:
  std::string string() {
    std::string text;
    ++at_;
    while (*at_ != '"') {
      if (*at_ == '\\') {
        ++at_;
        if (*at_ == 'u') {
          text += static_cast<char>(std::stoi(std::string(at_ + 1, 4), nullptr, 16));
          at_ += 5;
          continue;
        }
        const std::string_view codes = "ntrbf";
        const std::size_t code = codes.find(*at_);
        text += code == std::string_view::npos ? *at_ : "\n\t\r\b\f"[code];
        ++at_;
        continue;
      }
      text += *at_++;
    }
    ++at_;
    return text;
  }
  const char* at_;
};

bool is_enumerator(const std::string& text) {
  for (const char* prefix : {"CTEMaterialize", "LockWait", "AT_", "AEXPR_"})
    if (text.starts_with(prefix)) return true;
  return text.find('_') != std::string::npos && std::ranges::all_of(text, [](char c) {
           return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
         });
}

void walk(const Json& json, JsonTree& to, bool in_array = false) {
  if (json.is_string) {
    if (!is_enumerator(json.scalar)) to.strings.push_back(json.scalar);
    return;
  }
  for (const Json& item : json.items) walk(item, to, true);
  if (json.is_array || !json.scalar.empty()) return;
  if (in_array && json.keys.empty()) return;  // a null in a list
  const bool tagged =
      json.keys.size() == 1 && std::isupper(static_cast<unsigned char>(json.keys[0][0]));
  if (tagged) {
    const std::string& tag = json.keys[0];
    const Json& node = json.values[0];
    if (tag == "List") return walk(*node.find("items"), to);
    const Json* column = node.find("colno");
    if (tag == "MultiAssignRef" && column->scalar != "1") {  // repeats the shared source
      ++to.nodes;
      return;
    }
    return walk(node, to);
  }
  ++to.nodes;
  const Json* kind = json.find("kind");
  const bool named_by_kind = kind != nullptr && kind->scalar.starts_with("AEXPR_") &&
                             kind->scalar != "AEXPR_OP" && kind->scalar != "AEXPR_OP_ANY" &&
                             kind->scalar != "AEXPR_OP_ALL";
  for (std::size_t i = 0; i < json.keys.size(); ++i) {
    if (named_by_kind && json.keys[i] == "name") {
      to.nodes += json.values[i].items.size();
    } else {
      walk(json.values[i], to);
    }
  }
}

}  // namespace

std::optional<JsonTree> json_tree(const std::string& text) {
  const PgQueryParseResult result = pg_query_parse(text.c_str());
  std::optional<JsonTree> tree;
  if (result.error == nullptr) {
    tree.emplace();
    const Json root = Reader(result.parse_tree).value();
    if (const Json* statements = root.find("stmts"))
      for (const Json& statement : statements->items) walk(*statement.find("stmt"), *tree);
  }
  pg_query_free_parse_result(result);
  return tree;
}

}  // namespace coppice::planner
