// numeric_bytes.h — a value of SQL type numeric as bytes: PostgreSQL's base-10000 wire form.
//
// Role:     the physical form (kBytes) of numeric in vectors and tuples, and its binary wire form:
//             int16 digits, int16 weight, uint16 sign, uint16 display scale, then the digits,
//             each an int16 of 0 … 9999, all big-endian.
//           value = sum of digit[i] × 10000^(weight - i). Zero has no digits and weight 0.
// Holds:    the first and the last digit are not 0, so equal values with equal scale are equal
//           bytes.
// Source:   PostgreSQL 15, numeric_send().
#pragma once

#include <cstdint>
#include <string>

#include "interfaces/types/physical_type.h"
#include "kernel/base/bytes.h"

namespace coppice {

inline constexpr std::uint16_t kNumericPositive = 0x0000, kNumericNegative = 0x4000,
                               kNumericNan = 0xC000, kNumericInfinity = 0xD000,
                               kNumericNegativeInfinity = 0xF000;
inline constexpr std::size_t kNumericHeaderBytes = 8;

// unscaled × 10^-scale, shown with `scale` digits after the point.
void append_numeric(std::string& to, Int128 unscaled, unsigned scale);

}  // namespace coppice
