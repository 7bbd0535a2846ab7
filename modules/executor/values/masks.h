// masks.h — selections as bit masks: the arithmetic of filters.
//
// Threads:  any.   Parks: never.
#pragma once

#include "interfaces/types/vector.h"

namespace coppice::executor {

using Mask = Selection::Mask;

void to_mask(const Selection& rows, Mask& mask);
// Out of line: a Selection takes 700 bytes of stack where it is returned by value.
void to_selection(const Mask& mask, std::uint32_t rows, Selection& to);
bool any_of(const Mask& mask);

// Three-valued answers of some rows.
struct Truth {
  Mask yes{}, null{};
};
// Of a vector of bool, at the rows of `rows`.
void truth_of(const Vector& values, const Mask& rows, Truth& truth);
// Which of `rows` are NULL.
void nulls_of(const Vector& values, const Mask& rows, Mask& nulls);

// A null bitmap that views `mask`.
inline const std::byte* bitmap_of(const Mask& mask) {
  return reinterpret_cast<const std::byte*>(mask.data());
}

}  // namespace coppice::executor
