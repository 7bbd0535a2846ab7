// numeric_type.cpp — numeric(precision, scale): its text, its bytes, its key.
// Source:   PostgreSQL 15, numeric_in(), numeric_recv(), numerictypmodin().
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/numeric/number.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

constexpr std::int64_t kPrecisionMax = 1000, kColumnScaleMin = -1000, kColumnScaleMax = 1000;

std::unexpected<Error> invalid_bytes(std::string_view what) {
  return std::unexpected(
      sql_error("22P03", "invalid " + std::string(what) + " in external \"numeric\" value"));
}

bool is_special(unsigned sign) {
  return sign == kNumericNan || sign == kNumericInfinity || sign == kNumericNegativeInfinity;
}

// A message of any client: nothing in it is taken for granted. Digits that its scale hides are cut.
Result<Number> number_from_wire(ByteView value) {
  const auto short_of_data = [] {
    return std::unexpected(
        sql_error(sqlstate::kProtocolViolation, "insufficient data left in message"));
  };
  const auto field = [&](std::size_t index) {
    return load_be<std::uint16_t>(value.data() + index * 2);
  };
  if (value.size() < kNumericHeaderBytes) return short_of_data();
  const std::size_t count = field(0);
  const unsigned sign = field(2), scale = field(3);
  if (sign != kNumericPositive && sign != kNumericNegative && !is_special(sign))
    return invalid_bytes("sign");
  if (scale > static_cast<unsigned>(kScaleMax)) return invalid_bytes("scale");
  const std::size_t present = std::min(count, (value.size() - kNumericHeaderBytes) / 2);
  for (std::size_t i = 0; i < present; ++i)
    if (field(4 + i) >= kBase) return invalid_bytes("digit");
  if (present != count) return short_of_data();
  if (value.size() != kNumericHeaderBytes + count * 2)
    return std::unexpected(sql_error("22P03", "incorrect binary data format"));
  Number to;
  load(value, to);
  if (!to.finite()) {
    to.weight = 0;
    return to;
  }
  normalise(to);
  truncate_to(to, to.scale);
  return to;
}

// All decimal digits of a stored value up to its scale, for its key.
DecimalDigits decimal_digits_of(const Number& value) {
  DecimalDigits to;
  to.negative = value.negative;
  to.scale = value.scale;
  const int low = -((value.scale + kBaseDigits - 1) / kBaseDigits);
  if (!value.digits.empty()) {
    to.digits.reserve(static_cast<std::size_t>((value.weight - low + 1) * kBaseDigits));
    for (int power = value.weight; power >= low; --power) {
      const int digit = value.at_power(power);
      for (const int place : {1000, 100, 10, 1})
        to.digits.push_back(static_cast<std::uint8_t>(digit / place % 10));
    }
  }
  const auto extra = static_cast<std::size_t>(-low * kBaseDigits - value.scale);
  if (to.digits.size() >= extra) to.digits.resize(to.digits.size() - extra);
  return to;
}

DecimalDigits::Kind key_kind(Kind kind) {
  switch (kind) {
    case Kind::kFinite:
      return DecimalDigits::Kind::kFinite;
    case Kind::kNan:
      return DecimalDigits::Kind::kNan;
    case Kind::kInfinity:
      return DecimalDigits::Kind::kInfinity;
    case Kind::kNegativeInfinity:
      return DecimalDigits::Kind::kNegativeInfinity;
  }
  unreachable();
}

std::unexpected<Error> out_of_bounds(std::string_view what, std::int64_t value, std::int64_t low,
                                     std::int64_t high) {
  return std::unexpected(sql_error(
      "22023", "NUMERIC " + std::string(what) + " " + std::to_string(value) + " must be between " +
                   std::to_string(low) + " and " + std::to_string(high)));
}

class NumericType final : public SqlType {
 public:
  NumericType()
      : SqlType({.oid = type_oid::kNumeric,
                 .name = "numeric",
                 .display_name = "numeric",
                 .physical = PhysicalType::kBytes,
                 .size = -1,
                 .category = 'N',
                 .array = 1231,
                 .equality = Equality::kByKey}) {}

  Status parse(WireForm form, ByteView value, std::int32_t modifier, const SqlSettings&,
               VectorBuffer& out) const override {
    Number number = COPPICE_TRY(form == WireForm::kBinary ? number_from_wire(value)
                                                          : number_from_text(as_text(value)));
    COPPICE_TRY(fit(number, modifier));
    std::string bytes;
    COPPICE_TRY(store(number, bytes));
    out.append_bytes(as_bytes(bytes));
    return {};
  }

  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    const bool binary = form == WireForm::kBinary;
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      if (binary)
        append(bytes, values.bytes_at(row));
      else
        append_numeric_text(bytes, values.bytes_at(row));
    });
    return {};
  }

  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    Number number;
    load(values.bytes_at(row), number);
    DecimalDigits digits = decimal_digits_of(number);
    digits.kind = key_kind(number.kind);
    out.decimal(digits, order);
  }

  std::string describe(std::int32_t modifier) const override {
    if (!has_precision(modifier)) return info().display_name;
    const Precision precision = precision_of(modifier);
    return info().display_name + "(" + std::to_string(precision.digits) + "," +
           std::to_string(precision.scale) + ")";
  }

  Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const override {
    if (arguments.empty()) return -1;
    if (arguments.size() > 2)
      return std::unexpected(sql_error("22023", "invalid NUMERIC type modifier"));
    const std::int64_t digits = arguments[0];
    const std::int64_t scale = arguments.size() == 2 ? arguments[1] : 0;
    if (digits < 1 || digits > kPrecisionMax)
      return out_of_bounds("precision", digits, 1, kPrecisionMax);
    if (scale < kColumnScaleMin || scale > kColumnScaleMax)
      return out_of_bounds("scale", scale, kColumnScaleMin, kColumnScaleMax);
    return sql_numeric::modifier_of({static_cast<int>(digits), static_cast<int>(scale)});
  }
};

}  // namespace

void add_numeric_type(SqlRegistry& registry) {
  registry.add(std::make_unique<NumericType>());
  registry.alias("decimal", type_oid::kNumeric);
}

}  // namespace coppice::sql_numeric
