// zone.h — bounds of a column in 64 bits, whatever its type.
//
// Holds:    zone_of is monotone: a <= b implies zone_of(a) <= zone_of(b). So a block whose zones
// are
//           [min, max] holds no value x unless min <= zone_of(x) <= max. Numbers up to 64 bits are
//           exact; wider ones saturate, bytes are cut to eight.
#pragma once

#include "interfaces/types/datum.h"

namespace coppice::lsm {

struct Zone {
  std::uint64_t min = UINT64_MAX;  // min > max: no value that is not null
  std::uint64_t max = 0;

  bool empty() const { return min > max; }
  void add(std::uint64_t zone) {
    if (zone < min) min = zone;
    if (zone > max) max = zone;
  }
  void add(const Zone& other) {
    if (other.min < min) min = other.min;
    if (other.max > max) max = other.max;
  }
  bool may_hold(std::uint64_t zone) const { return min <= zone && zone <= max; }
};

constexpr std::uint64_t zone_of_int(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}
constexpr std::int64_t int_of_zone(std::uint64_t zone) {
  return static_cast<std::int64_t>(zone ^ (std::uint64_t{1} << 63));
}
constexpr std::uint64_t zone_of_int128(Int128 value) {
  if (value < INT64_MIN) return 0;
  if (value > INT64_MAX) return UINT64_MAX;
  return zone_of_int(static_cast<std::int64_t>(value));
}
// PostgreSQL's order: -0 equals 0, NaN is above everything.
inline std::uint64_t zone_of_float(double value) {
  if (value != value) return UINT64_MAX;
  if (value == 0) value = 0;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
inline std::uint64_t zone_of_bytes(ByteView value) {
  std::byte prefix[8] = {};
  if (!value.empty()) std::memcpy(prefix, value.data(), value.size() < 8 ? value.size() : 8);
  return load_be<std::uint64_t>(prefix);
}
inline std::uint64_t zone_of(const Datum& value) {
  if (is_bytes(value.type)) return zone_of_bytes(value.bytes);
  if (is_float(value.type)) return zone_of_float(value.as_float());
  return zone_of_int128(value.bits);
}

}  // namespace coppice::lsm
