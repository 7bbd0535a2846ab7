// session_settings.cpp — values, scopes and their end.
#include "modules/session/session_settings.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "interfaces/types/sql_error.h"
#include "modules/session/copy_text.h"

namespace coppice::session {

namespace {

Error unrecognized(std::string_view name) {
  return sql_error("42704", "unrecognized configuration parameter \"" + std::string(name) + "\"");
}

// "my.setting": anybody may have such.
bool is_custom(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos || name.ends_with('.')) return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

constexpr std::size_t kCustomMax = 1000;          // settings with values of their own
constexpr std::size_t kValueBytesMax = 16 << 10;  // of one value

// These are of one transaction, or of who the client is: RESET ALL leaves them.
bool survives_reset_all(std::string_view name) {
  return name.starts_with("transaction_") || name == "role" || name == "session_authorization" ||
         name == "is_superuser";
}

}  // namespace

SessionSettings::SessionSettings(const SettingTable& table, ZoneCheck known_zone)
    : table_(table), known_zone_(std::move(known_zone)) {
  const auto all = reported();
  for (const auto& [name, value] : all) told_[name] = value;
  refresh_path();
}

void SessionSettings::refresh_path() {
  ++path_version_;
  hot_.search_path.clear();
  if (!split_identifiers(value("search_path"), hot_.search_path)) hot_.search_path.clear();
  const std::string user = value("session_authorization");
  // The schema of the server's own relations is nobody's.
  if (user == "coppice") std::erase(hot_.search_path, "$user");
  for (std::string& name : hot_.search_path) {
    if (name == "$user") name = user;
  }
}

const SessionSettings::Values* SessionSettings::find(std::string_view canonical) const {
  const auto found = values_.find(canonical);
  return found == values_.end() ? nullptr : &found->second;
}

std::string_view SessionSettings::spelling(std::string_view name) const {
  const Setting* setting = table_.find(name);
  return setting == nullptr ? name : setting->name;
}

std::string SessionSettings::value(std::string_view name) const {
  const Setting* setting = table_.find(name);
  if (setting != nullptr && setting->name.starts_with("transaction_")) {
    if (setting->name == "transaction_isolation")
      return isolation_.empty() ? value("default_transaction_isolation") : std::string(isolation_);
    if (setting->name == "transaction_read_only")
      return read_only_.empty() ? value("default_transaction_read_only") : std::string(read_only_);
  }
  const Values* values = find(setting == nullptr ? lower_case(name) : setting->name);
  if (values != nullptr) {
    if (values->local) return *values->local;
    if (values->session) return *values->session;
    if (values->startup) return *values->startup;
  }
  return std::string(setting == nullptr ? "" : setting->default_value);
}

Result<std::string> SessionSettings::show(std::string_view name) const {
  const Setting* setting = table_.find(name);
  if (setting != nullptr) return show_setting(*setting, value(name));
  if (find(lower_case(name)) == nullptr) return std::unexpected(unrecognized(name));
  return value(name);
}

Status SessionSettings::check_allowed(const Setting& setting, SettingScope scope) const {
  const std::string name = "parameter \"" + std::string(setting.name) + "\" cannot be ";
  switch (setting.context) {
    case SettingContext::kInternal:
      return std::unexpected(sql_error("55P02", name + "changed"));
    case SettingContext::kPostmaster:
      return std::unexpected(sql_error("55P02", name + "changed without restarting the server"));
    case SettingContext::kSighup:
      return std::unexpected(sql_error("55P02", name + "changed now"));
    case SettingContext::kBackend:
      if (scope == SettingScope::kStartup) return {};
      return std::unexpected(sql_error("55P02", name + "set after connection start"));
    case SettingContext::kUser:
      return {};
  }
  return {};
}

Status SessionSettings::set(std::string_view name, const std::optional<std::string>& value,
                            SettingScope scope) {
  const Setting* setting = table_.find(name);
  std::string canonical(setting == nullptr ? lower_case(name) : setting->name);
  if (value && value->size() > kValueBytesMax) {
    return std::unexpected(sql_error("22023", "invalid value for parameter \"" + canonical + "\""));
  }
  std::optional<std::string> checked = value;
  if (setting != nullptr) {
    COPPICE_TRY(check_allowed(*setting, scope));
    if (value)
      checked = COPPICE_TRY(read_setting(*setting, *value, this->value(name), known_zone_));
    if (canonical == "default_transaction_isolation" && checked == "serializable") {
      return std::unexpected(
          sql_error(sqlstate::kFeatureNotSupported, "SERIALIZABLE isolation is not supported"));
    }
  } else if (!is_custom(name)) {
    return std::unexpected(unrecognized(name));
  } else if (find(canonical) == nullptr && values_.size() > kCustomMax) {
    return std::unexpected(sql_error("54000", "too many configuration parameters"));
  }
  Values to;
  if (const Values* before = find(canonical)) to = *before;
  switch (scope) {
    case SettingScope::kStartup:
      to.startup = std::move(checked);
      break;
    case SettingScope::kSession:
      to.session = std::move(checked);
      to.local.reset();
      break;
    case SettingScope::kLocal:
      if (!checked)
        checked = to.startup ? *to.startup
                             : std::string(setting == nullptr ? "" : setting->default_value);
      to.local = std::move(checked);
      break;
  }
  change(canonical, std::move(to));
  return {};
}

void SessionSettings::force(std::string_view name, std::string value) {
  Values to;
  const std::string canonical(spelling(name));
  if (const Values* before = find(canonical)) to = *before;
  to.startup = std::move(value);
  values_[canonical] = std::move(to);
  refresh(canonical);
}

void SessionSettings::change(const std::string& canonical, Values to) {
  Values& now = values_[canonical];
  const auto since = std::span(undo_).subspan(floor_);
  if (std::ranges::find(since, canonical, &Undo::name) == since.end())
    undo_.push_back({canonical, std::move(now)});
  now = std::move(to);
  refresh(canonical);
}

Status SessionSettings::reset_all() {
  std::vector<std::string> changed;
  for (const auto& [name, values] : values_) {
    if ((values.session || values.local) && !survives_reset_all(name)) changed.push_back(name);
  }
  for (const std::string& name : changed) {
    Values to;
    to.startup = values_[name].startup;
    change(name, std::move(to));
  }
  return {};
}

void SessionSettings::undo_to(std::size_t mark) {
  floor_ = mark;
  while (undo_.size() > mark) {
    Undo& last = undo_.back();
    const std::string name = std::move(last.name);
    values_[name] = std::move(last.before);
    undo_.pop_back();
    refresh(name);
  }
}

void SessionSettings::end_transaction(bool commit) {
  if (undo_.empty()) return;
  if (!commit) return undo_to(0);
  std::vector<std::string> names;
  for (const Undo& undo : undo_) names.push_back(undo.name);
  undo_.clear();
  floor_ = 0;
  for (const std::string& name : names) {
    values_[name].local.reset();
    refresh(name);
  }
}

void SessionSettings::refresh(std::string_view canonical) {
  changed_ = true;
  if (canonical == "search_path" || canonical == "session_authorization") refresh_path();
  if (canonical == "default_transaction_isolation")
    hot_.repeatable_read = value(canonical) == "repeatable read";
  if (canonical == "default_transaction_read_only") hot_.read_only = value(canonical) == "on";
  if (canonical == "synchronous_commit") hot_.relaxed = value(canonical) == "off";
  if (canonical == "lock_timeout") hot_.lock_timeout = timeout(canonical);
  if (canonical == "statement_timeout") hot_.statement_timeout = timeout(canonical);
  if (canonical == "TimeZone") sql_.time_zone = value(canonical);
  if (canonical == "DateStyle") sql_.date_style = value(canonical);
  if (canonical == "bytea_output") sql_.bytea_escape = value(canonical) == "escape";
  if (canonical == "extra_float_digits") {
    const std::string text = value(canonical);
    std::from_chars(text.data(), text.data() + text.size(), sql_.extra_float_digits);
  }
}

Duration SessionSettings::timeout(std::string_view name) const {
  const std::string text = value(name);
  std::int64_t ms = 0;
  std::from_chars(text.data(), text.data() + text.size(), ms);
  return std::chrono::milliseconds(ms);
}

std::vector<std::pair<std::string, std::string>> SessionSettings::reported() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Setting& setting : table_.all()) {
    if (setting.reported) all.emplace_back(setting.name, value(setting.name));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> SessionSettings::take_changes() {
  std::vector<std::pair<std::string, std::string>> changed;
  if (!std::exchange(changed_, false)) return changed;
  for (auto& [name, told] : told_) {
    std::string now = value(name);
    if (now == told) continue;
    told = now;
    changed.emplace_back(name, std::move(now));
  }
  return changed;
}

std::string SessionSettings::describe_all() const {
  std::string text;
  for (const Setting& setting : table_.all()) {
    if (!setting.listed) continue;
    const Values* values = find(setting.name);
    const bool changed = values != nullptr && (values->session || values->local);
    const bool asked = values != nullptr && values->startup;
    const std::string reset(asked ? *values->startup : std::string(setting.default_value));
    const auto or_null = [](std::string_view field) {
      return field.empty() ? std::optional<std::string_view>() : std::optional(field);
    };
    const std::string now = value(setting.name);
    // The first word of some is empty, which an array wants in quotes.
    const bool empty_first = setting.words.starts_with(',');
    const std::string words = (empty_first ? "{\"\"" : "{") + std::string(setting.words) + "}";
    const std::optional<std::string_view> fields[] = {
        setting.name,
        now,
        or_null(setting.unit),
        setting.category,
        setting.description,
        std::nullopt,  // extra_desc
        setting.context_name,
        setting.type_name,
        changed ? "session"
        : asked ? "client"
                : "default",
        or_null(setting.min),
        or_null(setting.max),
        setting.words.empty() ? std::nullopt : std::optional<std::string_view>(words),
        setting.default_value,
        reset,
        std::nullopt,  // sourcefile
        std::nullopt,  // sourceline
        "f"};
    append_copy_line(fields, "\t", "\\N", text);
  }
  return text;
}

}  // namespace coppice::session
