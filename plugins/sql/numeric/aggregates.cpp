// aggregates.cpp — sum, avg, min, max over numeric; avg over integers.
#include "interfaces/sql_extremes.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/numeric/finish.h"
#include "plugins/sql/numeric/operations.h"
#include "plugins/sql/numeric/parts.h"
#include "plugins/sql/numeric/total.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kNumeric;

struct NumericSum {
  Total total;
  Counts counts;
};

Result<Number> sum_of(const NumericSum& state) {
  const Kind kind = state.counts.kind();
  return kind == Kind::kFinite ? state.total.value() : special(kind);
}

Result<Number> average_of(const NumericSum& state) {
  const Kind kind = state.counts.kind();
  if (kind != Kind::kFinite) return special(kind);
  return op::quotient(state.total.value(), number_of(state.counts.finite));
}

// Finish: Result<Number>(const NumericSum&)
template <auto Finish>
class NumericSums final : public GroupStates<NumericSum> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    Number number;
    each_value(arguments[0], rows, groups, [&](NumericSum& state, std::uint32_t row) {
      const ByteView bytes = arguments[0].bytes_at(row);
      if (const std::optional<Fixed> fixed = fixed_of(bytes)) {
        state.total.add(*fixed);
        ++state.counts.finite;
        return;
      }
      load(bytes, number);
      if (!number.finite()) return state.counts.note(number.kind);
      heap_bytes_ -= state.total.heap_bytes();
      state.total.add(number);
      heap_bytes_ += state.total.heap_bytes();
      ++state.counts.finite;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    return finish_groups(first, count, out, [&](std::uint32_t i) -> Result<std::optional<Number>> {
      if (group(i).counts.all() == 0) return std::nullopt;
      return COPPICE_TRY(Finish(group(i)));
    });
  }
  std::uint64_t memory_bytes() const override {
    return GroupStates<NumericSum>::memory_bytes() + heap_bytes_;
  }

 private:
  std::uint64_t heap_bytes_ = 0;
};

struct IntegerMean {
  Int128 sum = 0;  // no sum of 2^63 rows overflows it
  std::int64_t count = 0;
};

template <class T>
class IntegerAverage final : public GroupStates<IntegerMean> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    each_value(arguments[0], rows, groups, [&](IntegerMean& state, std::uint32_t row) {
      state.sum += values[row];
      ++state.count;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    return finish_groups(first, count, out, [&](std::uint32_t i) -> Result<std::optional<Number>> {
      const IntegerMean& state = group(i);
      if (state.count == 0) return std::nullopt;
      return COPPICE_TRY(op::quotient(number_of(state.sum), number_of(state.count)));
    });
  }
};

// Of equal values the last one is kept, so that its scale is shown.
struct NotGreater {
  static bool apply(std::string_view a, std::string_view b) {
    return compare_bytes(as_bytes(a), as_bytes(b)) <= 0;
  }
};
struct NotLess {
  static bool apply(std::string_view a, std::string_view b) {
    return compare_bytes(as_bytes(a), as_bytes(b)) >= 0;
  }
};

constexpr std::array kAggregates = {
    AggregateRow{2114, "sum", kNumeric, kNumeric, make_state<NumericSums<sum_of>>},
    AggregateRow{2103, "avg", kNumeric, kNumeric, make_state<NumericSums<average_of>>},
    AggregateRow{2100, "avg", kNumeric, kInt8, make_state<IntegerAverage<std::int64_t>>},
    AggregateRow{2101, "avg", kNumeric, kInt4, make_state<IntegerAverage<std::int32_t>>},
    AggregateRow{2102, "avg", kNumeric, kInt2, make_state<IntegerAverage<std::int16_t>>},
    AggregateRow{2146, "min", kNumeric, kNumeric, make_state<BytesExtreme<NotGreater>>},
    AggregateRow{2130, "max", kNumeric, kNumeric, make_state<BytesExtreme<NotLess>>},
};

}  // namespace

void add_aggregates(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
}

}  // namespace coppice::sql_numeric
