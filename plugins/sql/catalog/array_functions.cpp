// array_functions.cpp — array_to_string, array_length …; unnest and generate_subscripts.
//
// Source:   PostgreSQL 15, arrayfuncs.c, varlena.c.
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "plugins/sql/catalog/answers.h"
#include "plugins/sql/catalog/array_value.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

using type_oid::kAnyarray;
using type_oid::kAnyelement;
using type_oid::kBool;
using type_oid::kInt4;
using type_oid::kText;

Result<const SqlType*> element_type(CallContext& context, const ArrayValue& array) {
  const SqlRegistry* const registry = context.registry();
  const SqlType* const type = registry == nullptr ? nullptr : registry->find_type(array.element());
  if (type == nullptr)
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported,
                  "arrays of type " + std::to_string(array.element()) + " are not supported here"));
  return type;
}

// array_to_string(array, delimiter [, null text])
class Joiner {
 public:
  Joiner(CallContext& context, std::span<const Vector> arguments)
      : context_(context), arguments_(arguments) {}

  Result<Datum> operator()(std::uint32_t row) {
    if (arguments_[0].is_null(row) || arguments_[1].is_null(row))
      return Datum::null_of(PhysicalType::kBytes);
    const ArrayValue array = COPPICE_TRY(ArrayValue::parse(arguments_[0].bytes_at(row)));
    const SqlType* const type = COPPICE_TRY(element_type(context_, array));
    VectorBuffer elements(type->info().physical);
    COPPICE_TRY(read_elements(*type, array, elements));
    FormattedColumn formatted;
    COPPICE_TRY(type->format(WireForm::kText, elements.view(), Selection::all(elements.size()),
                             context_.settings(), formatted));
    const std::string_view delimiter = as_text(arguments_[1].bytes_at(row));
    const bool show_nulls = arguments_.size() == 3 && !arguments_[2].is_null(row);
    const std::string_view all = as_text(formatted.bytes);
    joined_.clear();
    bool first = true;
    std::size_t from = 0;
    for (const std::int64_t end : formatted.ends) {
      if (end < 0 && !show_nulls) continue;
      if (!first) joined_ += delimiter;
      first = false;
      if (end < 0) {
        joined_ += as_text(arguments_[2].bytes_at(row));
        continue;
      }
      joined_ += all.substr(from, static_cast<std::size_t>(end) - from);
      from = static_cast<std::size_t>(end);
    }
    return Datum::of(as_bytes(joined_));
  }

 private:
  CallContext& context_;
  std::span<const Vector> arguments_;
  std::string joined_;
};

Status array_to_string(CallContext& context, std::span<const Vector> arguments,
                       const Selection& rows, std::uint32_t size, VectorBuffer& out) {
  Joiner joiner(context, arguments);
  return each_datum(rows, size, out, [&](std::uint32_t row) { return joiner(row); });
}

// The dimension that arguments[1] asks for, counted from 1; nothing if the array has no such.
std::optional<std::size_t> dimension_of(const Dimensions& dimensions, std::int64_t asked) {
  if (asked < 1 || static_cast<std::uint64_t>(asked) > dimensions.count) return std::nullopt;
  return static_cast<std::size_t>(asked) - 1;
}

// measure(dimensions, asked dimension or 0) -> std::optional<std::int64_t>
template <class Measure>
Status each_measure(std::span<const Vector> arguments, const Selection& rows, std::uint32_t size,
                    VectorBuffer& out, Measure measure) {
  return each_datum(rows, size, out, [&](std::uint32_t row) -> Result<Datum> {
    const ArrayValue array = COPPICE_TRY(ArrayValue::parse(arguments[0].bytes_at(row)));
    const std::int64_t asked = arguments.size() > 1 ? arguments[1].int_at(row) : 0;
    const std::optional<std::int64_t> number = measure(array.dimensions(), asked);
    return number ? Datum::integer(PhysicalType::kInt32, *number)
                  : Datum::null_of(PhysicalType::kInt32);
  });
}

