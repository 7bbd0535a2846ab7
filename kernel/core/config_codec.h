// config_codec.h — how each type of config value is read from TOML, printed and described.
//
// Role:     ValueCodec<V> for every V that Fields<T>::value() takes; config.h uses it, authors do
//           not.
// Errors:   a Complaint says what is wrong and at which value; the caller adds section and key.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernel/base/time.h"
#include "kernel/core/config_types.h"
#include "kernel/core/config_value.h"

namespace coppice {

struct Complaint {
  ConfigPosition at;
  std::string text;
};
using MaybeComplaint = std::optional<Complaint>;

MaybeComplaint decode_bool(const ConfigValue& from, bool& to);
MaybeComplaint decode_integer(const ConfigValue& from, std::int64_t min, std::uint64_t max,
                              std::int64_t& to);
MaybeComplaint decode_float(const ConfigValue& from, double& to);
MaybeComplaint decode_string(const ConfigValue& from, std::string& to);
MaybeComplaint decode_size(const ConfigValue& from, Size& to);
MaybeComplaint decode_duration(const ConfigValue& from, Duration& to);
MaybeComplaint decode_secret(const ConfigValue& from, Secret& to);
bool is_auto(const ConfigValue& from);
MaybeComplaint expected(const ConfigValue& got, std::string_view what);

std::string format_float(double value);
std::string format_string(const std::string& value);  // quoted and escaped, as TOML reads it
std::string format_size(Size value);                  // "\"10GiB\"": the largest unit that divides
std::string format_duration(Duration value);          // "\"50ms\""

// "10GiB" and "50ms", as --memory and TOML strings have them.
Result<Size> parse_size(std::string_view text);
Result<Duration> parse_duration(std::string_view text);

template <class V>
struct ValueCodec;

template <>
struct ValueCodec<bool> {
  static std::string type() { return "boolean"; }
  static MaybeComplaint decode(const ConfigValue& from, bool& to) { return decode_bool(from, to); }
  static std::string format(bool value) { return value ? "true" : "false"; }
};

template <std::integral V>
struct ValueCodec<V> {
  static std::string type() { return "integer"; }
  static MaybeComplaint decode(const ConfigValue& from, V& to) {
    using Limits = std::numeric_limits<V>;
    std::int64_t value = 0;
    auto complaint = decode_integer(from, static_cast<std::int64_t>(Limits::min()),
                                    static_cast<std::uint64_t>(Limits::max()), value);
    if (!complaint) to = static_cast<V>(value);
    return complaint;
  }
  static std::string format(V value) { return std::to_string(value); }
};

template <>
struct ValueCodec<double> {
  static std::string type() { return "number"; }
  static MaybeComplaint decode(const ConfigValue& from, double& to) {
    return decode_float(from, to);
  }
  static std::string format(double value) { return format_float(value); }
};

template <>
struct ValueCodec<std::string> {
  static std::string type() { return "string"; }
  static MaybeComplaint decode(const ConfigValue& from, std::string& to) {
    return decode_string(from, to);
  }
  static std::string format(const std::string& value) { return format_string(value); }
};

template <>
struct ValueCodec<Size> {
  static std::string type() { return "size"; }
  static MaybeComplaint decode(const ConfigValue& from, Size& to) { return decode_size(from, to); }
  static std::string format(Size value) { return format_size(value); }
};

template <>
struct ValueCodec<Duration> {
  static std::string type() { return "duration"; }
  static MaybeComplaint decode(const ConfigValue& from, Duration& to) {
    return decode_duration(from, to);
  }
  static std::string format(Duration value) { return format_duration(value); }
};

template <>
struct ValueCodec<Secret> {
  static std::string type() { return "secret"; }
  static MaybeComplaint decode(const ConfigValue& from, Secret& to) {
    return decode_secret(from, to);
  }
  static std::string format(const Secret& value) { return value.empty() ? "\"\"" : "***"; }
};

template <class V>  // "auto", or a V: the part chooses when nobody says
struct ValueCodec<std::optional<V>> {
  static std::string type() { return ValueCodec<V>::type() + " or \"auto\""; }
  static MaybeComplaint decode(const ConfigValue& from, std::optional<V>& to) {
    if (is_auto(from)) {
      to = std::nullopt;
      return {};
    }
    V value{};
    auto complaint = ValueCodec<V>::decode(from, value);
    if (!complaint) to = std::move(value);
    return complaint;
  }
  static std::string format(const std::optional<V>& value) {
    return value ? ValueCodec<V>::format(*value) : "\"auto\"";
  }
};

template <class V>
struct ValueCodec<std::vector<V>> {
  static std::string type() { return "list of " + ValueCodec<V>::type() + "s"; }
  static MaybeComplaint decode(const ConfigValue& from, std::vector<V>& to) {
    const ConfigValue::List* list = from.as_list();
    if (list == nullptr) return expected(from, "a list");
    std::vector<V> values;
    for (const ConfigValue& item : *list) {
      V value{};
      if (auto complaint = ValueCodec<V>::decode(item, value)) return complaint;
      values.push_back(std::move(value));
    }
    to = std::move(values);
    return {};
  }
  static std::string format(const std::vector<V>& values) {
    std::string out = "[";
    for (const V& value : values) {
      if (out.size() > 1) out += ", ";
      out += ValueCodec<V>::format(value);
    }
    return out + "]";
  }
};

}  // namespace coppice
