// total.cpp — sums in 128 bits, spilled before they overflow.
#include "plugins/sql/numeric/total.h"

#include "plugins/sql/numeric/arithmetic.h"

namespace coppice::sql_numeric {
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
