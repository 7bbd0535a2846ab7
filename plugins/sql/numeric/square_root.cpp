// square_root.cpp — roots by Newton's iteration on integers, half of the digits at a time.
#include <cmath>

#include "plugins/sql/numeric/arithmetic.h"

namespace coppice::sql_numeric {
namespace {

// value / 10000^places, cut to an integer; `places` may be negative.
Number shifted_down(const Number& value, int places) {
  Number to = value;
  to.scale = 0;
  if (to.digits.empty()) return to;
  to.weight -= places;
  truncate_to(to, 0);
  return to;
}

constexpr int kSmallPowers = 8;  // 10000^8 fits in 128 bits

Number small_root(const Number& value) {
  UInt128 square = 0;
  for (int power = value.weight; power >= 0; --power)
    square = square * kBase + value.at_power(power);
  auto root = static_cast<UInt128>(std::sqrt(static_cast<long double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return number_of(static_cast<Int128>(root));
}

// The largest integer whose square is not above `value`, an integer.
Number integer_root(const Number& value) {
  const int count = value.weight + 1;
  if (count <= kSmallPowers) return small_root(value);
  // The root of the upper digits is right to 10000^low, and so the next step to less than 1.
  const int low = (count - 4) / 4;
  const Number upper = integer_root(shifted_down(value, 2 * low));
  const Number quotient = divide(shifted_down(value, low), upper, 0, Rounding::kTruncate);
  Number root =
      divide(add(shifted_down(upper, -low), quotient), number_of(2), 0, Rounding::kTruncate);
  const Number one = number_of(1);
  while (compare(multiply(root, root), value) > 0) root = subtract(root, one);
  while (true) {
    const Number next = add(root, one);
    if (compare(multiply(next, next), value) > 0) return root;
    root = next;
  }
}

}  // namespace

Number square_root(const Number& value, int scale) {
  const int places = scale >= 0 ? scale / kBaseDigits + 1 : -(-scale / kBaseDigits) + 1;
  Number to = integer_root(shifted_down(value, -2 * places));
  if (!to.digits.empty()) to.weight -= places;
  round_to(to, scale);
  return to;
}

}  // namespace coppice::sql_numeric
