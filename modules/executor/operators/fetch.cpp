// fetch.cpp — the engine wants ascending ids and gives rows in that order.
#include "modules/executor/operators/fetch.h"

#include <algorithm>

namespace coppice::executor {

Result<bool> RowFetch::ascending(std::span<const Egid> ids, RowBatch& batch) {
  batch = COPPICE_TRY(execution_.engine().fetch(execution_.txn().view(), reader_.table().storage,
                                                ids, reader_.columns()));
  return reader_.finish(batch);
}

Result<bool> RowFetch::ordered(std::span<const Egid> ids, RowBatch& batch) {
  sorted_.assign(ids.begin(), ids.end());
  std::sort(sorted_.begin(), sorted_.end());
  RowBatch found = COPPICE_TRY(execution_.engine().fetch(
      execution_.txn().view(), reader_.table().storage, sorted_, reader_.columns()));
  std::vector<std::uint16_t> positions;
  std::vector<Egid> there(found.rows);
  for (std::uint32_t row = 0; row < found.rows; ++row)
    there[row] = static_cast<Egid>(found.egids.int_at(row));
  for (const Egid id : ids) {
    const auto at = std::lower_bound(there.begin(), there.end(), id);
    if (at != there.end() && *at == id)
      positions.push_back(static_cast<std::uint16_t>(at - there.begin()));
  }
  if (out_.empty()) {
    for (const Vector& column : found.columns) out_.emplace_back(column.type());
    out_.emplace_back(PhysicalType::kInt64);
  }
  batch.rows = static_cast<std::uint32_t>(positions.size());
  batch.selection = Selection::all(batch.rows);
  batch.columns.clear();
  for (std::size_t i = 0; i < out_.size(); ++i) {
    const bool egids = i == found.columns.size();
    out_[i].clear();
    append_rows(out_[i], egids ? found.egids : found.columns[i], positions);
    if (egids)
      batch.egids = out_[i].view();
    else
      batch.columns.push_back(out_[i].view());
  }
  return reader_.finish(batch);
}

}  // namespace coppice::executor
