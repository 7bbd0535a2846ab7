// config_codec.cpp — reading and printing the types of config values.
#include "kernel/core/config_codec.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <span>

#include "kernel/base/bytes.h"

namespace coppice {

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};
constexpr std::array kSizeUnits = {Unit{"TiB", 1_TiB}, Unit{"GiB", 1_GiB}, Unit{"MiB", 1_MiB},
                                   Unit{"KiB", 1_KiB}, Unit{"B", 1}};
constexpr std::array kDurationUnits = {Unit{"d", 86'400'000'000'000},
                                       Unit{"h", 3'600'000'000'000},
                                       Unit{"min", 60'000'000'000},
                                       Unit{"s", 1'000'000'000},
                                       Unit{"ms", 1'000'000},
                                       Unit{"us", 1'000},
                                       Unit{"ns", 1}};

// "10GiB": digits, then one of `units`; the product must fit an int64.
Result<std::uint64_t> parse_with_unit(std::string_view text, std::span<const Unit> units,
                                      std::string_view example) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument) {
    return fail(Code::kInvalidArgument, "expected something like \"" + std::string(example) +
                                            "\", got " + format_string(std::string(text)));
  }
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  std::string names;
  for (const Unit& known : units) {
    names = std::string(known.name) + (names.empty() ? "" : ", ") + names;
    if (known.name != unit) continue;
    std::uint64_t product = 0;
    if (error == std::errc{} && !__builtin_mul_overflow(number, known.factor, &product) &&
        product <= static_cast<std::uint64_t>(INT64_MAX)) {
      return product;
    }
    return fail(Code::kInvalidArgument, "is too large");
  }
  return fail(Code::kInvalidArgument,
              unit.empty()
                  ? "needs a unit, as in \"" + std::string(example) + "\""
                  : "unknown unit " + format_string(std::string(unit)) + "; units are: " + names);
}

std::string format_with_unit(std::uint64_t value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (value % unit.factor == 0 && (value != 0 || unit.factor == 1)) {
      return "\"" + std::to_string(value / unit.factor) + std::string(unit.name) + "\"";
    }
  }
  return std::to_string(value);
}

}  // namespace

MaybeComplaint expected(const ConfigValue& got, std::string_view what) {
  return Complaint{got.at,
                   "expected " + std::string(what) + ", got " + std::string(got.kind_text())};
}

MaybeComplaint decode_bool(const ConfigValue& from, bool& to) {
  const bool* value = from.as_bool();
  if (value == nullptr) return expected(from, "true or false");
  to = *value;
  return {};
}

MaybeComplaint decode_integer(const ConfigValue& from, std::int64_t min, std::uint64_t max,
                              std::int64_t& to) {
  const std::int64_t* value = from.as_integer();
  if (value == nullptr) return expected(from, "an integer");
  if (*value < min || (*value > 0 && static_cast<std::uint64_t>(*value) > max)) {
    return Complaint{
        from.at, "is out of range; allowed: " + std::to_string(min) + " to " + std::to_string(max)};
  }
  to = *value;
  return {};
}

MaybeComplaint decode_float(const ConfigValue& from, double& to) {
  double value = 0;
  if (const std::int64_t* integer = from.as_integer()) {
    value = static_cast<double>(*integer);
  } else if (const double* number = from.as_float()) {
    value = *number;
  } else {
    return expected(from, "a number");
  }
  if (!std::isfinite(value)) return Complaint{from.at, "must be finite"};
  to = value;
  return {};
}

MaybeComplaint decode_string(const ConfigValue& from, std::string& to) {
  const std::string* value = from.as_string();
  if (value == nullptr) return expected(from, "a string");
  to = *value;
  return {};
}

MaybeComplaint decode_size(const ConfigValue& from, Size& to) {
  const std::string* text = from.as_string();
  if (text == nullptr) return expected(from, "a size such as \"64MiB\"");
  auto size = parse_size(*text);
  if (!size) return Complaint{from.at, size.error().message()};
  to = *size;
  return {};
}

MaybeComplaint decode_duration(const ConfigValue& from, Duration& to) {
  const std::string* text = from.as_string();
  if (text == nullptr) return expected(from, "a duration such as \"50ms\"");
  auto duration = parse_duration(*text);
  if (!duration) return Complaint{from.at, duration.error().message()};
  to = *duration;
  return {};
}

MaybeComplaint decode_secret(const ConfigValue& from, Secret& to) {
  if (const std::string* text = from.as_string()) {
    to = Secret(*text);
    return {};
  }
  const ConfigValue::Table* table = from.as_table();
  const ConfigValue::Member* env = from.find_member("env");
  const std::string* name = env == nullptr ? nullptr : env->value.as_string();
  if (table == nullptr || table->size() != 1 || name == nullptr) {
    return expected(from, "a string or {env = \"NAME\"}");
  }
  const char* value = std::getenv(name->c_str());
  if (value == nullptr) {
    return Complaint{from.at, "environment variable " + format_string(*name) + " is not set"};
  }
  to = Secret(value);
  return {};
}

bool is_auto(const ConfigValue& from) {
  const std::string* text = from.as_string();
  return text != nullptr && *text == "auto";
}

std::string format_float(double value) {
  std::array<char, 32> buffer;
  const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), done.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string format_string(const std::string& value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string format_size(Size value) {
  return format_with_unit(value.bytes, kSizeUnits);
}

std::string format_duration(Duration value) {
  return format_with_unit(static_cast<std::uint64_t>(value.count()), kDurationUnits);
}

Result<Size> parse_size(std::string_view text) {
  const std::uint64_t bytes = COPPICE_TRY(parse_with_unit(text, kSizeUnits, "64MiB"));
  return Size(bytes);
}

Result<Duration> parse_duration(std::string_view text) {
  const std::uint64_t ns = COPPICE_TRY(parse_with_unit(text, kDurationUnits, "50ms"));
  return Duration(static_cast<std::int64_t>(ns));
}

}  // namespace coppice
