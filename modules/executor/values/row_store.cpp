// row_store.cpp — chunks filled one after the other.
#include "modules/executor/values/row_store.h"

#include "interfaces/types/sql_error.h"

namespace coppice::executor {

Status RowStore::append(std::span<const Vector> columns, const Selection& rows) {
  COPPICE_ASSERT(columns.size() >= types_.size());
  Positions positions;
  std::span<const std::uint16_t> rest = positions_of(rows, positions);
  if (rows_ + rest.size() >= kNoRow)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "too many rows to keep in memory"));
  std::uint64_t more = rest.size() / 2;  // null bitmaps and what the chunks are
  for (std::size_t i = 0; i < types_.size(); ++i) more += bytes_of_rows(columns[i], rest);
  COPPICE_TRY(memory_.grow_to(bytes_ + more));
  bytes_ += more;
  while (!rest.empty()) {
    const std::size_t used = rows_ % kVectorRows;
    if (used == 0) {
      Chunk& chunk = chunks_.emplace_back();
      chunk.reserve(types_.size());
      for (const PhysicalType type : types_) chunk.emplace_back(type);
    }
    const auto part = rest.first(std::min(rest.size(), kVectorRows - used));
    for (std::size_t i = 0; i < types_.size(); ++i)
      append_rows(chunks_.back()[i], columns[i], part);
    rows_ += part.size();
    rest = rest.subspan(part.size());
  }
  return {};
}

void RowStore::clear() {
  chunks_.clear();
  views_.clear();
  viewed_rows_ = rows_ = bytes_ = 0;
  memory_ = MemoryUse(budget_);
}

void RowStore::batch_of(std::size_t chunk, RowBatch& batch) const {
  batch.rows = chunk_rows(chunk);
  batch.selection = Selection::all(batch.rows);
  batch.egids = Vector();
  batch.columns.clear();
  for (const VectorBuffer& column : chunks_[chunk]) batch.columns.push_back(column.view());
}

void RowStore::gather(std::size_t column, std::span<const std::uint32_t> rows, VectorBuffer& to) {
  if (viewed_rows_ != rows_ || views_.empty()) {
    views_.assign(types_.size(), {});
    for (const Chunk& chunk : chunks_) {
      for (std::size_t i = 0; i < types_.size(); ++i) views_[i].push_back(chunk[i].view());
    }
    viewed_rows_ = rows_;
  }
  const std::vector<Vector>& chunks = views_[column];
  const std::uint32_t first = to.size();
  const auto at = [&](std::uint32_t row) -> const Vector& { return chunks[row / kVectorRows]; };
  if (is_bytes(types_[column])) {
    std::array<ByteView, kVectorRows> views;
    COPPICE_ASSERT(rows.size() <= views.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      views[i] = rows[i] == kNoRow ? ByteView() : at(rows[i]).bytes_at(rows[i] % kVectorRows);
    to.append_views(std::span(views).first(rows.size()));
  } else {
    with_width(types_[column], [&]<class T>(T) {
      T* const values = to.append_values<T>(static_cast<std::uint32_t>(rows.size()));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] != kNoRow) values[i] = bits_at<T>(at(rows[i]), rows[i] % kVectorRows);
      }
    });
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == kNoRow || at(rows[i]).is_null(rows[i] % kVectorRows))
      to.set_null(first + static_cast<std::uint32_t>(i));
  }
}

}  // namespace coppice::executor
