// moments.cpp — arithmetic of timestamps and intervals.
#include "plugins/sql/datetime/moments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "interfaces/sql_kernels.h"

namespace coppice::sql_datetime {

std::optional<std::int64_t> instant_of(std::int64_t local, const Zone& zone) {
  const std::int64_t instant = local - zone.at_local(unix_seconds(local)).offset * kUsPerSecond;
  if (!is_valid_timestamp(instant)) return {};
  return instant;
}

Result<std::int64_t> timestamp_of_date(std::int32_t date) {
  if (date == kDateEarly) return kTimestampEarly;
  if (date == kDateLate) return kTimestampLate;
  if (date >= kTimestampEndDate) return std::unexpected(fault_error(Fault::kDateOverflow));
  return date * kUsPerDay;
}

Result<std::int64_t> instant_of_date(std::int32_t date, const Zone& zone) {
  const std::int64_t local = COPPICE_TRY(timestamp_of_date(date));
  if (!is_finite(local)) return local;
  if (const auto instant = instant_of(local, zone)) return *instant;
  return std::unexpected(fault_error(Fault::kDateOverflow));
}

Result<std::int64_t> add_to_timestamp(std::int64_t timestamp, Interval by, const Zone* zone) {
  if (!is_finite(timestamp)) return timestamp;
  const auto out_of_range = [] { return std::unexpected(fault_error(Fault::kTimestampRange)); };
  if (by.months != 0 || by.days != 0) {
    const std::int64_t local = zone != nullptr ? local_of(timestamp, *zone) : timestamp;
    Civil civil = civil_of_timestamp(local);
    if (by.months != 0) {
      const std::int64_t months = std::int64_t{civil.year} * 12 + civil.month - 1 + by.months;
      const std::int64_t year = months >= 0 ? months / 12 : (months - 11) / 12;
      civil.year = static_cast<std::int32_t>(year);
      civil.month = static_cast<std::int32_t>(months - year * 12) + 1;
      if (!is_valid_julian(civil.year, civil.month)) return out_of_range();
      civil.day = std::min(civil.day, days_in_month(civil.year, civil.month));
    }
    const auto move_days = [&](std::int64_t days) -> std::optional<std::int64_t> {
      const std::int64_t day =
          std::int64_t{julian_of(civil.year, civil.month, civil.day)} - kEpochJulian + days;
      if (day < kDateMin || day >= kTimestampEndDate) return {};
      const std::int64_t moved = day * kUsPerDay + time_of(civil);
      if (zone == nullptr) return moved;
      return instant_of(moved, *zone);
    };
    // As PostgreSQL: the months alone must be in range, too, and are put into the zone first.
    auto moved = move_days(by.months != 0 && by.days != 0 ? 0 : by.days);
    if (!moved) return out_of_range();
    if (by.months != 0 && by.days != 0) {
      civil = civil_of_timestamp(zone != nullptr ? local_of(*moved, *zone) : *moved);
      moved = move_days(by.days);
      if (!moved) return out_of_range();
    }
    timestamp = *moved;
  }
  if (__builtin_add_overflow(timestamp, by.us, &timestamp) || !is_valid_timestamp(timestamp))
    return out_of_range();
  return timestamp;
}

Interval age_between(std::int64_t a, std::int64_t b) {
  const bool backwards = a < b;
  const Civil from = civil_of_timestamp(backwards ? a : b);
  const Civil to = civil_of_timestamp(backwards ? b : a);
  std::int64_t us = time_of(to) - time_of(from);
  std::int32_t days = to.day - from.day;
  std::int32_t months = (to.year - from.year) * 12 + to.month - from.month;
  if (us < 0) {
    us += kUsPerDay;
    --days;
  }
  while (days < 0) {
    days += days_in_month(from.year, from.month);
    --months;
  }
  if (backwards) return {-months, -days, -us};
  return {months, days, us};
}

namespace {

// Makes a larger and a smaller unit agree in sign: `size` of the smaller are one of the larger.
template <class Large, class Small>
void agree(Large& large, Small& small, Small size) {
  if (large > 0 && small < 0) {
    small += size;
    --large;
  } else if (large < 0 && small > 0) {
    small -= size;
    ++large;
  }
}

}  // namespace

Interval justify_hours(Interval value) {
  value.days += static_cast<std::int32_t>(value.us / kUsPerDay);
  value.us %= kUsPerDay;
  agree(value.days, value.us, kUsPerDay);
  return value;
}

std::optional<Interval> justify_days(Interval value) {
  if (__builtin_add_overflow(value.months, value.days / 30, &value.months)) return {};
  value.days %= 30;
  agree(value.months, value.days, 30);
  return value;
}

std::optional<Interval> justify_interval(Interval value) {
  // Days move to months first where both have one sign, lest a sum of days overflow.
  if ((value.days > 0 && value.us > 0) || (value.days < 0 && value.us < 0)) {
    if (__builtin_add_overflow(value.months, value.days / 30, &value.months)) return {};
    value.days %= 30;
  }
  value.days += static_cast<std::int32_t>(value.us / kUsPerDay);
  value.us %= kUsPerDay;
  if (__builtin_add_overflow(value.months, value.days / 30, &value.months)) return {};
  value.days %= 30;
  if (value.months > 0 && (value.days < 0 || (value.days == 0 && value.us < 0))) {
    value.days += 30;
    --value.months;
  } else if (value.months < 0 && (value.days > 0 || (value.days == 0 && value.us > 0))) {
    value.days -= 30;
    ++value.months;
  }
  agree(value.days, value.us, kUsPerDay);
  return value;
}

namespace {

double rounded(double seconds) {
  return std::rint(seconds * 1e6) / 1e6;
}

bool fits_int32(double value) {
  return value >= -2147483648.0 && value <= 2147483647.0;  // NaN does not
}
bool fits_int64(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0;
}

// The parts of an interval times a factor or divided by one; fractions go down to smaller units.
std::optional<Interval> cascade(double months, double days, double us) {
  if (!fits_int32(months) || !fits_int32(days)) return {};
  Interval result;
  result.months = static_cast<std::int32_t>(months);
  result.days = static_cast<std::int32_t>(days);
  const double month_days = rounded((months - result.months) * 30);
  double seconds =
      rounded((days - result.days + month_days - static_cast<std::int32_t>(month_days)) * 86400);
  std::int64_t whole_days = result.days;
  if (std::abs(seconds) >= 86400) {
    const auto extra = static_cast<std::int32_t>(seconds / 86400);
    whole_days += extra;
    seconds -= extra * 86400.0;
  }
  whole_days += static_cast<std::int32_t>(month_days);
  const double all = std::rint(us + seconds * 1e6);
  if (!fits_int64(all) || whole_days != static_cast<std::int32_t>(whole_days)) return {};
  result.days = static_cast<std::int32_t>(whole_days);
  result.us = static_cast<std::int64_t>(all);
  return result;
}

}  // namespace

std::optional<Interval> multiply(Interval value, double factor) {
  return cascade(value.months * factor, value.days * factor,
                 static_cast<double>(value.us) * factor);
}

std::optional<Interval> divide(Interval value, double divisor) {
  return cascade(value.months / divisor, value.days / divisor,
                 static_cast<double>(value.us) / divisor);
}

}  // namespace coppice::sql_datetime
