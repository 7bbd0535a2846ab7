// float_types.cpp — real and double precision: the shortest text that reads back as the value.
#include <charconv>
#include <cmath>
#include <limits>

#include "interfaces/sql_kernels.h"
#include "plugins/sql/core/float_text.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
class FloatType final : public SqlType {
 public:
  explicit FloatType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, sizeof(T)));
      *out.append_values<T>(1) = std::bit_cast<T>(load_be<BitsOf<T>>(value.data()));
      return {};
    }
    const T parsed = COPPICE_TRY(float_of<T>(as_text(value)));
    *out.append_values<T>(1) = parsed;
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override {
    const bool binary = form == WireForm::kBinary;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const T value = static_cast<T>(values.float_at(row));
      if (binary)
        append_be(bytes, std::bit_cast<BitsOf<T>>(value));
      else
        append_float(bytes, value, settings.extra_float_digits);
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    if constexpr (sizeof(T) == 4)
      out.float32(static_cast<float>(values.float_at(row)), order);
    else
      out.float64(values.float_at(row), order);
  }
};

}  // namespace

void add_float_types(SqlRegistry& registry) {
  registry.add(std::make_unique<FloatType<float>>(SqlType::Info{.oid = type_oid::kFloat4,
                                                                .name = "float4",
                                                                .display_name = "real",
                                                                .physical = PhysicalType::kFloat32,
                                                                .size = 4,
                                                                .category = 'N',
                                                                .array = 1021,
                                                                .equality = Equality::kByKey}));
  registry.add(std::make_unique<FloatType<double>>(SqlType::Info{.oid = type_oid::kFloat8,
                                                                 .name = "float8",
                                                                 .display_name = "double precision",
                                                                 .physical = PhysicalType::kFloat64,
                                                                 .size = 8,
                                                                 .category = 'N',
                                                                 .preferred = true,
                                                                 .array = 1022,
                                                                 .equality = Equality::kByKey}));
  registry.alias("real", type_oid::kFloat4);
  registry.alias("double precision", type_oid::kFloat8);
}

}  // namespace coppice::sql_core
