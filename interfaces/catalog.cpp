// catalog.cpp — look-ups inside a table's definition.
#include "interfaces/catalog.h"

namespace coppice {

const ColumnInfo* TableInfo::find_column(std::string_view column) const {
  for (const ColumnInfo& candidate : columns) {
    if (!candidate.dropped && candidate.name == column) return &candidate;
  }
  return nullptr;
}

const ColumnInfo* TableInfo::find_column(std::int16_t attribute) const {
  if (attribute < 1 || static_cast<std::size_t>(attribute) > columns.size()) return nullptr;
  const ColumnInfo& candidate = columns[static_cast<std::size_t>(attribute) - 1];
  return candidate.dropped ? nullptr : &candidate;
}

const IndexInfo* TableInfo::primary_key() const {
  for (const auto& index : indexes) {
    if (index->primary) return index.get();
  }
  return nullptr;
}

}  // namespace coppice
