// table_ref.h — how tables are named below SQL.
#pragma once

#include <compare>
#include <cstdint>

#include "kernel/base/ids.h"

namespace coppice {

using NamespaceId = StrongId<struct NamespaceTag, std::uint32_t>;  // a database
using TableId =
    StrongId<struct TableTag, std::uint32_t>;  // a SQL table or an index, in its namespace

struct TableRef {
  NamespaceId ns;
  TableId table;
  friend auto operator<=>(TableRef, TableRef) = default;
};

}  // namespace coppice
