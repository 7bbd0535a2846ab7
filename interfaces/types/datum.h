// datum.h — one value of a physical type, by value; bytes are viewed, not owned.
//
// Role:     row-at-a-time edges (tuples, defaults, point updates). Hot loops use Vector.
#pragma once

#include <bit>

#include "interfaces/types/physical_type.h"
#include "kernel/base/bytes.h"

namespace coppice {

struct Datum {
  PhysicalType type = PhysicalType::kInt64;
  bool null = true;
  Int128 bits = 0;  // integers: the value; floats: the bit pattern of their own width
  ByteView bytes;   // kBytes

  static Datum null_of(PhysicalType type) { return {type, true, 0, {}}; }
  static Datum integer(PhysicalType type, Int128 value) { return {type, false, value, {}}; }
  static Datum of(std::int64_t value) { return integer(PhysicalType::kInt64, value); }
  static Datum of(float value) {
    return {PhysicalType::kFloat32, false, std::bit_cast<std::uint32_t>(value), {}};
  }
  static Datum of(double value) {
    return {PhysicalType::kFloat64,
            false,
            static_cast<Int128>(std::bit_cast<std::uint64_t>(value)),
            {}};
  }
  static Datum of(ByteView value) { return {PhysicalType::kBytes, false, 0, value}; }

  std::int64_t as_int() const { return static_cast<std::int64_t>(bits); }
  double as_float() const {
    return type == PhysicalType::kFloat32
               ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
               : std::bit_cast<double>(static_cast<std::uint64_t>(bits));
  }
  // Floats compare by bits, so that a NaN equals itself and -0 differs from 0.
  friend bool operator==(const Datum& a, const Datum& b) {
    if (a.type != b.type || a.null != b.null) return false;
    if (a.null) return true;
    return is_bytes(a.type) ? as_text(a.bytes) == as_text(b.bytes) : a.bits == b.bits;
  }
};

}  // namespace coppice
