// result_columns.cpp — columns, text rows, parts of batches.
#include "modules/session/result_columns.h"

#include "interfaces/types/sql_error.h"

namespace coppice::session {

Result<std::vector<ResultColumn>> columns_of(const QueryPlan& plan, const SqlRegistry& registry) {
  std::vector<ResultColumn> columns;
  columns.reserve(plan.output.size());
  for (std::size_t i = 0; i < plan.output.size(); ++i) {
    const OutputColumn& from = plan.output[i];
    // A change's own output is what it returns; its node's types say so.
    const TypeOid oid = i < plan.root->types.size() ? plan.root->types[i] : type_oid::kText;
    const SqlType* type = registry.find_type(oid == type_oid::kUnknown ? type_oid::kText : oid);
    if (type == nullptr) {
      return std::unexpected(sql_error(sqlstate::kInternalError,
                                       "cache lookup failed for type " + std::to_string(oid)));
    }
    ResultColumn& column = columns.emplace_back();
    column.name = from.name;
    column.table_oid = from.table;
    column.attribute = from.attribute;
    column.type_oid = type->info().oid;
    column.type_size = type->info().size;
    column.type_modifier = i < plan.root->modifiers.size() ? plan.root->modifiers[i] : -1;
    column.type = type;
  }
  return columns;
}

std::vector<ResultColumn> text_columns(std::vector<std::string> names,
                                       const SqlRegistry& registry) {
  std::vector<ResultColumn> columns;
  for (std::string& name : names) {
    ResultColumn& column = columns.emplace_back();
    column.name = std::move(name);
    column.type_oid = type_oid::kText;
    column.type = registry.find_type(type_oid::kText);
  }
  return columns;
}

Status TextRows::add(std::vector<std::string_view> fields) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) buffers_[i].append_bytes(as_bytes(fields[i]));
  if (buffers_.front().size() == kVectorRows) return flush();
  return {};
}

Status TextRows::flush() {
  RowBatch batch;
  batch.rows = buffers_.front().size();
  if (batch.rows == 0) return {};
  batch.selection = Selection::all(batch.rows);
  for (const VectorBuffer& buffer : buffers_) batch.columns.push_back(buffer.view());
  COPPICE_TRY(sink_.rows(batch));
  sent_ += batch.rows;
  for (VectorBuffer& buffer : buffers_) buffer.clear();
  return {};
}

bool same_shape(const std::vector<ResultColumn>& a, const std::vector<ResultColumn>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name || a[i].type_oid != b[i].type_oid ||
        a[i].type_modifier != b[i].type_modifier)
      return false;
  }
  return true;
}

Selection part_of(const RowBatch& batch, std::uint32_t first, std::uint32_t count) {
  Selection::Mask mask{};
  std::uint32_t seen = 0;
  batch.selection.for_each([&](std::uint32_t row) {
    if (seen >= first && seen - first < count) mask[row / 64] |= std::uint64_t{1} << (row % 64);
    ++seen;
  });
  return Selection::from_mask(mask, batch.rows);
}

}  // namespace coppice::session
