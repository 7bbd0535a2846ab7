// setting_table.cpp — reading the built-in list.
#include "modules/session/setting_table.h"

#include <algorithm>
#include <array>

#include "kernel/base/assert.h"

namespace coppice::session {

namespace {

constexpr std::string_view kReported[] = {"application_name",
                                          "client_encoding",
                                          "DateStyle",
                                          "default_transaction_read_only",
                                          "in_hot_standby",
                                          "integer_datetimes",
                                          "IntervalStyle",
                                          "is_superuser",
                                          "server_encoding",
                                          "server_version",
                                          "TimeZone",
                                          "session_authorization",
                                          "standard_conforming_strings"};

// Settings that PostgreSQL shows by name only.
constexpr Setting kUnlisted[] = {
    {.name = "is_superuser",
     .type = SettingType::kBool,
     .context = SettingContext::kInternal,
     .context_name = "internal",
     .type_name = "bool",
     .default_value = "on",
     .unit = {},
     .min = {},
     .max = {},
     .words = {},
     .category = "Reporting and Logging / What to Log",
     .description = "Shows whether the current user is a superuser.",
     .reported = true,
     .listed = false},
    {.name = "role",
     .type = SettingType::kString,
     .context = SettingContext::kUser,
     .context_name = "user",
     .type_name = "string",
     .default_value = "none",
     .unit = {},
     .min = {},
     .max = {},
     .words = {},
     .category = "Ungrouped",
     .description = "Sets the current role.",
     .reported = false,
     .listed = false},
    {.name = "session_authorization",
     .type = SettingType::kString,
     .context = SettingContext::kUser,
     .context_name = "user",
     .type_name = "string",
     .default_value = "",
     .unit = {},
     .min = {},
     .max = {},
     .words = {},
     .category = "Ungrouped",
     .description = "Sets the session user name.",
     .reported = true,
     .listed = false},
};

SettingType type_of(std::string_view name) {
  if (name == "bool") return SettingType::kBool;
  if (name == "integer") return SettingType::kInteger;
  if (name == "real") return SettingType::kReal;
  return name == "enum" ? SettingType::kEnum : SettingType::kString;
}

SettingContext context_of(std::string_view name) {
  if (name == "internal") return SettingContext::kInternal;
  if (name == "postmaster") return SettingContext::kPostmaster;
  if (name == "sighup") return SettingContext::kSighup;
  return name.ends_with("backend") ? SettingContext::kBackend : SettingContext::kUser;
}

Setting setting_of(std::string_view line) {
  std::array<std::string_view, 10> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  Setting setting;
  setting.name = fields[0];
  setting.type = type_of(fields[1]);
  setting.type_name = fields[1];
  setting.context = context_of(fields[2]);
  setting.context_name = fields[2];
  setting.default_value = fields[3];
  setting.unit = fields[4];
  setting.min = fields[5];
  setting.max = fields[6];
  setting.words = fields[7];
  setting.category = fields[8];
  setting.description = fields[9];
  setting.reported = std::ranges::find(kReported, setting.name) != std::end(kReported);
  return setting;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

SettingTable::SettingTable() {
  std::string_view text = kSettingsText;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    settings_.push_back(setting_of(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  settings_.insert(settings_.end(), std::begin(kUnlisted), std::end(kUnlisted));
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const bool added = by_name_.emplace(lower_case(settings_[i].name), i).second;
    COPPICE_ASSERT(added);
  }
}

const Setting* SettingTable::find(std::string_view name) const {
  const auto found = by_name_.find(lower_case(name));
  return found == by_name_.end() ? nullptr : &settings_[found->second];
}

}  // namespace coppice::session
