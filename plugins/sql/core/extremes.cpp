// extremes.cpp — min and max of numbers.
#include "interfaces/sql_extremes.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kOid;

template <class T>
constexpr AggregateFactory kMin = make_state<FixedExtreme<T, Less>>;
template <class T>
constexpr AggregateFactory kMax = make_state<FixedExtreme<T, Greater>>;

constexpr std::array kAggregates = {
    AggregateRow{2131, "min", kInt8, kInt8, kMin<std::int64_t>},
    AggregateRow{2132, "min", kInt4, kInt4, kMin<std::int32_t>},
    AggregateRow{2133, "min", kInt2, kInt2, kMin<std::int16_t>},
    AggregateRow{2134, "min", kOid, kOid, kMin<std::uint32_t>},
    AggregateRow{2135, "min", kFloat4, kFloat4, kMin<float>},
    AggregateRow{2136, "min", kFloat8, kFloat8, kMin<double>},
    AggregateRow{2115, "max", kInt8, kInt8, kMax<std::int64_t>},
    AggregateRow{2116, "max", kInt4, kInt4, kMax<std::int32_t>},
    AggregateRow{2117, "max", kInt2, kInt2, kMax<std::int16_t>},
    AggregateRow{2118, "max", kOid, kOid, kMax<std::uint32_t>},
    AggregateRow{2119, "max", kFloat4, kFloat4, kMax<float>},
    AggregateRow{2120, "max", kFloat8, kFloat8, kMax<double>},
};

}  // namespace

void add_extremes(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
}

}  // namespace coppice::sql_core
