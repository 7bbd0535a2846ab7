// setting_value.cpp — booleans, words, numbers with units, and the strings that have a grammar.
#include "modules/session/setting_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "interfaces/types/sql_error.h"

namespace coppice::session {

namespace {

struct Unit {
  std::string_view name;
  double factor;  // in bytes, or in microseconds
};
constexpr std::array<Unit, 5> kMemoryUnits = {
    {{"TB", 1099511627776.0}, {"GB", 1073741824.0}, {"MB", 1048576.0}, {"kB", 1024.0}, {"B", 1.0}}};
constexpr std::array<Unit, 6> kTimeUnits = {
    {{"d", 86400e6}, {"h", 3600e6}, {"min", 60e6}, {"s", 1e6}, {"ms", 1e3}, {"us", 1.0}}};

bool is_time(std::string_view unit) {
  return unit == "ms" || unit == "s" || unit == "min";
}
std::span<const Unit> units_of(std::string_view unit) {
  if (is_time(unit)) return kTimeUnits;
  return kMemoryUnits;
}

// The factor of a unit of the table: "kB", "8kB", "min".
double factor_of(std::string_view unit) {
  double many = 1;
  const std::size_t letters = std::min(unit.find_first_not_of("0123456789"), unit.size());
  if (letters > 0) std::from_chars(unit.data(), unit.data() + letters, many);
  for (const Unit& known : units_of(unit.substr(letters))) {
    if (known.name == unit.substr(letters)) return many * known.factor;
  }
  return many;
}

// The factor of the unit `name` where values of unit `unit` are read; 0: not such a unit.
double named_factor(std::string_view unit, std::string_view name) {
  for (const Unit& known : units_of(unit)) {
    if (known.name == name) return known.factor;
  }
  return 0;
}

Error invalid(const Setting& setting, std::string_view text) {
  return sql_error("22023", "invalid value for parameter \"" + std::string(setting.name) +
                                "\": \"" + std::string(text) + "\"");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r\f\v") - first + 1);
}

std::optional<bool> bool_of(std::string_view text) {
  const std::string word = lower_case(trimmed(text));
  if (word.empty()) return std::nullopt;
  const auto starts = [&](std::string_view whole) { return whole.starts_with(word); };
  if (starts("true") || starts("yes") || word == "on" || word == "1") return true;
  if (starts("false") || starts("no") || (word.size() > 1 && starts("off")) || word == "0")
    return false;
  return std::nullopt;
}

Result<std::string> read_word(const Setting& setting, std::string_view text) {
  std::string word = lower_case(text);
  const auto is_listed = [&](std::string_view wanted) {
    return ("," + std::string(setting.words) + ",").find("," + std::string(wanted) + ",") !=
           std::string::npos;
  };
  if (!is_listed(word)) {
    if (const auto as_bool = bool_of(text); as_bool && is_listed("on")) {
      word = *as_bool ? "on" : "off";
    } else if (word == "debug" && is_listed("debug2")) {
      word = "debug2";
    }
  }
  if (is_listed(word)) return word;
  std::string available(setting.words);
  for (std::size_t at = available.find(','); at != std::string::npos;
       at = available.find(',', at + 2))
    available.insert(at + 1, " ");
  return std::unexpected(
      invalid(setting, text).note(sql_field::kHint, "Available values: " + available + "."));
}

struct Number {
  double value = 0;
  std::string_view unit;
};
std::optional<Number> number_of(std::string_view text) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Number number;
  std::from_chars_result end{};
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::uint64_t value = 0;
    end = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    number.value = static_cast<double>(value);
  } else {
    if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return std::nullopt;
    end = std::from_chars(text.data(), text.data() + text.size(), number.value);
  }
  if (end.ec != std::errc()) return std::nullopt;
  number.unit = trimmed(text.substr(static_cast<std::size_t>(end.ptr - text.data())));
  if (negative) number.value = -number.value;
  return number;
}

std::string number_text(double value, bool integer) {
  std::array<char, 64> buffer{};
  const auto end = integer ? std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                           static_cast<std::int64_t>(value))
                           : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

