// modifier.h — precision of seconds, and the range of an interval: pg_attribute.atttypmod.
//
// Source:   PostgreSQL 15, AdjustTimestampForTypmod(), AdjustIntervalForTypmod(), interval.h.
#pragma once

#include <array>
#include <cstdint>

namespace coppice::sql_datetime {

inline constexpr std::int32_t kPrecisionMax = 6;

inline constexpr std::uint32_t kRangeMonth = 1U << 1, kRangeYear = 1U << 2, kRangeDay = 1U << 3,
                               kRangeHour = 1U << 10, kRangeMinute = 1U << 11,
                               kRangeSecond = 1U << 12;
inline constexpr std::uint32_t kIntervalFullRange = 0x7FFF;
inline constexpr std::int32_t kFullPrecision = 0xFFFF;

constexpr std::uint32_t interval_range(std::int32_t modifier) {
  return modifier < 0 ? kIntervalFullRange : static_cast<std::uint32_t>(modifier) >> 16 & 0x7FFF;
}
constexpr std::int32_t interval_precision(std::int32_t modifier) {
  return modifier < 0 ? kFullPrecision : modifier & 0xFFFF;
}

// Half away from zero, to `precision` digits of a second; false when the result does not fit.
constexpr bool round_to(std::int64_t& us, std::int32_t precision) {
  if (precision < 0 || precision >= kPrecisionMax) return true;
  constexpr std::array<std::int64_t, 6> kScales = {1'000'000, 100'000, 10'000, 1'000, 100, 10};
  const std::int64_t scale = kScales[static_cast<std::size_t>(precision)];
  std::int64_t moved = 0;
  if (__builtin_add_overflow(us, us >= 0 ? scale / 2 : -(scale / 2), &moved)) return false;
  us = moved / scale * scale;
  return true;
}

}  // namespace coppice::sql_datetime
