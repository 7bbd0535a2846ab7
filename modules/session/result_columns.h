// result_columns.h — how a statement's result looks to a client; and small results made here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interfaces/session.h"
#include "interfaces/sql_pack.h"
#include "interfaces/types/plan.h"

namespace coppice::session {

// The columns of a plan that gives rows; XX000 for a type that no pack has.
Result<std::vector<ResultColumn>> columns_of(const QueryPlan& plan, const SqlRegistry& registry);

// Columns of type text.
std::vector<ResultColumn> text_columns(std::vector<std::string> names, const SqlRegistry& registry);

// Sends rows of texts, up to kVectorRows a batch.
class TextRows {
 public:
  TextRows(std::size_t columns, ResultSink& sink) : sink_(sink) {
    for (std::size_t i = 0; i < columns; ++i) buffers_.emplace_back(PhysicalType::kBytes);
  }
  Status add(std::vector<std::string_view> fields);
  Status flush();
  std::uint64_t sent() const { return sent_; }

 private:
  ResultSink& sink_;
  std::vector<VectorBuffer> buffers_;
  std::uint64_t sent_ = 0;
};

// The same to another client: types and names; not where a column comes from.
bool same_shape(const std::vector<ResultColumn>& a, const std::vector<ResultColumn>& b);

// The selected rows [first, first + count) of a batch, in order.
Selection part_of(const RowBatch& batch, std::uint32_t first, std::uint32_t count);

}  // namespace coppice::session
