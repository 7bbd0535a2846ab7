// index_keys.cpp — columns written one after the other by their types.
#include "modules/executor/changes/index_keys.h"

namespace coppice::executor {

namespace {

struct KeyColumn {
  const SqlType* type = nullptr;
  const Vector* values = nullptr;
  KeyOrder order;
};

Result<std::vector<KeyColumn>> columns_of(const Execution& execution, const TableInfo& table,
                                          const IndexInfo& index, const RowImage& image) {
  std::vector<KeyColumn> columns;
  for (const IndexColumn& column : index.columns) {
    const ColumnInfo* const info = table.find_column(column.attribute);
    if (info == nullptr || image.column(column.attribute) == nullptr)
      return bad_plan("an index column that is not at hand");
    const SqlType* const type = COPPICE_TRY(execution.type(info->type));
    columns.push_back({type, image.column(column.attribute), column.order});
  }
  return columns;
}

}  // namespace

Status make_keys(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                 const RowImage& image, KeyBatch& to) {
  const auto columns = COPPICE_TRY(columns_of(execution, table, index, image));
  to.bytes.clear();
  to.keys.clear();
  Status status;
  image.rows.for_each([&](std::uint32_t row) {
    if (!status) return;
    const std::size_t begin = to.bytes.size();
    KeyWriter writer(to.bytes);
    for (const KeyColumn& column : columns)
      column.type->write_key(*column.values, row, column.order, writer);
    status = check_key_size(ByteView(to.bytes).subspan(begin));
    to.keys.push_back({row, begin, to.bytes.size(), writer.has_null()});
  });
  return status;
}

}  // namespace coppice::executor
