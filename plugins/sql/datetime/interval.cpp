// interval.cpp — arithmetic of intervals, and what a modifier leaves of them.
#include "plugins/sql/datetime/interval.h"

#include "plugins/sql/datetime/modifier.h"

namespace coppice::sql_datetime {

std::optional<Interval> negate(Interval value) {
  return subtract(Interval{}, value);
}

std::optional<Interval> add(Interval a, Interval b) {
  Interval sum;
  if (__builtin_add_overflow(a.months, b.months, &sum.months) ||
      __builtin_add_overflow(a.days, b.days, &sum.days) ||
      __builtin_add_overflow(a.us, b.us, &sum.us))
    return {};
  return sum;
}

std::optional<Interval> subtract(Interval a, Interval b) {
  Interval difference;
  if (__builtin_sub_overflow(a.months, b.months, &difference.months) ||
      __builtin_sub_overflow(a.days, b.days, &difference.days) ||
      __builtin_sub_overflow(a.us, b.us, &difference.us))
    return {};
  return difference;
}

bool fit_interval(Interval& value, std::int32_t modifier) {
  if (modifier < 0) return true;
  const std::uint32_t range = interval_range(modifier);
  if (range != kIntervalFullRange) {
    // The smallest unit named is the smallest kept.
    if ((range & (kRangeDay | kRangeHour | kRangeMinute | kRangeSecond)) == 0) {
      if ((range & kRangeMonth) == 0) value.months = value.months / 12 * 12;
      value.days = 0;
      value.us = 0;
    } else if ((range & (kRangeHour | kRangeMinute | kRangeSecond)) == 0) {
      value.us = 0;
    } else if ((range & (kRangeMinute | kRangeSecond)) == 0) {
      value.us = value.us / kUsPerHour * kUsPerHour;
    } else if ((range & kRangeSecond) == 0) {
      value.us = value.us / kUsPerMinute * kUsPerMinute;
    }
  }
  const std::int32_t precision = interval_precision(modifier);
  return precision == kFullPrecision || round_to(value.us, precision);
}

}  // namespace coppice::sql_datetime
