// copy.h — values moved between vectors, whatever their type and encoding.
//
// Threads:  any.   Parks: never.
#pragma once

#include <array>
#include <cstring>
#include <span>

#include "interfaces/types/vector_buffer.h"

namespace coppice::executor {

// Calls visit(T{}) with an unsigned integer as wide as a value of the type; not for kBytes.
template <class Visit>
auto with_width(PhysicalType type, Visit visit) {
  switch (fixed_bytes(type)) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    case 8:
      return visit(std::uint64_t{});
    case 16:
      return visit(UInt128{});
    default:
      unreachable();
  }
}

// The bits of one fixed value.
template <class T>
T bits_at(const Vector& from, std::uint32_t row) {
  if (from.encoding() == Encoding::kFlat) {
    T value;
    std::memcpy(&value, from.flat_values() + std::size_t{row} * sizeof(T), sizeof(T));
    return value;
  }
  return from.is_null(row) ? T{} : static_cast<T>(from.datum_at(row).bits);
}

using Positions = std::array<std::uint16_t, kVectorRows>;
std::span<const std::uint16_t> positions_of(const Selection& rows, Positions& to);

// Appends the values at `rows`, bytes copied.
void append_rows(VectorBuffer& to, const Vector& from, std::span<const std::uint16_t> rows);

// Bytes that append_rows() will take.
std::uint64_t bytes_of_rows(const Vector& from, std::span<const std::uint16_t> rows);

}  // namespace coppice::executor
