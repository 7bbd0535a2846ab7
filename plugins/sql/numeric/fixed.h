// fixed.h — numeric values that fit in 128 bits, as most do: the fast way through sums, products.
#pragma once

#include <optional>

#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {

// value = unscaled × 10^-scale.
struct Fixed {
  Int128 unscaled = 0;
  int scale = 0;
};

// Below 10^16 and to 16 places, so that one can be rescaled to another's scale and added to it.
// Nothing for special values, and those that are too large or too finely divided.
std::optional<Fixed> fixed_of(ByteView bytes);
bool rescale(Fixed& value, int scale);  // to more decimal places; false if that overflows

// False where the result does not fit, or not for certain.
bool add_fixed(Fixed a, Fixed b, Fixed& to);
bool subtract_fixed(Fixed a, Fixed b, Fixed& to);
bool multiply_fixed(Fixed a, Fixed b, Fixed& to);

}  // namespace coppice::sql_numeric
