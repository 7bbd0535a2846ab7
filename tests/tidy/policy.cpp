// policy.cpp — the only file of the lint that sees toml++.
#include "tests/tidy/policy.h"

#include <fnmatch.h>
#include <toml++/toml.h>

#include <algorithm>

namespace coppice::tidy {
namespace {

std::string text_of(const toml::node_view<const toml::node>& node) {
  return node.value_or(std::string());
}

std::vector<std::string> texts_of(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> out;
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list) out.push_back(item.value_or(std::string()));
  }
  return out;
}

// Calls `take` with every table of [[name]].
template <class Take>
void for_each_table(const toml::table& root, std::string_view name, Take take) {
  const toml::array* list = root[name].as_array();
  if (list == nullptr) return;
  for (const toml::node& item : *list) {
    if (const toml::table* table = item.as_table()) take(*table);
  }
}

Policy policy_of(const toml::table& root) {
  Policy policy;
  for_each_table(root, "layer", [&](const toml::table& row) {
    policy.layers.push_back({text_of(row["where"]), texts_of(row["includes"])});
  });
  for_each_table(root, "library", [&](const toml::table& row) {
    policy.libraries.push_back({text_of(row["name"]), texts_of(row["headers"])});
  });
  for_each_table(root, "third_party", [&](const toml::table& row) {
    policy.third_party.push_back({text_of(row["where"]), texts_of(row["libraries"])});
  });
  for_each_table(root, "banned", [&](const toml::table& row) {
    policy.banned.push_back({text_of(row["rule"]), texts_of(row["patterns"]),
                             texts_of(row["where"]), texts_of(row["except"]), text_of(row["why"])});
  });
  policy.private_names = texts_of(root["private_names"]);
  return policy;
}

}  // namespace

Result<Policy> parse_policy(std::string_view toml_text) {
  try {
    return policy_of(toml::parse(toml_text));
  } catch (const toml::parse_error& error) {
    return fail(Code::kInvalidArgument, "layers.toml:" + std::to_string(error.source().begin.line) +
                                            ": " + std::string(error.description()));
  }
}

bool matches(std::string_view path, const std::string& where) {
  if (where.find('*') != std::string::npos) {
    return fnmatch(where.c_str(), std::string(path).c_str(), 0) == 0;
  }
  if (!path.starts_with(where)) return false;
  return path.size() == where.size() || path[where.size()] == '/';
}

bool matches_any(std::string_view path, const std::vector<std::string>& where) {
  return std::ranges::any_of(where, [&](const std::string& one) { return matches(path, one); });
}

std::string_view own_folder(std::string_view path, std::string_view where) {
  std::size_t end = 0;
  for (auto parts = std::ranges::count(where, '/') + 1; parts > 0; --parts) {
    end = path.find('/', end + (end > 0 ? 1 : 0));
    if (end == std::string_view::npos) return path.substr(0, path.rfind('/'));
  }
  return path.substr(0, end);
}

}  // namespace coppice::tidy