Result<std::string> read_number(const Setting& setting, std::string_view text) {
  const bool integer = setting.type == SettingType::kInteger;
  const auto number = number_of(text);
  if (!number) return std::unexpected(invalid(setting, text));
  double value = number->value;
  if (!number->unit.empty()) {
    const double factor = setting.unit.empty() ? 0 : named_factor(setting.unit, number->unit);
    if (factor == 0) {
      Error error = invalid(setting, text);
      if (setting.unit.empty()) return std::unexpected(std::move(error));
      return std::unexpected(std::move(error).note(
          sql_field::kHint, is_time(setting.unit)
                                ? "Valid units for this parameter are \"us\", \"ms\", \"s\", "
                                  "\"min\", \"h\", and \"d\"."
                                : "Valid units for this parameter are \"B\", \"kB\", \"MB\", "
                                  "\"GB\", and \"TB\"."));
    }
    value = value * factor / factor_of(setting.unit);
  }
  if (integer) value = std::rint(value);
  double min = 0;
  double max = 0;
  std::from_chars(setting.min.data(), setting.min.data() + setting.min.size(), min);
  std::from_chars(setting.max.data(), setting.max.data() + setting.max.size(), max);
  if (integer && std::fabs(value) > 9e18) {
    return std::unexpected(
        invalid(setting, text).note(sql_field::kHint, "Value exceeds integer range."));
  }
  std::string canonical = number_text(value, integer);
  if (!(value >= min && value <= max)) {
    const std::string unit = setting.unit.empty() ? "" : " " + std::string(setting.unit);
    return std::unexpected(
        sql_error("22023", canonical + unit + " is outside the valid range for parameter \"" +
                               std::string(setting.name) + "\" (" + std::string(setting.min) +
                               " .. " + std::string(setting.max) + ")"));
  }
  return canonical;
}

Result<std::string> read_date_style(const Setting& setting, std::string_view text,
                                    std::string_view current) {
  const std::size_t comma = std::min(current.find(','), current.size());
  std::string style(current.substr(0, comma));
  std::string order(trimmed(current.substr(std::min(comma + 1, current.size()))));
  bool order_named = false;
  std::vector<std::string> words;
  if (!split_identifiers(text, words)) {
    return std::unexpected(
        invalid(setting, text).note(sql_field::kDetail, "List syntax is invalid."));
  }
  for (const std::string& word : words) {
    if (word == "iso") {
      style = "ISO";
    } else if (word == "sql") {
      style = "SQL";
    } else if (word.starts_with("postgres")) {
      style = "Postgres";
    } else if (word == "german") {
      style = "German";
      if (!order_named) order = "DMY";
    } else if (word == "ymd" || word == "dmy" || word == "mdy") {
      order = word == "ymd" ? "YMD" : word == "dmy" ? "DMY" : "MDY";
      order_named = true;
    } else if (word.starts_with("euro")) {
      order = "DMY";
      order_named = true;
    } else if (word == "us" || word.starts_with("noneuro")) {
      order = "MDY";
      order_named = true;
    } else if (word == "default") {
      style = "ISO";
      order = "MDY";
    } else {
      return std::unexpected(
          invalid(setting, text)
              .note(sql_field::kDetail, "Unrecognized key word: \"" + word + "\"."));
    }
  }
  return style + ", " + order;
}

Result<std::string> read_encoding(const Setting& setting, std::string_view text) {
  std::string plain;
  for (const char c : lower_case(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  if (plain == "unicode") return std::string(text == "UNICODE" ? "UNICODE" : "UTF8");
  if (plain == "utf8" || plain == "sqlascii") return std::string("UTF8");
  constexpr std::string_view kOthers[] = {
      "latin1",  "iso88591", "latin2", "iso88592", "latin9", "iso885915", "win1250",
      "win1251", "win1252",  "koi8r",  "eucjp",    "sjis",   "big5",      "gbk",
      "gb18030", "euckr",    "euccn",  "euctw",    "uhc",    "latin5",    "win1254"};
  if (std::ranges::find(kOthers, plain) != std::end(kOthers)) {
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported,
                  "conversion between UTF8 and " + std::string(text) + " is not supported"));
  }
  return std::unexpected(invalid(setting, text));
}

