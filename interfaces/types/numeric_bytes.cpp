// numeric_bytes.cpp — small numbers into base 10000.
#include "interfaces/types/numeric_bytes.h"

#include <algorithm>
#include <array>
#include <limits>

namespace coppice {

void append_numeric(std::string& to, Int128 unscaled, unsigned scale) {
  const bool negative = unscaled < 0;
  UInt128 rest = negative ? -static_cast<UInt128>(unscaled) : static_cast<UInt128>(unscaled);
  std::array<std::uint16_t, 12> digits;  // 39 decimal digits and the alignment of the point
  std::size_t count = 0;                 // digits[0] is the least significant
  const unsigned pad = (4 - scale % 4) % 4;
  static constexpr std::array<std::uint16_t, 4> kPowers = {1, 10, 100, 1000};
  // The lowest base-10000 digit has 4 - pad decimal digits of `rest`, the others 4.
  const std::uint16_t low = kPowers[pad];
  const std::uint32_t first_base = 10000U / low;
  if (rest <= std::numeric_limits<std::uint64_t>::max()) {
    const auto small = static_cast<std::uint64_t>(rest);
    digits[count++] = static_cast<std::uint16_t>(small % first_base * low);
    rest = small / first_base;
  } else {
    digits[count++] =
        static_cast<std::uint16_t>(static_cast<std::uint32_t>(rest % first_base) * low);
    rest /= first_base;
  }
  constexpr UInt128 kLow = std::numeric_limits<std::uint64_t>::max();
  for (; rest > kLow; rest /= 10000) digits[count++] = static_cast<std::uint16_t>(rest % 10000);
  for (auto low_rest = static_cast<std::uint64_t>(rest); low_rest != 0; low_rest /= 10000)
    digits[count++] = static_cast<std::uint16_t>(low_rest % 10000);
  std::size_t lowest = 0;
  while (lowest < count && digits[lowest] == 0) ++lowest;
  while (count > lowest && digits[count - 1] == 0) --count;
  const int fraction_digits = static_cast<int>((scale + 3) / 4);
  const int weight = count == lowest ? 0 : static_cast<int>(count) - 1 - fraction_digits;
  std::array<char, kNumericHeaderBytes + digits.size() * 2> bytes;
  std::size_t size = 0;
  const auto put = [&](std::uint32_t value) {
    bytes[size++] = static_cast<char>(value >> 8 & 0xFF);
    bytes[size++] = static_cast<char>(value & 0xFF);
  };
  put(static_cast<std::uint32_t>(count - lowest));
  put(static_cast<std::uint32_t>(weight) & 0xFFFFU);
  put(negative ? kNumericNegative : kNumericPositive);
  put(scale);
  for (std::size_t i = count; i > lowest; --i) put(digits[i - 1]);
  to.append(bytes.data(), size);
}

}  // namespace coppice
