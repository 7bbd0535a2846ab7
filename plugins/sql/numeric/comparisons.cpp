// comparisons.cpp — = <> < <= > >= of numerics, on their bytes.
#include "interfaces/sql_rows.h"
#include "plugins/sql/numeric/kernels.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kBool;
using type_oid::kInt4;
using type_oid::kNumeric;

template <class Op>
struct Ordered {
  static bool apply(ByteView a, ByteView b) { return Op::apply(compare_bytes(a, b), 0); }
};
struct Compare {
  static std::int32_t apply(ByteView a, ByteView b) { return compare_bytes(a, b); }
};
template <class Op>
constexpr ScalarKernel kOrdered = fixed_kernel<Ordered<Op>, bool, ByteView, ByteView>;

template <bool kLarger>
Status extreme(CallContext&, std::span<const Vector> arguments, const Selection& rows,
               std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> lefts(arguments[0]), rights(arguments[1]);
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const int order = compare_bytes(lefts[row], rights[row]);
    to = as_text((kLarger ? order > 0 : order < 0) ? lefts[row] : rights[row]);
    return {};
  });
}

constexpr std::array kFunctions = {
    FunctionRow{1718, "numeric_eq", kBool, {kNumeric, kNumeric}, kOrdered<Equal>},
    FunctionRow{1719, "numeric_ne", kBool, {kNumeric, kNumeric}, kOrdered<NotEqual>},
    FunctionRow{1720, "numeric_gt", kBool, {kNumeric, kNumeric}, kOrdered<Greater>},
    FunctionRow{1721, "numeric_ge", kBool, {kNumeric, kNumeric}, kOrdered<GreaterEqual>},
    FunctionRow{1722, "numeric_lt", kBool, {kNumeric, kNumeric}, kOrdered<Less>},
    FunctionRow{1723, "numeric_le", kBool, {kNumeric, kNumeric}, kOrdered<LessEqual>},
    FunctionRow{1769,
                "numeric_cmp",
                kInt4,
                {kNumeric, kNumeric},
                fixed_kernel<Compare, std::int32_t, ByteView, ByteView>},
    FunctionRow{1766, "numeric_smaller", kNumeric, {kNumeric, kNumeric}, extreme<false>},
    FunctionRow{1767, "numeric_larger", kNumeric, {kNumeric, kNumeric}, extreme<true>},
};

}  // namespace

void add_comparisons(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_numeric
