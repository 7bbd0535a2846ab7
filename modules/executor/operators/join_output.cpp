// join_output.cpp — columns gathered, or NULL.
#include "modules/executor/operators/join_output.h"

namespace coppice::executor {

void JoinOutput::begin(std::size_t rows, RowBatch& to) {
  to.rows = static_cast<std::uint32_t>(rows);
  to.selection = Selection::all(to.rows);
  to.egids = Vector();
  to.columns.clear();
}

void JoinOutput::pairs(const RowBatch& left, std::span<const std::uint16_t> left_rows,
                       RowStore& right, std::span<const std::uint32_t> right_rows, RowBatch& to) {
  begin(left_rows.size(), to);
  for (std::size_t i = 0; i < left_.size(); ++i) {
    left_[i].clear();
    append_rows(left_[i], left.columns[i], left_rows);
    to.columns.push_back(left_[i].view());
  }
  for (std::size_t i = 0; i < right_.size(); ++i) {
    right_[i].clear();
    right.gather(i, right_rows, right_[i]);
    to.columns.push_back(right_[i].view());
  }
}

void JoinOutput::left_only(const RowBatch& left, const Selection& rows, RowBatch& to) const {
  begin(left.rows, to);
  to.selection = rows;
  to.columns.assign(left.columns.begin(),
                    left.columns.begin() + static_cast<std::ptrdiff_t>(left_.size()));
  for (const VectorBuffer& column : right_)
    to.columns.push_back(Vector::constant(Datum::null_of(column.type()), left.rows));
}

void JoinOutput::right_only(RowStore& right, std::span<const std::uint32_t> rows, RowBatch& to) {
  begin(rows.size(), to);
  for (const VectorBuffer& column : left_)
    to.columns.push_back(Vector::constant(Datum::null_of(column.type()), to.rows));
  for (std::size_t i = 0; i < right_.size(); ++i) {
    right_[i].clear();
    right.gather(i, rows, right_[i]);
    to.columns.push_back(right_[i].view());
  }
}

}  // namespace coppice::executor
