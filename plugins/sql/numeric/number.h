// number.h — a numeric value taken apart: digits, weight, sign and display scale.
//
// Role:     what arithmetic works on; vectors hold the bytes of types/numeric_bytes.h instead.
// Holds:    a normalised number has no zero digit at either end, and zero is not negative; all
//           functions here take and give normalised numbers. Weights and scales of what is being
//           computed may exceed those that can be stored: store() checks.
// Source:   PostgreSQL 15, numeric.c.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interfaces/types/numeric_bytes.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"
#include "plugins/sql/numeric/digits.h"

namespace coppice::sql_numeric {

inline constexpr int kBase = 10000;
inline constexpr int kBaseDigits = 4;  // decimal digits of a digit
inline constexpr int kWeightMax = 0x7FFF;
inline constexpr int kScaleMax = 0x3FFF;
inline constexpr int kShownScaleMax = 1000;  // of results whose scale is chosen for them
inline constexpr int kResultScaleMax = 2000;
inline constexpr int kSignificantDigitsMin = 16;
inline constexpr int kInfinityScale = 32;  // what numeric_send() says of an infinity

enum class Kind : std::uint8_t { kFinite, kNan, kInfinity, kNegativeInfinity };

struct Number {
  Kind kind = Kind::kFinite;
  bool negative = false;
  int weight = 0;  // digits[i] counts 10000^(weight - i)
  int scale = 0;   // decimal digits shown after the point; below 0 only inside a computation
  Digits digits;

  bool finite() const { return kind == Kind::kFinite; }
  bool nan() const { return kind == Kind::kNan; }
  bool infinite() const { return kind == Kind::kInfinity || kind == Kind::kNegativeInfinity; }
  bool zero() const { return finite() && digits.empty(); }
  bool integral() const {  // an infinity is
    return !nan() && static_cast<int>(digits.size()) <= (digits.empty() ? 0 : weight + 1);
  }
  int sign() const {  // not of NaN
    if (!finite()) return kind == Kind::kNegativeInfinity ? -1 : 1;
    return digits.empty() ? 0 : negative ? -1 : 1;
  }
  // Of the digits' place `i`, counted in powers of 10000; 0 where there is none.
  Digit at_power(int power) const {
    const int i = weight - power;
    return i < 0 || i >= static_cast<int>(digits.size()) ? Digit{0}
                                                         : digits[static_cast<std::size_t>(i)];
  }
};

Number special(Kind kind);
Number number_of(Int128 unscaled, int scale = 0);
// The value rounded to an integer, or nothing if that does not fit.
bool to_int64(const Number& value, std::int64_t& to);
// The nearest double or near it; too large ones become an infinity.
double approximate(const Number& value);

void load(ByteView bytes, Number& to);
// Appends the bytes. 22003 for what the format cannot hold.
Status store(const Number& value, std::string& to);
std::unexpected<Error> overflow();

// Removes zeros at both ends.
void normalise(Number& value);
// Half away from zero; the scale becomes `scale`, which may be negative.
void round_to(Number& value, int scale);
void truncate_to(Number& value, int scale);

int compare_magnitudes(const Number& a, const Number& b);  // both finite
int compare(const Number& a, const Number& b);             // both finite
// Of any two stored values: NaN equals itself and is above everything else.
int compare_bytes(ByteView a, ByteView b);

// The text of numeric_in(), NaN and infinities included; 22P02. Not yet fit for a column.
Result<Number> number_from_text(std::string_view text);
Result<Number> number_from_float(double value, int significant_digits);
void append_numeric_text(ByteBuffer& to, ByteView bytes);

// What a modifier of pg_attribute.atttypmod says.
struct Precision {
  int digits;
  int scale;
};
constexpr std::int32_t kModifierOffset = 4;
constexpr bool has_precision(std::int32_t modifier) {
  return modifier >= kModifierOffset;
}
Precision precision_of(std::int32_t modifier);
std::int32_t modifier_of(Precision precision);
// Rounds to a column's scale; 22003 if it does not fit its precision.
Status fit(Number& value, std::int32_t modifier);

}  // namespace coppice::sql_numeric
