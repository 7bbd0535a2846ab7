// aggregates.cpp — count, sum, bool_and, bool_or of fixed-size numbers.
//
// Source:   PostgreSQL 15, pg_aggregate. Sums of bigint are kept in 128 bits: no sum of 2^63 rows
//           overflows them.
#include <cmath>
#include <limits>

#include "interfaces/sql_group_states.h"
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/numeric_bytes.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kAny;
using type_oid::kBool;
using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kNumeric;

class CountState final : public GroupStates<std::int64_t> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const bool nulls = !arguments.empty() && arguments[0].has_nulls();
    if (single()) {
      std::int64_t count = rows.count();
      if (nulls) rows.for_each([&](std::uint32_t row) { count -= arguments[0].is_null(row); });
      group(0) += count;
    } else {
      rows.for_each([&](std::uint32_t row) {
        if (!nulls || !arguments[0].is_null(row)) ++group(groups[row]);
      });
    }
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    std::int64_t* const to = out.append_values<std::int64_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) to[i] = group(first + i);
    return {};
  }
};

template <class Sum>
struct SumOf {
  Sum sum = 0;
  bool any = false;
};

// sum(int2), sum(int4), sum(int8); bigint's result is numeric.
template <class T, class Sum>
class IntegerSum final : public GroupStates<SumOf<Sum>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    if (this->single() && !arguments[0].has_nulls()) {
      Sum sum = 0;
      rows.for_each([&](std::uint32_t row) { sum += values[row]; });
      this->group(0).sum += sum;
      this->group(0).any |= rows.count() != 0;
      return {};
    }
    this->each_value(arguments[0], rows, groups, [&](SumOf<Sum>& state, std::uint32_t row) {
      state.sum += values[row];
      state.any = true;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const SumOf<Sum>& state = this->group(i);
      if (!state.any) {
        out.append_null();
      } else if constexpr (sizeof(Sum) == 16) {
        std::string number;
        append_numeric(number, state.sum, 0);
        out.append_bytes(as_bytes(number));
      } else {
        *out.append_values<std::int64_t>(1) = state.sum;
      }
    }
    return {};
  }
};

template <class T>
class FloatSum final : public GroupStates<SumOf<T>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    bool overflow = false;
    this->each_value(arguments[0], rows, groups, [&](SumOf<T>& state, std::uint32_t row) {
      const T before = state.sum;
      const T value = values[row];
      state.sum = state.any ? before + value : value;  // the first one keeps its sign: -0
      state.any = true;
      overflow |= std::isinf(state.sum) && !std::isinf(before) && !std::isinf(value);
    });
    if (overflow) return std::unexpected(fault_error(Fault::kFloatOverflow));
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (this->group(i).any)
        *out.append_values<T>(1) = this->group(i).sum;
      else
        out.append_null();
    }
    return {};
  }
};

// bool_and starts true and is false after one false value; bool_or the other way round.
template <bool kStart>
class BoolState final : public GroupStates<SumOf<bool>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    each_value(arguments[0], rows, groups, [&](SumOf<bool>& state, std::uint32_t row) {
      state.sum |= (arguments[0].int_at(row) != 0) != kStart;
      state.any = true;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (group(i).any)
        *out.append_values<std::uint8_t>(1) = group(i).sum != kStart;
      else
        out.append_null();
    }
    return {};
  }
};

constexpr std::array kAggregates = {
    AggregateRow{2803, "count", kInt8, 0, make_state<CountState>},
    AggregateRow{2147, "count", kInt8, kAny, make_state<CountState>},
    AggregateRow{2109, "sum", kInt8, kInt2, make_state<IntegerSum<std::int16_t, std::int64_t>>},
    AggregateRow{2108, "sum", kInt8, kInt4, make_state<IntegerSum<std::int32_t, std::int64_t>>},
    AggregateRow{2107, "sum", kNumeric, kInt8, make_state<IntegerSum<std::int64_t, Int128>>},
    AggregateRow{2110, "sum", kFloat4, kFloat4, make_state<FloatSum<float>>},
    AggregateRow{2111, "sum", kFloat8, kFloat8, make_state<FloatSum<double>>},
    AggregateRow{2517, "bool_and", kBool, kBool, make_state<BoolState<true>>},
    AggregateRow{2519, "every", kBool, kBool, make_state<BoolState<true>>},
    AggregateRow{2518, "bool_or", kBool, kBool, make_state<BoolState<false>>},
};

}  // namespace

void add_aggregates(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
}

}  // namespace coppice::sql_core
