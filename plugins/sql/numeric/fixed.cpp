// fixed.cpp — bytes into 128 bits, with 64-bit arithmetic wherever that is enough.
#include "plugins/sql/numeric/fixed.h"

#include <array>
#include <limits>

namespace coppice::sql_numeric {
namespace {

constexpr int kWeightMaxOfFixed = 3, kScaleMaxOfFixed = 16;
constexpr int kDigitsOfInt64 = 4;  // whose value, and its multiple by 10^3, fit

constexpr auto kPowersOfTen = [] {
  std::array<Int128, 39> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

Int128 power_of_ten(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

Int128 digits_from(const std::byte* digits, int count) {
  std::uint64_t low = 0;
  const int first = std::min(count, kDigitsOfInt64);
  for (int i = 0; i < first; ++i) low = low * kBase + load_be<std::uint16_t>(digits + i * 2);
  auto value = static_cast<Int128>(low);
  for (int i = first; i < count; ++i)
    value = value * kBase + load_be<std::uint16_t>(digits + i * 2);
  return value;
}

Int128 cut(Int128 value, int places) {
  if (value <= std::numeric_limits<std::int64_t>::max())
    return static_cast<std::int64_t>(value) / static_cast<std::int64_t>(power_of_ten(places));
  return value / power_of_ten(places);
}

}  // namespace

std::optional<Fixed> fixed_of(ByteView bytes) {
  const int weight = load_be<std::int16_t>(bytes.data() + 2);
  const auto sign = load_be<std::uint16_t>(bytes.data() + 4);
  const int scale = load_be<std::uint16_t>(bytes.data() + 6);
  if (weight > kWeightMaxOfFixed || scale > kScaleMaxOfFixed || sign >= kNumericNan) return {};
  const int count = static_cast<int>((bytes.size() - kNumericHeaderBytes) / 2);
  if (count == 0) return Fixed{0, scale};
  // The last digit counts 10^-places, and its scale does not hide all of it.
  const int places = (count - 1 - weight) * kBaseDigits;
  if (places - scale >= kBaseDigits) return {};
  Int128 unscaled = digits_from(bytes.data() + kNumericHeaderBytes, count);
  if (places > scale)
    unscaled = cut(unscaled, places - scale);
  else if (places < scale)
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

bool add_fixed(Fixed a, Fixed b, Fixed& to) {
  if (!rescale(a, b.scale) || !rescale(b, a.scale)) return false;
  to.scale = a.scale;
  return !__builtin_add_overflow(a.unscaled, b.unscaled, &to.unscaled);
}

bool subtract_fixed(Fixed a, Fixed b, Fixed& to) {
  b.unscaled = -b.unscaled;
  return add_fixed(a, b, to);
}

bool multiply_fixed(Fixed a, Fixed b, Fixed& to) {
  to.scale = a.scale + b.scale;
  return !__builtin_mul_overflow(a.unscaled, b.unscaled, &to.unscaled);
}

}  // namespace coppice::sql_numeric