using Number = std::optional<std::int64_t>;

Status array_length(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  return each_measure(arguments, rows, size, out, [](const Dimensions& d, std::int64_t asked) {
    const auto at = dimension_of(d, asked);
    return at ? Number(d.sizes[*at]) : Number();
  });
}
Status array_lower(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  return each_measure(arguments, rows, size, out, [](const Dimensions& d, std::int64_t asked) {
    const auto at = dimension_of(d, asked);
    return at ? Number(d.lower[*at]) : Number();
  });
}
Status array_upper(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  return each_measure(arguments, rows, size, out, [](const Dimensions& d, std::int64_t asked) {
    const auto at = dimension_of(d, asked);
    return at ? Number(std::int64_t{d.lower[*at]} + d.sizes[*at] - 1) : Number();
  });
}
Status array_ndims(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  return each_measure(arguments, rows, size, out, [](const Dimensions& d, std::int64_t) {
    return d.count == 0 ? Number() : Number(static_cast<std::int64_t>(d.count));
  });
}
Status cardinality(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                   std::uint32_t size, VectorBuffer& out) {
  return each_measure(arguments, rows, size, out,
                      [](const Dimensions& d, std::int64_t) { return Number(d.elements()); });
}

// array || array, of one dimension each. NULL is as if it were not there.
Status array_cat(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
                 std::uint32_t size, VectorBuffer& out) {
  VectorBuffer joined(PhysicalType::kBytes);
  return each_datum(rows, size, out, [&](std::uint32_t row) -> Result<Datum> {
    if (arguments[0].is_null(row)) return arguments[1].datum_at(row);
    if (arguments[1].is_null(row)) return arguments[0].datum_at(row);
    const ArrayValue first = COPPICE_TRY(ArrayValue::parse(arguments[0].bytes_at(row)));
    const ArrayValue second = COPPICE_TRY(ArrayValue::parse(arguments[1].bytes_at(row)));
    if (first.dimensions().count > 1 || second.dimensions().count > 1)
      return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                       "|| of arrays of several dimensions is not supported"));
    if (first.element() != second.element())
      return std::unexpected(sql_error("42804", "cannot concatenate incompatible arrays"));
    const SqlType* const type = COPPICE_TRY(element_type(context, first));
    const SqlType* const array = context.registry()->find_type(type->info().array);
    COPPICE_ASSERT(array != nullptr);  // it was read
    VectorBuffer elements(type->info().physical);
    COPPICE_TRY(read_elements(*type, first, elements));
    COPPICE_TRY(read_elements(*type, second, elements));
    joined.clear();
    COPPICE_TRY(array->pack(elements.view(), joined));
    return joined.view().datum_at(0);
  });
}

// All elements of one array, in batches.
class Unnested final : public SetProducer {
 public:
  explicit Unnested(VectorBuffer elements) : elements_(std::move(elements)) {}

  Result<bool> next(std::span<VectorBuffer> out) override {
    const std::uint32_t count = std::min(elements_.size() - at_, kVectorRows);
    if (count == 0) return false;
    out[0].append(elements_.view(), at_, count);
    at_ += count;
    return true;
  }

 private:
  VectorBuffer elements_;
  std::uint32_t at_ = 0;
};

// A NULL array has no rows.
Result<std::unique_ptr<SetProducer>> unnest(CallContext& context,
                                            std::span<const Datum> arguments) {
  if (arguments[0].null) return std::make_unique<Unnested>(VectorBuffer(PhysicalType::kInt32));
  const ArrayValue array = COPPICE_TRY(ArrayValue::parse(arguments[0].bytes));
  const SqlType* const type = COPPICE_TRY(element_type(context, array));
  VectorBuffer elements(type->info().physical);
  COPPICE_TRY(read_elements(*type, array, elements));
  return std::make_unique<Unnested>(std::move(elements));
}

