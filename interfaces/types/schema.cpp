// schema.cpp — groups and versions of a table's physical shape.
#include "interfaces/types/schema.h"

#include <algorithm>
#include <bitset>

namespace coppice {
namespace {

// What a value is likely to take once encoded; 0: a column for a group of its own.
std::uint32_t likely_bytes(const Column& column) {
  switch (column.type) {
    case PhysicalType::kBool:
    case PhysicalType::kInt16:
      return 1;
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
      return 2;
    case PhysicalType::kFloat32:
      return 4;
    case PhysicalType::kFloat64:
    case PhysicalType::kInt128:
      return 6;
    case PhysicalType::kBytes:
      break;
  }
  return column.expected_bytes <= kGroupRowBytes ? column.expected_bytes : 0;
}

}  // namespace

Datum Column::missing_value() const {
  if (!missing) return Datum::null_of(type);
  if (is_bytes(type)) return Datum::of(ByteView(*missing));
  if (missing->size() != fixed_bytes(type)) return Datum::null_of(type);
  UInt128 bits = 0;
  std::memcpy(&bits, missing->data(), missing->size());
  if (is_integer(type) && type != PhysicalType::kBool) {  // sign-extend
    const auto shift = static_cast<unsigned>(128 - 8 * missing->size());
    return Datum::integer(type, static_cast<Int128>(bits << shift) >> shift);
  }
  return {type, false, static_cast<Int128>(bits), {}};
}

std::uint32_t TableSchema::group_count() const {
  std::uint32_t count = 0;
  for (const Column& column : columns)
    count = std::max<std::uint32_t>(count, column.group + std::uint32_t{1});
  return count;
}

GroupMask TableSchema::all_groups() const {
  GroupMask mask = 0;
  for (const Column& column : columns) mask |= GroupMask{1} << column.group;
  return mask;
}

const Column* TableSchema::find(ColumnId id) const {
  const auto at = std::ranges::find(columns, id, &Column::id);
  return at == columns.end() ? nullptr : &*at;
}

std::vector<std::uint32_t> TableSchema::columns_of(GroupMask mask) const {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < columns.size(); ++i)
    if ((mask >> columns[i].group & 1) != 0) positions.push_back(i);
  return positions;
}

Status TableSchema::validate() const {
  if (columns.empty() || columns.size() > kColumnsMax)
    return fail(Code::kInvalidArgument, "a table has 1 to 1600 columns");
  std::bitset<65536> seen;
  for (const Column& column : columns) {
    if (column.group >= kGroupsMax) return fail(Code::kInvalidArgument, "column group above 63");
    if (seen.test(column.id.value)) return fail(Code::kInvalidArgument, "column id used twice");
    seen.set(column.id.value);
  }
  return {};
}

void assign_groups(std::span<Column> columns, std::size_t first_new) {
  std::uint32_t next = 0;  // the next unused group
  for (std::size_t i = 0; i < first_new; ++i)
    next = std::max<std::uint32_t>(next, columns[i].group + std::uint32_t{1});
  std::uint32_t shared = kGroupsMax;  // the group being filled; kGroupsMax: none yet
  std::uint32_t shared_bytes = 0;
  std::uint32_t overflow = 0;
  const auto take = [&] { return next < kGroupsMax ? next++ : overflow++ % kGroupsMax; };
  for (Column& column : columns.subspan(first_new)) {
    const std::uint32_t bytes = likely_bytes(column);
    if (bytes == 0) {
      column.group = static_cast<std::uint8_t>(take());
      continue;
    }
    if (shared == kGroupsMax || shared_bytes + bytes > kGroupRowBytes) {
      shared = take();
      shared_bytes = 0;
    }
    column.group = static_cast<std::uint8_t>(shared);
    shared_bytes += bytes;
  }
}

}  // namespace coppice