// "-7", "+05:30": as PostgreSQL spells a fixed offset, whose sign POSIX turns round.
std::optional<std::string> offset_zone(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto hours = number_of(text.substr(0, colon));
  if (!hours || !hours->unit.empty()) return std::nullopt;
  double total = std::fabs(hours->value) * 60;
  if (colon < text.size()) {
    const auto minutes = number_of(text.substr(colon + 1));
    if (!minutes || !minutes->unit.empty() || minutes->value < 0) return std::nullopt;
    total += minutes->value;
  }
  if (total > 167 * 60) return std::nullopt;
  const int whole = static_cast<int>(std::lround(total));
  const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  std::string digits = two(whole / 60);
  if (whole % 60 != 0) digits += ":" + two(whole % 60);
  const bool west = trimmed(text).starts_with('-');
  return "<" + std::string(west ? "-" : "+") + digits + ">" + (west ? "+" : "-") + digits;
}

Result<std::string> read_zone(const Setting& setting, std::string_view text,
                              const ZoneCheck& known_zone) {
  std::string_view zone = trimmed(text);
  const std::string folded = lower_case(zone);
  if (folded.starts_with("interval")) {
    zone = trimmed(zone.substr(8));
    zone = trimmed(zone.substr(0, zone.find('\'', 1)));
    while (zone.starts_with('\'')) zone.remove_prefix(1);
  }
  if (const auto offset = offset_zone(zone)) return *offset;
  if (folded == "utc" || folded == "gmt" || folded == "etc/utc") {
    return folded == "etc/utc" ? std::string("Etc/UTC") : folded == "utc" ? "UTC" : "GMT";
  }
  if (zone.empty() || zone.size() > 255 || !known_zone || !known_zone(zone))
    return std::unexpected(invalid(setting, text));
  return std::string(zone);
}

std::string printable(std::string_view text) {
  std::string clean(text.substr(0, 63));
  for (char& c : clean) {
    if (c < 32 || c > 126) c = '?';
  }
  return clean;
}

}  // namespace

bool split_identifiers(std::string_view text, std::vector<std::string>& names) {
  text = trimmed(text);
  if (text.empty()) return true;
  for (;;) {
    std::string name;
    if (text.starts_with('"')) {
      std::size_t at = 1;
      bool closed = false;
      while (at < text.size() && !closed) {
        if (text[at] == '"' && at + 1 < text.size() && text[at + 1] == '"') {
          name += '"';
          at += 2;
        } else if (text[at] == '"') {
          closed = true;
          ++at;
        } else {
          name += text[at++];
        }
      }
      if (!closed) return false;
      text.remove_prefix(at);
    } else {
      const std::size_t end = std::min(text.find_first_of(", \t\n\r\f\v"), text.size());
      if (end == 0) return false;
      name = lower_case(text.substr(0, end));
      text.remove_prefix(end);
    }
    names.push_back(std::move(name));
    text = trimmed(text);
    if (text.empty()) return true;
    if (!text.starts_with(',')) return false;
    text = trimmed(text.substr(1));
    if (text.empty()) return false;
  }
}

Result<std::string> read_setting(const Setting& setting, std::string_view text,
                                 std::string_view current, const ZoneCheck& known_zone) {
  switch (setting.type) {
    case SettingType::kBool: {
      const auto value = bool_of(text);
      if (value) return std::string(*value ? "on" : "off");
      return std::unexpected(sql_error(
          "22023", "parameter \"" + std::string(setting.name) + "\" requires a Boolean value"));
    }
    case SettingType::kInteger:
    case SettingType::kReal:
      return read_number(setting, text);
    case SettingType::kEnum:
      return read_word(setting, text);
    case SettingType::kString:
      break;
  }
  if (setting.name == "DateStyle") return read_date_style(setting, text, current);
  if (setting.name == "TimeZone") return read_zone(setting, text, known_zone);
  if (setting.name == "client_encoding") return read_encoding(setting, text);
  if (setting.name == "application_name") return printable(text);
  if (setting.name == "search_path") {
    std::vector<std::string> names;
    if (!split_identifiers(text, names)) {
      return std::unexpected(
          invalid(setting, text).note(sql_field::kDetail, "List syntax is invalid."));
    }
  }
  return std::string(text);
}

std::string show_setting(const Setting& setting, std::string_view value) {
  if (setting.unit.empty() || setting.type != SettingType::kInteger) {
    return std::string(value);
  }
  std::int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  if (number <= 0) return std::string(value);
  const double base = static_cast<double>(number) * factor_of(setting.unit);
  for (const Unit& unit : units_of(setting.unit)) {
    const double many = base / unit.factor;
    if (many >= 1 && many == std::floor(many))
      return number_text(many, true) + std::string(unit.name);
  }
  return std::string(value);
}

}  // namespace coppice::session
