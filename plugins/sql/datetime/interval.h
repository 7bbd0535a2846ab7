// interval.h — months, days and microseconds, which do not convert into each other.
//
// Role:     the value of type interval: an Int128 in vectors, months highest, microseconds lowest.
//           Comparisons count a month as 30 days and a day as 24 hours.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "interfaces/types/physical_type.h"
#include "plugins/sql/datetime/calendar.h"

namespace coppice::sql_datetime {

struct Interval {
  std::int32_t months = 0, days = 0;
  std::int64_t us = 0;
};

constexpr Int128 interval_bits(Interval value) {
  return static_cast<Int128>(static_cast<UInt128>(static_cast<std::uint32_t>(value.months)) << 96 |
                             static_cast<UInt128>(static_cast<std::uint32_t>(value.days)) << 64 |
                             static_cast<std::uint64_t>(value.us));
}
constexpr Interval interval_of(Int128 bits) {
  const auto raw = static_cast<UInt128>(bits);
  return {static_cast<std::int32_t>(static_cast<std::uint32_t>(raw >> 96)),
          static_cast<std::int32_t>(static_cast<std::uint32_t>(raw >> 64)),
          static_cast<std::int64_t>(static_cast<std::uint64_t>(raw))};
}
constexpr Int128 span_of(Interval value) {
  return (Int128{value.months} * 30 + value.days) * kUsPerDay + value.us;
}

// None: a part does not fit.
std::optional<Interval> negate(Interval value);
std::optional<Interval> add(Interval a, Interval b);
std::optional<Interval> subtract(Interval a, Interval b);

// Rounded and cut as interval(p) and "interval year to month" say.
bool fit_interval(Interval& value, std::int32_t modifier);

}  // namespace coppice::sql_datetime
