// config_toml.cpp — the only file that sees toml++.
#include "kernel/core/config_toml.h"

#include <algorithm>
#include <tuple>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Its asserts fire on input ("[" and a line break), and under NDEBUG they become assumptions. As
// nothing they are right: the code after them answers with an error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace coppice {

namespace {

using File = std::shared_ptr<const std::string>;

ConfigPosition position(const toml::source_region& region, const File& file) {
  return {file, region.begin.line, region.begin.column};
}

ConfigValue convert(const toml::node& node, const File& file);

ConfigValue::Table convert_table(const toml::table& table, const File& file) {
  ConfigValue::Table members;
  for (const auto& [key, value] : table) {
    members.push_back({std::string(key.str()), position(key.source(), file), convert(value, file)});
  }
  std::ranges::sort(members, {}, [](const ConfigValue::Member& member) {  // file's order
    return std::tuple(member.key_at.line, member.key_at.column, std::string_view(member.key));
  });
  return members;
}

// Recursion is bounded by toml++'s own limit (TOML_MAX_NESTED_VALUES, 256).
ConfigValue convert(const toml::node& node, const File& file) {
  ConfigValue out;
  out.at = position(node.source(), file);
  if (const auto* table = node.as_table()) {
    out.data = convert_table(*table, file);
  } else if (const auto* array = node.as_array()) {
    ConfigValue::List list;
    for (const toml::node& item : *array) list.push_back(convert(item, file));
    out.data = std::move(list);
  } else if (const auto* text = node.as_string()) {
    out.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    out.data = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.data = boolean->get();
  } else {
    out.data = ConfigValue::Other{};
  }
  return out;
}

void set_position(ConfigValue& value, const ConfigPosition& at) {
  value.at = at;
  if (auto* list = std::get_if<ConfigValue::List>(&value.data)) {
    for (ConfigValue& item : *list) set_position(item, at);
  }
  if (auto* table = std::get_if<ConfigValue::Table>(&value.data)) {
    for (ConfigValue::Member& member : *table) {
      member.key_at = at;
      set_position(member.value, at);
    }
  }
}

ConfigValue parse_override_value(std::string_view value) {
  auto parsed = parse_toml("value = " + std::string(value), "");
  if (parsed && parsed->as_table()->size() == 1) {
    return parsed->as_table()->front().value;
  }
  ConfigValue text;
  text.data = std::string(value);
  return text;
}

}  // namespace

Result<ConfigValue> parse_toml(std::string_view text, std::string file) {
  const auto name = std::make_shared<const std::string>(std::move(file));
  if (text.size() > kConfigBytesMax) {
    return fail(Code::kInvalidArgument, *name + ": a config file is at most 1 MiB");
  }
  const toml::parse_result parsed = toml::parse(text, *name);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail(Code::kInvalidArgument, position(error.source(), name).to_string() + ": " +
                                            std::string(error.description()));
  }
  return convert(parsed.table(), name);
}

Status override_config(ConfigValue& tree, std::string_view path, std::string_view value,
                       std::string said_by) {
  const ConfigPosition at{std::make_shared<const std::string>(std::move(said_by)), 0, 0};
  ConfigValue* into = &tree;
  for (std::string_view rest = path;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    if (key.empty()) {
      return fail(Code::kInvalidArgument,
                  *at.file + ": expected section.key=value, as in lsm.vfs=data");
    }
    if (into->as_table() == nullptr) {
      return fail(Code::kInvalidArgument,
                  *at.file + ": what stands before \"" + std::string(key) + "\" is no table");
    }
    ConfigValue::Member& member = into->member(key, at);
    into = &member.value;
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  *into = parse_override_value(value);
  set_position(*into, at);
  return {};
}

}  // namespace coppice
