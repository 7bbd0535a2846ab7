#include "modules/lsm/sstable/row_versions.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

// Gives `newer` the groups that it lacks and `older` has.
void inherit(const TableSchema& schema, const StoredVersion& older, StoredVersion& newer) {
  const GroupMask lacking = older.mask & ~newer.mask;
  if (lacking == 0) return;
  newer.values.resize(schema.columns.size());
  for (const std::uint32_t column : schema.columns_of(lacking))
    newer.values[column] = older.values[column];
  newer.mask |= lacking;
}

}  // namespace

void reduce_versions(const TableSchema& schema, const ReduceOptions& options,
                     std::vector<StoredVersion>& versions) {
  const auto settled = std::ranges::find_if(
      versions, [&](const StoredVersion& version) { return version.timestamp <= options.horizon; });
  if (settled != versions.end()) {
    for (auto older = settled + 1; older != versions.end() && !older->deleted; ++older)
      if (!settled->deleted) inherit(schema, *older, *settled);
    const bool hides_nothing = options.is_last && settled->deleted;
    versions.erase(hides_nothing ? settled : settled + 1, versions.end());
  }
  if (!options.is_last || versions.empty() || versions.front().deleted) return;
  for (std::size_t i = 1; i < versions.size() && !versions[i].deleted; ++i)
    inherit(schema, versions[i], versions.front());
  StoredVersion defaults{{}, schema.all_groups(), false, {}};  // groups younger than the row
  for (const Column& column : schema.columns) defaults.values.push_back(column.missing_value());
  inherit(schema, defaults, versions.front());
}

Status add_versions(const TableSchema& schema, Egid egid,
                    const std::vector<StoredVersion>& versions, RowFileBuilder& to) {
  std::vector<Datum> values;
  for (const StoredVersion& version : versions) {
    values.clear();
    for (const std::uint32_t column : schema.columns_of(version.mask))
      values.push_back(version.values[column]);
    COPPICE_TRY(to.add({egid, version.timestamp, version.mask, version.deleted, values}));
  }
  return {};
}

}  // namespace coppice::lsm
