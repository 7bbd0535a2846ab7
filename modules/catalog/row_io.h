// row_io.h — rows of the reserved tables, read from a view and written into a write set.
//
// Role:     turns the visit() of a row struct into a storage schema, a scan and the three changes.
// Parks:    read_rows(). Errors: kCorruption for a row that does not fit its struct.
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "interfaces/storage_engine.h"
#include "interfaces/types/vector_buffer.h"

namespace coppice::catalog {

template <class T>
constexpr PhysicalType physical_of() {
  if constexpr (std::is_same_v<T, bool>) return PhysicalType::kBool;
  if constexpr (std::is_same_v<T, std::int16_t>) return PhysicalType::kInt16;
  if constexpr (std::is_same_v<T, std::int32_t>) return PhysicalType::kInt32;
  if constexpr (std::is_same_v<T, std::string>) return PhysicalType::kBytes;
  return PhysicalType::kInt64;  // std::uint32_t, std::int64_t
}

// Column i + 1 is the i-th field.
template <class Row>
TableSchema schema_of_rows() {
  TableSchema schema;
  const Row example;
  Row::visit(example, [&](const auto& field) {
    Column column;
    column.id = {static_cast<std::uint16_t>(schema.columns.size() + 1)};
    column.type = physical_of<std::remove_cvref_t<decltype(field)>>();
    column.nullable = false;
    schema.columns.push_back(column);
  });
  assign_groups(schema.columns);
  return schema;
}

template <class Row>
TableDefinition definition_of_rows(NamespaceId ns) {
  const TableRef table{ns, Row::kTable};
  return {.table = table, .kind = TableKind::kRows, .schema = schema_of_rows<Row>(), .rows = table};
}

template <class Row>
std::vector<ColumnId> columns_of_rows() {
  std::vector<ColumnId> columns;
  const TableSchema schema = schema_of_rows<Row>();
  for (const Column& column : schema.columns) columns.push_back(column.id);
  return columns;
}

// False where the value does not fit the field.
template <class T>
bool take_field(const Vector& from, std::uint32_t at, T& to) {
  if (from.type() != physical_of<T>() || from.is_null(at)) return false;
  if constexpr (std::is_same_v<T, std::string>) {
    to = as_text(from.bytes_at(at));
  } else if constexpr (std::is_same_v<T, bool>) {
    to = from.int_at(at) != 0;
  } else {
    const std::int64_t value = from.int_at(at);
    if (!std::in_range<T>(value)) return false;
    to = static_cast<T>(value);
  }
  return true;
}

template <class Row>
Result<std::vector<Row>> read_rows(Engine& engine, const ReadView& view, NamespaceId ns) {
  ScanOptions options{.columns = columns_of_rows<Row>(), .with_egids = true};
  const auto cursor = COPPICE_TRY(engine.scan(view, {ns, Row::kTable}, options));
  std::vector<Row> rows;
  RowBatch batch;
  for (;;) {
    const bool more = COPPICE_TRY(cursor->next(batch));
    if (!more) return rows;
    bool fits = batch.columns.size() == options.columns.size();
    batch.selection.for_each([&](std::uint32_t at) {
      Row& row = rows.emplace_back();
      row.egid = static_cast<Egid>(batch.egids.int_at(at));
      std::size_t column = 0;
      if (!fits) return;
      Row::visit(
          row, [&](auto& field) { fits = take_field(batch.columns[column++], at, field) && fits; });
    });
    if (!fits) return fail(Code::kCorruption, "catalog: a definition that cannot be read");
  }
}

// One row as a batch of one.
template <class Row>
class SingleRow {
 public:
  explicit SingleRow(const Row& row) {
    Row::visit(row, [&](const auto& field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      VectorBuffer& column = columns_.emplace_back(physical_of<Field>());
      if constexpr (std::is_same_v<Field, std::string>) {
        column.append(Datum::of(as_bytes(field)));
      } else {
        column.append(Datum::integer(physical_of<Field>(), field));
      }
    });
  }
  RowBatch batch() const {
    RowBatch batch;
    batch.rows = 1;
    batch.selection = Selection::all(1);
    for (const VectorBuffer& column : columns_) batch.columns.push_back(column.view());
    return batch;
  }

 private:
  std::vector<VectorBuffer> columns_;
};

template <class Row>
Status insert_row(WriteSet& writes, NamespaceId ns, const Row& row) {
  const SingleRow<Row> single(row);
  COPPICE_TRY(writes.insert({ns, Row::kTable}, single.batch()));
  return {};
}

template <class Row>
Status update_row(WriteSet& writes, NamespaceId ns, const Row& row) {
  const SingleRow<Row> single(row);
  return writes.update({ns, Row::kTable}, std::span(&row.egid, 1), columns_of_rows<Row>(),
                       single.batch());
}

template <class Row>
Status erase_row(WriteSet& writes, NamespaceId ns, const Row& row) {
  return writes.erase({ns, Row::kTable}, std::span(&row.egid, 1));
}

}  // namespace coppice::catalog
