// setting_table.h — every setting there is: name, type, default, bounds, who may change it.
//
// Role:     the registry; PostgreSQL 15's own list (data/settings.tsv), so that SHOW ALL, ranges
//           and error texts are PostgreSQL's. What a setting does is up to whoever reads it.
// Owns:     the rows, which view the text that is built into the binary.
// Threads:  immutable once made.   Parks: never.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::session {

enum class SettingType : std::uint8_t { kBool, kInteger, kReal, kString, kEnum };

// Who may change it, as pg_settings.context says.
enum class SettingContext : std::uint8_t { kInternal, kPostmaster, kSighup, kBackend, kUser };

struct Setting {
  std::string_view name;  // as PostgreSQL spells it: "DateStyle"
  SettingType type = SettingType::kString;
  SettingContext context = SettingContext::kUser;
  std::string_view context_name, type_name;
  std::string_view default_value;
  std::string_view unit;      // "kB", "ms", …; empty: none
  std::string_view min, max;  // numbers
  std::string_view words;     // kEnum: "a,b,c"
  std::string_view category, description;
  bool reported = false;  // by ParameterStatus
  bool listed = true;     // in SHOW ALL and pg_settings
};

class SettingTable {
 public:
  SettingTable();
  const Setting* find(std::string_view name) const;  // in any case; null when there is none
  std::span<const Setting> all() const { return settings_; }

 private:
  std::vector<Setting> settings_;
  std::map<std::string, std::size_t, std::less<>> by_name_;  // lower case
};

std::string lower_case(std::string_view text);  // ASCII letters only

// The contents of data/settings.tsv; defined by a file that CMake generates.
extern const std::string_view kSettingsText;

}  // namespace coppice::session
