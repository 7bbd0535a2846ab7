// schema.h — the physical shape of a table: columns, their groups, and the version of both.
//
// Role:     what storage needs to know of a table; names and SQL types stay in the catalog.
// Holds:    column ids are never reused within a table; a column never leaves its group. Groups are
//           the unit in which an update changes a row: an untouched group is not written again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interfaces/types/datum.h"
#include "kernel/base/ids.h"
#include "kernel/base/result.h"

namespace coppice {

using ColumnId = StrongId<struct ColumnTag, std::uint16_t>;
using GroupMask = std::uint64_t;
inline constexpr std::uint32_t kColumnsMax = 1600;
inline constexpr std::uint32_t kGroupsMax = 64;
inline constexpr std::uint32_t kGroupRowBytes = 12;  // aim: 1,024 rows of a group in 8-16 KiB

struct Column {
  ColumnId id;
  PhysicalType type = PhysicalType::kInt64;
  bool nullable = true;
  std::uint8_t group = 0;
  std::uint16_t expected_bytes = 0;  // hint for grouping kBytes columns; 0: unknown
  // What rows hold that were written before the column existed (flat bytes); nothing: NULL.
  std::optional<ByteBuffer> missing = {};

  Datum missing_value() const;  // views `missing`
};

struct TableSchema {
  std::uint32_t version = 1;
  std::vector<Column> columns;  // in tuple order

  std::uint32_t group_count() const;
  GroupMask all_groups() const;
  const Column* find(ColumnId id) const;
  // Positions in `columns` of the groups in `mask`, ascending.
  std::vector<std::uint32_t> columns_of(GroupMask mask) const;
  Status validate() const;  // kInvalidArgument: limits, duplicate ids, bad groups
};

// Gives each column from `first_new` on a group, after those of the columns before it: fixed-size
// and short columns share groups of about kGroupRowBytes a row, long ones have their own while
// there are groups left, so that updating a number never rewrites a text.
void assign_groups(std::span<Column> columns, std::size_t first_new = 0);

}  // namespace coppice
