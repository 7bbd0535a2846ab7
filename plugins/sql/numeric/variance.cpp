// variance.cpp — variance and standard deviation of numeric and of integers, from exact sums.
//
// Source:   PostgreSQL 15, numeric_stddev_internal(): (N * sum(x²) - sum(x)²) / (N * N) or
//           / (N * (N - 1)).
#include "interfaces/sql_group_states.h"
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/numeric/arithmetic.h"
#include "plugins/sql/numeric/finish.h"
#include "plugins/sql/numeric/parts.h"
#include "plugins/sql/numeric/total.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kNumeric;

struct Moments {
  Total sum, squares;
  Counts counts;

  std::uint64_t heap_bytes() const { return sum.heap_bytes() + squares.heap_bytes(); }
  // |value| below 2^63.
  void add_small(Int128 unscaled, int scale) {
    sum.add(Fixed{unscaled, scale});
    squares.add(Fixed{unscaled * unscaled, scale * 2});
    ++counts.finite;
  }
  void add(const Number& value) {
    sum.add(value);
    squares.add(multiply(value, value));
    ++counts.finite;
  }
};

struct Measure {
  bool sample, deviation;
};

std::optional<Number> measure_of(const Moments& state, Measure measure) {
  const std::int64_t count = state.counts.all();
  if (count <= (measure.sample ? 1 : 0)) return {};
  if (state.counts.special() != 0) return special(Kind::kNan);
  const Number n = number_of(count), sum = state.sum.value();
  const int scale = sum.scale * 2;
  const Number numerator =
      subtract(multiply(n, state.squares.value(), scale), multiply(sum, sum, scale));
  if (numerator.sign() <= 0) return Number();
  const Number denominator = multiply(n, number_of(measure.sample ? count - 1 : count), 0);
  const int shown = quotient_scale(numerator, denominator);
  const Number variance = divide(numerator, denominator, shown);
  return measure.deviation ? square_root(variance, shown) : variance;
}

template <bool kSample, bool kDeviation>
class NumericMoments final : public GroupStates<Moments> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    constexpr Int128 kSmall = Int128{1} << 63;
    Number number;
    each_value(arguments[0], rows, groups, [&](Moments& state, std::uint32_t row) {
      const ByteView bytes = arguments[0].bytes_at(row);
      const std::optional<Fixed> fixed = fixed_of(bytes);
      if (fixed && fixed->unscaled < kSmall && fixed->unscaled > -kSmall)
        return state.add_small(fixed->unscaled, fixed->scale);
      load(bytes, number);
      if (!number.finite()) return state.counts.note(number.kind);
      heap_bytes_ -= state.heap_bytes();
      state.add(number);
      heap_bytes_ += state.heap_bytes();
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    return finish_groups(first, count, out, [&](std::uint32_t i) -> Result<std::optional<Number>> {
      return measure_of(group(i), {kSample, kDeviation});
    });
  }
  std::uint64_t memory_bytes() const override {
    return GroupStates<Moments>::memory_bytes() + heap_bytes_;
  }

 private:
  std::uint64_t heap_bytes_ = 0;
};

template <class T, bool kSample, bool kDeviation>
class IntegerMoments final : public GroupStates<Moments> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    each_value(arguments[0], rows, groups,
               [&](Moments& state, std::uint32_t row) { state.add_small(values[row], 0); });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    return finish_groups(first, count, out, [&](std::uint32_t i) -> Result<std::optional<Number>> {
      return measure_of(group(i), {kSample, kDeviation});
    });
  }
};

struct MeasureRow {
  std::string_view name;
  bool sample, deviation;
  FunctionOid of_int8, of_int4, of_int2, of_numeric;
};
constexpr std::array kMeasures = {
    MeasureRow{"var_pop", false, false, 2718, 2719, 2720, 2723},
    MeasureRow{"var_samp", true, false, 2641, 2642, 2643, 2646},
    MeasureRow{"variance", true, false, 2148, 2149, 2150, 2153},
    MeasureRow{"stddev_pop", false, true, 2724, 2725, 2726, 2729},
    MeasureRow{"stddev_samp", true, true, 2712, 2713, 2714, 2717},
    MeasureRow{"stddev", true, true, 2154, 2155, 2156, 2159},
};

template <bool kSample, bool kDeviation>
void add_measure(SqlRegistry& registry, const MeasureRow& row) {
  if (row.sample != kSample || row.deviation != kDeviation) return;
  const std::array rows = {
      AggregateRow{row.of_int8, row.name, kNumeric, kInt8,
                   make_state<IntegerMoments<std::int64_t, kSample, kDeviation>>},
      AggregateRow{row.of_int4, row.name, kNumeric, kInt4,
                   make_state<IntegerMoments<std::int32_t, kSample, kDeviation>>},
      AggregateRow{row.of_int2, row.name, kNumeric, kInt2,
                   make_state<IntegerMoments<std::int16_t, kSample, kDeviation>>},
      AggregateRow{row.of_numeric, row.name, kNumeric, kNumeric,
                   make_state<NumericMoments<kSample, kDeviation>>},
  };
  add_rows(registry, std::span<const AggregateRow>(rows));
}

}  // namespace

void add_variances(SqlRegistry& registry) {
  for (const MeasureRow& row : kMeasures) {
    add_measure<false, false>(registry, row);
    add_measure<true, false>(registry, row);
    add_measure<false, true>(registry, row);
    add_measure<true, true>(registry, row);
  }
}

}  // namespace coppice::sql_numeric
