// config_value.h — what a config file says, before anybody knows what it means: a tree of values
// with file:line:col, and the list of problems found in it.
//
// Role:     the border between the TOML parser (config_toml.cpp) and typed config (config.h).
// Threads:  one at a time.   Parks: never.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/base/result.h"

namespace coppice {

// Where something was written. `file` is a path, or the command-line option that said it; the
// latter has no line.
struct ConfigPosition {
  std::shared_ptr<const std::string> file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return file != nullptr; }
  std::string to_string() const;  // "coppice.toml:23:1", "--set lsm.vfs=x", or ""
};

class ConfigValue {
 public:
  struct Member;
  struct Other {};  // a TOML value that no key of ours takes: a date or a time
  using List = std::vector<ConfigValue>;
  using Table = std::vector<Member>;  // in the order of the file

  ConfigValue();  // an empty table
  ConfigValue(const ConfigValue&);
  ConfigValue(ConfigValue&&) noexcept;
  ConfigValue& operator=(const ConfigValue&);
  ConfigValue& operator=(ConfigValue&&) noexcept;
  ~ConfigValue();

  const bool* as_bool() const { return std::get_if<bool>(&data); }
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&data); }
  const double* as_float() const { return std::get_if<double>(&data); }
  const std::string* as_string() const { return std::get_if<std::string>(&data); }
  const List* as_list() const { return std::get_if<List>(&data); }
  const Table* as_table() const { return std::get_if<Table>(&data); }

  std::string_view kind_text() const;                       // "an integer", "a table"
  const Member* find_member(std::string_view key) const;    // null when absent or not a table
  Member& member(std::string_view key, ConfigPosition at);  // made when absent; becomes a table

  std::variant<bool, std::int64_t, double, std::string, List, Table, Other> data;
  ConfigPosition at;
};

struct ConfigValue::Member {
  std::string key;
  ConfigPosition key_at;
  ConfigValue value;
};

// Everything that is wrong with a configuration; checking goes on after the first.
class Problems {
 public:
  static constexpr std::size_t kProblemsMax = 100;  // further ones are counted only

  void add(std::string text) { add(ConfigPosition{}, std::move(text)); }
  void add(const ConfigPosition& at, std::string text);  // "file:line:col: text"

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  // One line each, by file and line, those without a place last; then "5 problems; nothing was
  // started".
  std::string to_string() const;
  Status to_status() const;  // kInvalidArgument with to_string() as its message; OK when empty

 private:
  struct Problem {
    ConfigPosition at;
    std::string text;
    std::size_t order;  // of being found; decides within a place
  };
  std::vector<Problem> problems_;
  std::size_t count_ = 0;
};

}  // namespace coppice
