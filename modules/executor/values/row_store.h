// row_store.h — rows kept: in chunks of kVectorRows, in columns.
//
// Owns:     copies of all values; addresses of bytes stay until clear().
// Parks:    append(), for the budget. Errors: 53200.
#pragma once

#include <span>
#include <vector>

#include "interfaces/types/row_batch.h"
#include "interfaces/types/vector_buffer.h"
#include "modules/executor/values/copy.h"
#include "modules/executor/values/memory_use.h"

namespace coppice::executor {

class RowStore {
 public:
  RowStore(std::vector<PhysicalType> types, Budget* budget)
      : types_(std::move(types)), budget_(budget), memory_(budget) {}

  // The first columns of `columns`, as many as there are types.
  Status append(std::span<const Vector> columns, const Selection& rows);
  void clear();

  std::uint64_t rows() const { return rows_; }
  std::size_t chunks() const { return chunks_.size(); }
  std::uint32_t chunk_rows(std::size_t chunk) const {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kVectorRows, rows_ - chunk * kVectorRows));
  }
  const std::vector<PhysicalType>& types() const { return types_; }
  // Good until the next append.
  Vector column(std::size_t chunk, std::size_t column) const {
    return chunks_[chunk][column].view();
  }
  void batch_of(std::size_t chunk, RowBatch& batch) const;
  // Appends the values of rows numbered from the first appended; kNoRow gives NULL. Bytes are
  // viewed, not copied.
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  void gather(std::size_t column, std::span<const std::uint32_t> rows, VectorBuffer& to);

 private:
  using Chunk = std::vector<VectorBuffer>;

  std::vector<PhysicalType> types_;
  Budget* budget_;
  MemoryUse memory_;
  std::uint64_t bytes_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<Chunk> chunks_;
  // Views of all chunks of a column, made by gather() when rows were added since.
  std::vector<std::vector<Vector>> views_;
  std::uint64_t viewed_rows_ = 0;
};

}  // namespace coppice::executor
