// array_comparisons.cpp — = <> < <= > >= of arrays, by their keys.
#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/array_value.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kAnyarray;
using type_oid::kBool;

// The array type of the value; both operands have the same, the binder sees to it.
Result<const SqlType*> type_of(CallContext& context, ByteView value) {
  const ArrayValue array = COPPICE_TRY(ArrayValue::parse(value));
  const SqlRegistry* const registry = context.registry();
  const SqlType* const element =
      registry == nullptr ? nullptr : registry->find_type(array.element());
  const SqlType* const type =
      element == nullptr ? nullptr : registry->find_type(element->info().array);
  if (type == nullptr)
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "arrays cannot be compared here"));
  return type;
}

// Op::apply(a <=> b, 0)
template <class Op>
Status compare(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
               std::uint32_t size, VectorBuffer& out) {
  ByteBuffer left, right;
  return each_fixed<std::uint8_t>(
      rows, size, out, [&](std::uint32_t row, std::uint8_t& result) -> Status {
        const SqlType* const type = COPPICE_TRY(type_of(context, arguments[0].bytes_at(row)));
        left.clear();
        right.clear();
        KeyWriter left_key(left), right_key(right);
        type->write_key(arguments[0], row, KeyOrder::ascending_nulls_last(), left_key);
        type->write_key(arguments[1], row, KeyOrder::ascending_nulls_last(), right_key);
        result = Op::apply(compare_keys(left, right), 0) ? 1 : 0;
        return {};
      });
}

constexpr std::array kFunctions = {
    FunctionRow{744, "array_eq", kBool, {kAnyarray, kAnyarray}, compare<Equal>},
    FunctionRow{390, "array_ne", kBool, {kAnyarray, kAnyarray}, compare<NotEqual>},
    FunctionRow{391, "array_lt", kBool, {kAnyarray, kAnyarray}, compare<Less>},
    FunctionRow{392, "array_gt", kBool, {kAnyarray, kAnyarray}, compare<Greater>},
    FunctionRow{393, "array_le", kBool, {kAnyarray, kAnyarray}, compare<LessEqual>},
    FunctionRow{396, "array_ge", kBool, {kAnyarray, kAnyarray}, compare<GreaterEqual>},
};
constexpr std::array kOperators = {
    OperatorRow{1070, "=", kAnyarray, kAnyarray, kBool, 744, "=", "<>"},
    OperatorRow{1071, "<>", kAnyarray, kAnyarray, kBool, 390, "<>", "="},
    OperatorRow{1072, "<", kAnyarray, kAnyarray, kBool, 391, ">", ">="},
    OperatorRow{1073, ">", kAnyarray, kAnyarray, kBool, 392, "<", "<="},
    OperatorRow{1074, "<=", kAnyarray, kAnyarray, kBool, 393, ">=", ">"},
    OperatorRow{1075, ">=", kAnyarray, kAnyarray, kBool, 396, "<=", "<"},
};

}  // namespace

void add_array_comparisons(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span<const OperatorRow>(kOperators));
}

}  // namespace coppice::sql_catalog
