// total.cpp — sums in 128 bits, spilled before they overflow.
#include "plugins/sql/numeric/total.h"

#include <array>

#include "plugins/sql/numeric/arithmetic.h"

namespace coppice::sql_numeric {
namespace {

constexpr int kFixedWeightMax = 3, kFixedScaleMax = 16;  // below 10^16, to 16 places: below 2^127

constexpr auto kPowersOfTen = [] {
  std::array<Int128, 39> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

Int128 power_of_ten(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

}  // namespace

std::optional<Fixed> fixed_of(ByteView bytes) {
  const auto weight = static_cast<std::int16_t>(load_be<std::uint16_t>(bytes.data() + 2));
  const auto sign = load_be<std::uint16_t>(bytes.data() + 4);
  const int scale = load_be<std::uint16_t>(bytes.data() + 6);
  if (weight > kFixedWeightMax || scale > kFixedScaleMax || sign >= kNumericNan) return {};
  const int count = static_cast<int>((bytes.size() - kNumericHeaderBytes) / 2);
  Int128 unscaled = 0;
  for (int i = 0; i < count; ++i)
    unscaled = unscaled * kBase + load_be<std::uint16_t>(bytes.data() + kNumericHeaderBytes +
                                                         static_cast<std::size_t>(i) * 2);
  // The last digit counts 10^-places.
  const int places = (count - 1 - weight) * kBaseDigits;
  if (places > scale)
    unscaled /= power_of_ten(places - scale);
  else if (count != 0)
    unscaled *= power_of_ten(scale - places);
  return Fixed{sign == kNumericNegative ? -unscaled : unscaled, scale};
}

bool rescale(Fixed& value, int scale) {
  const int more = scale - value.scale;
  if (more <= 0) return true;
  if (value.unscaled != 0) {
    if (more >= static_cast<int>(kPowersOfTen.size())) return false;
    if (__builtin_mul_overflow(value.unscaled, power_of_ten(more), &value.unscaled)) return false;
  }
  value.scale = scale;
  return true;
}

void Total::spill() {
  const Number moved = number_of(fixed_.unscaled, fixed_.scale);
  if (wide_ == nullptr)
    wide_ = std::make_unique<Number>(moved);
  else
    *wide_ = sql_numeric::add(*wide_, moved);
  fixed_.unscaled = 0;
}

void Total::add(const Fixed& value) {
  Fixed aligned = value;
  if (aligned.scale > fixed_.scale && !rescale(fixed_, aligned.scale)) {
    spill();
    fixed_.scale = aligned.scale;
  }
  if (aligned.scale < fixed_.scale && !rescale(aligned, fixed_.scale))
    return add(number_of(value.unscaled, value.scale));
  Int128 sum;
  if (__builtin_add_overflow(fixed_.unscaled, aligned.unscaled, &sum)) {
    spill();
    sum = aligned.unscaled;
  }
  fixed_.unscaled = sum;
}

void Total::add(const Number& value) {
  if (wide_ == nullptr)
    wide_ = std::make_unique<Number>(value);
  else
    *wide_ = sql_numeric::add(*wide_, value);
}

Number Total::value() const {
  const Number fixed = number_of(fixed_.unscaled, fixed_.scale);
  return wide_ == nullptr ? fixed : sql_numeric::add(fixed, *wide_);
}

std::uint64_t Total::heap_bytes() const {
  return wide_ == nullptr ? 0 : sizeof(Number) + wide_->digits.size() * sizeof(Digit);
}

}  // namespace coppice::sql_numeric
