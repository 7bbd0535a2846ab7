// aggregates.cpp — min and max; sum and avg of intervals.
#include "interfaces/sql_extremes.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kDate;
using type_oid::kInterval;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

// Of equal ones PostgreSQL keeps the last: 30 days after 1 month.
struct Shorter {
  static bool apply(Int128 a, Int128 b) {
    return span_of(interval_of(a)) <= span_of(interval_of(b));
  }
};
struct Longer {
  static bool apply(Int128 a, Int128 b) {
    return span_of(interval_of(b)) <= span_of(interval_of(a));
  }
};

struct IntervalTotal {
  Interval sum;
  std::int64_t count = 0;
};

template <bool kAverage>
class IntervalSum final : public GroupStates<IntervalTotal> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    bool overflow = false;
    each_value(arguments[0], rows, groups, [&](IntervalTotal& state, std::uint32_t row) {
      const auto sum = add(state.sum, interval_of(arguments[0].int128_at(row)));
      overflow |= !sum;
      if (sum) state.sum = *sum;
      ++state.count;
    });
    if (overflow) return std::unexpected(fault_error(Fault::kIntervalRange));
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const IntervalTotal& state = group(i);
      if (state.count == 0) {
        out.append_null();
        continue;
      }
      std::optional<Interval> result = state.sum;
      if (kAverage) result = divide(state.sum, static_cast<double>(state.count));
      if (!result) return std::unexpected(fault_error(Fault::kIntervalRange));
      *out.append_values<Int128>(1) = interval_bits(*result);
    }
    return {};
  }
};

template <class T>
constexpr AggregateFactory kMin = make_state<FixedExtreme<T, Less>>;
template <class T>
constexpr AggregateFactory kMax = make_state<FixedExtreme<T, Greater>>;

constexpr std::array kAggregates = {
    AggregateRow{2138, "min", kDate, kDate, kMin<std::int32_t>},
    AggregateRow{2122, "max", kDate, kDate, kMax<std::int32_t>},
    AggregateRow{2139, "min", kTime, kTime, kMin<std::int64_t>},
    AggregateRow{2123, "max", kTime, kTime, kMax<std::int64_t>},
    AggregateRow{2142, "min", kTimestamp, kTimestamp, kMin<std::int64_t>},
    AggregateRow{2126, "max", kTimestamp, kTimestamp, kMax<std::int64_t>},
    AggregateRow{2143, "min", kTimestamptz, kTimestamptz, kMin<std::int64_t>},
    AggregateRow{2127, "max", kTimestamptz, kTimestamptz, kMax<std::int64_t>},
    AggregateRow{2144, "min", kInterval, kInterval, make_state<FixedExtreme<Int128, Shorter>>},
    AggregateRow{2128, "max", kInterval, kInterval, make_state<FixedExtreme<Int128, Longer>>},
    AggregateRow{2113, "sum", kInterval, kInterval, make_state<IntervalSum<false>>},
    AggregateRow{2106, "avg", kInterval, kInterval, make_state<IntervalSum<true>>},
};

}  // namespace

void add_aggregates(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
}

}  // namespace coppice::sql_datetime
