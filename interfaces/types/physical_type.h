// physical_type.h — what a value is made of; SQL types map onto these, the executor knows no
// others.
//
// Holds:    the numbers are part of the disk formats: never reuse or renumber one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coppice {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

enum class PhysicalType : std::uint8_t {
  kBool = 1,
  kInt16 = 2,
  kInt32 = 3,
  kInt64 = 4,
  kInt128 = 5,  // decimals: unscaled, the scale belongs to the SQL type
  kFloat32 = 6,
  kFloat64 = 7,
  kBytes = 8,  // text, bytea, long decimals, …
};

constexpr bool is_physical_type(std::uint8_t number) {
  return number >= 1 && number <= 8;
}
constexpr bool is_bytes(PhysicalType type) {
  return type == PhysicalType::kBytes;
}
constexpr bool is_float(PhysicalType type) {
  return type == PhysicalType::kFloat32 || type == PhysicalType::kFloat64;
}
constexpr bool is_integer(PhysicalType type) {  // bool counts as 0 and 1
  return !is_bytes(type) && !is_float(type);
}

// Bytes of one flat value; 0 for kBytes.
constexpr std::size_t fixed_bytes(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool:
      return 1;
    case PhysicalType::kInt16:
      return 2;
    case PhysicalType::kInt32:
      return 4;
    case PhysicalType::kInt64:
      return 8;
    case PhysicalType::kInt128:
      return 16;
    case PhysicalType::kFloat32:
      return 4;
    case PhysicalType::kFloat64:
      return 8;
    case PhysicalType::kBytes:
      return 0;
  }
  return 0;
}

constexpr std::string_view physical_type_name(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool:
      return "bool";
    case PhysicalType::kInt16:
      return "int16";
    case PhysicalType::kInt32:
      return "int32";
    case PhysicalType::kInt64:
      return "int64";
    case PhysicalType::kInt128:
      return "int128";
    case PhysicalType::kFloat32:
      return "float32";
    case PhysicalType::kFloat64:
      return "float64";
    case PhysicalType::kBytes:
      return "bytes";
  }
  return "unknown";
}

}  // namespace coppice
