// batch_builder.h — a row batch made row by row, which owns its values.
#pragma once

#include <deque>
#include <memory>

#include "interfaces/types/egid.h"
#include "interfaces/types/row_batch.h"
#include "interfaces/types/schema.h"
#include "interfaces/types/vector_buffer.h"

namespace coppice::lsm {

class BatchBuilder {
 public:
  // `columns` are positions in `schema`.
  BatchBuilder(const TableSchema& schema, std::span<const std::uint32_t> columns)
      : storage_(std::make_shared<Storage>()) {
    for (const std::uint32_t column : columns)
      storage_->columns.emplace_back(schema.columns[column].type);
  }

  std::uint32_t rows() const { return storage_->egids.size(); }
  bool full() const { return rows() == kVectorRows; }
  void begin_row(Egid egid) { storage_->egids.append(Datum::of(static_cast<std::int64_t>(egid))); }
  void value(std::size_t column, const Datum& value) { storage_->columns[column].append(value); }
  // A row of a batch with the same columns.
  void copy_row(const RowBatch& from, std::uint32_t row) {
    begin_row(static_cast<Egid>(from.egids.int_at(row)));
    for (std::size_t i = 0; i < from.columns.size(); ++i) value(i, from.columns[i].datum_at(row));
  }

  RowBatch finish() {
    RowBatch batch;
    batch.rows = rows();
    batch.selection = Selection::all(batch.rows);
    batch.egids = storage_->egids.view();
    batch.egids.set_owner(storage_);
    for (const VectorBuffer& column : storage_->columns) {
      batch.columns.push_back(column.view());
      batch.columns.back().set_owner(storage_);
    }
    return batch;
  }

 private:
  struct Storage {
    VectorBuffer egids{PhysicalType::kInt64};
    std::deque<VectorBuffer> columns;
  };
  std::shared_ptr<Storage> storage_;
};

}  // namespace coppice::lsm