class Subscripts final : public SetProducer {
 public:
  Subscripts(std::int64_t first, std::int64_t count, std::int64_t step)
      : next_(first), left_(count), step_(step) {}

  Result<bool> next(std::span<VectorBuffer> out) override {
    if (left_ == 0) return false;
    const auto count = static_cast<std::uint32_t>(std::min<std::int64_t>(left_, kVectorRows));
    std::int32_t* const to = out[0].append_values<std::int32_t>(count);
    for (std::uint32_t i = 0; i < count; ++i, next_ += step_)
      to[i] = static_cast<std::int32_t>(next_);
    left_ -= count;
    return true;
  }

 private:
  std::int64_t next_, left_, step_;
};

// generate_subscripts(array, dimension [, reverse])
Result<std::unique_ptr<SetProducer>> generate_subscripts(CallContext&,
                                                         std::span<const Datum> arguments) {
  for (const Datum& argument : arguments)
    if (argument.null) return std::make_unique<Subscripts>(0, 0, 1);
  const ArrayValue array = COPPICE_TRY(ArrayValue::parse(arguments[0].bytes));
  const Dimensions& dimensions = array.dimensions();
  const auto at = dimension_of(dimensions, arguments[1].as_int());
  if (!at) return std::make_unique<Subscripts>(0, 0, 1);
  const std::int64_t lower = dimensions.lower[*at], count = dimensions.sizes[*at];
  const bool reverse = arguments.size() == 3 && arguments[2].as_int() != 0;
  return std::make_unique<Subscripts>(reverse ? lower + count - 1 : lower, count, reverse ? -1 : 1);
}

constexpr std::array kFunctions = {
    FunctionRow{
        395, "array_to_string", kText, {kAnyarray, kText}, array_to_string, Volatility::kStable},
    FunctionRow{384,
                "array_to_string",
                kText,
                {kAnyarray, kText, kText},
                array_to_string,
                Volatility::kStable,
                false},
    FunctionRow{383,
                "array_cat",
                kAnyarray,
                {kAnyarray, kAnyarray},
                array_cat,
                Volatility::kImmutable,
                false},
    FunctionRow{2176, "array_length", kInt4, {kAnyarray, kInt4}, array_length},
    FunctionRow{2091, "array_lower", kInt4, {kAnyarray, kInt4}, array_lower},
    FunctionRow{2092, "array_upper", kInt4, {kAnyarray, kInt4}, array_upper},
    FunctionRow{748, "array_ndims", kInt4, {kAnyarray}, array_ndims},
    FunctionRow{3179, "cardinality", kInt4, {kAnyarray}, cardinality},
};

constexpr OperatorRow kConcatenation{375, "||", kAnyarray, kAnyarray, kAnyarray, 383, "", ""};

// int2vector and oidvector are the arrays that they look like.
constexpr std::array kVectorCasts = {
    CastRow{22, 1005, CastContext::kImplicit, 0},
    CastRow{30, 1028, CastContext::kImplicit, 0},
};

void add_set_function(SqlRegistry& registry, FunctionOid oid, std::string name,
                      std::vector<TypeOid> arguments, TypeOid result, SetKernel kernel) {
  SqlFunction function;
  function.oid = oid;
  function.name = std::move(name);
  function.arguments = std::move(arguments);
  function.result = result;
  function.set_kernel = kernel;
  registry.add(std::move(function));
}

}  // namespace

void add_array_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span(&kConcatenation, 1));
  add_rows(registry, std::span<const CastRow>(kVectorCasts));
  add_set_function(registry, 2331, "unnest", {kAnyarray}, kAnyelement, unnest);
  add_set_function(registry, 1192, "generate_subscripts", {kAnyarray, kInt4}, kInt4,
                   generate_subscripts);
  add_set_function(registry, 1191, "generate_subscripts", {kAnyarray, kInt4, kBool}, kInt4,
                   generate_subscripts);
}

}  // namespace coppice::sql_catalog
