// float_moments.cpp — avg, variance and standard deviation of floats.
//
// Source:   PostgreSQL 15, float8_accum(): Youngs and Cramer's updating sums, in float8 whatever
//           the input's width, so that the last digits agree.
#include <cmath>
#include <limits>

#include "interfaces/sql_group_states.h"
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kFloat4;
using type_oid::kFloat8;

struct Moments {
  double count = 0;
  double sum = 0;
  double squares = 0;  // of the distances from the mean

  // False on overflow: finite input made an infinity.
  bool add(double value) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const double before = count, sum_before = sum;
    count += 1;
    sum += value;
    if (before == 0) {
      if (!std::isfinite(value)) squares = kNan;
      return true;
    }
    const double distance = value * count - sum;
    squares += distance * distance / (count * before);
    if (!std::isinf(sum) && !std::isinf(squares)) return true;
    squares = kNan;
    return std::isinf(sum_before) || std::isinf(value);
  }
};

enum class Measure : std::uint8_t {
  kMean,
  kPopulationVariance,
  kSampleVariance,
  kPopulationDeviation,
  kSampleDeviation,
};

constexpr bool is_sample(Measure measure) {
  return measure == Measure::kSampleVariance || measure == Measure::kSampleDeviation;
}
constexpr bool is_deviation(Measure measure) {
  return measure == Measure::kPopulationDeviation || measure == Measure::kSampleDeviation;
}

template <class T, Measure kMeasure>
class FloatMoments final : public GroupStates<Moments> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    bool fits = true;
    each_value(arguments[0], rows, groups, [&](Moments& state, std::uint32_t row) {
      fits &= state.add(static_cast<double>(values[row]));
    });
    if (!fits) return std::unexpected(fault_error(Fault::kFloatOverflow));
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const Moments& state = group(i);
      if (state.count <= (is_sample(kMeasure) ? 1 : 0))
        out.append_null();
      else
        *out.append_values<double>(1) = measure(state);
    }
    return {};
  }

 private:
  static double measure(const Moments& state) {
    if (kMeasure == Measure::kMean) return state.sum / state.count;
    const double variance = state.squares / (is_sample(kMeasure) ? state.count - 1 : state.count);
    return is_deviation(kMeasure) ? std::sqrt(variance) : variance;
  }
};

template <class T, Measure kMeasure>
constexpr AggregateFactory kOf = make_state<FloatMoments<T, kMeasure>>;

constexpr std::array kAggregates = {
    AggregateRow{2104, "avg", kFloat8, kFloat4, kOf<float, Measure::kMean>},
    AggregateRow{2105, "avg", kFloat8, kFloat8, kOf<double, Measure::kMean>},
    AggregateRow{2721, "var_pop", kFloat8, kFloat4, kOf<float, Measure::kPopulationVariance>},
    AggregateRow{2722, "var_pop", kFloat8, kFloat8, kOf<double, Measure::kPopulationVariance>},
    AggregateRow{2644, "var_samp", kFloat8, kFloat4, kOf<float, Measure::kSampleVariance>},
    AggregateRow{2645, "var_samp", kFloat8, kFloat8, kOf<double, Measure::kSampleVariance>},
    AggregateRow{2151, "variance", kFloat8, kFloat4, kOf<float, Measure::kSampleVariance>},
    AggregateRow{2152, "variance", kFloat8, kFloat8, kOf<double, Measure::kSampleVariance>},
    AggregateRow{2727, "stddev_pop", kFloat8, kFloat4, kOf<float, Measure::kPopulationDeviation>},
    AggregateRow{2728, "stddev_pop", kFloat8, kFloat8, kOf<double, Measure::kPopulationDeviation>},
    AggregateRow{2715, "stddev_samp", kFloat8, kFloat4, kOf<float, Measure::kSampleDeviation>},
    AggregateRow{2716, "stddev_samp", kFloat8, kFloat8, kOf<double, Measure::kSampleDeviation>},
    AggregateRow{2157, "stddev", kFloat8, kFloat4, kOf<float, Measure::kSampleDeviation>},
    AggregateRow{2158, "stddev", kFloat8, kFloat8, kOf<double, Measure::kSampleDeviation>},
};

}  // namespace

void add_float_moments(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
}

}  // namespace coppice::sql_core
