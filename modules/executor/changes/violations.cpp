// violations.cpp — message, detail and fields.
//
// Source:   PostgreSQL 15: ExecBuildSlotValueDescription(), BuildIndexValueDescription().
#include "modules/executor/changes/violations.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::executor {

namespace {

constexpr std::size_t kShownBytesMax = 64;  // of one value in "Failing row contains"

std::string value_text(const Execution& execution, TypeOid oid, const Vector& values,
                       std::uint32_t row) {
  if (values.is_null(row)) return "null";
  const SqlType* const type = execution.registry().find_type(oid);
  if (type == nullptr || execution.context().calls == nullptr) return "?";
  const Vector one = Vector::constant(values.datum_at(row), 1);
  FormattedColumn text;
  const Status formatted =
      type->format(WireForm::kText, one, Selection::all(1), execution.settings(), text);
  return formatted ? std::string(as_text(text.bytes)) : "?";
}

std::string clipped(std::string text) {
  if (text.size() <= kShownBytesMax) return text;
  std::size_t end = kShownBytesMax;  // not inside a character
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

std::string identifier(const std::string& name) {
  const bool plain =
      !name.empty() && (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      });
  if (plain) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// "Key (a, b)=(1, x)"
std::string key_text(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                     const RowImage& image, std::uint32_t row) {
  std::string names, values;
  for (const IndexColumn& column : index.columns) {
    const ColumnInfo* const info = table.find_column(column.attribute);
    const Vector* const vector = image.column(column.attribute);
    if (info == nullptr || vector == nullptr) continue;
    if (!names.empty()) {
      names += ", ";
      values += ", ";
    }
    names += identifier(info->name);
    values += value_text(execution, info->type, *vector, row);
  }
  return "Key (" + names + ")=(" + values + ")";
}

Error with_table(Error error, const TableInfo& table) {
  return std::move(error)
      .note(sql_field::kSchema, table.schema_name)
      .note(sql_field::kTable, table.name);
}

}  // namespace

Error not_null_violation(const Execution& execution, const TableInfo& table,
                         const ColumnInfo& column, const RowImage& image, std::uint32_t row) {
  std::string values;
  for (const ColumnInfo& each : table.columns) {
    if (each.dropped) continue;
    const Vector* const vector = image.column(each.attribute);
    if (!values.empty()) values += ", ";
    values += vector == nullptr ? "null" : clipped(value_text(execution, each.type, *vector, row));
  }
  return with_table(sql_error(sqlstate::kNotNullViolation, "null value in column \"" + column.name +
                                                               "\" of relation \"" + table.name +
                                                               "\" violates not-null constraint")
                        .note(sql_field::kDetail, "Failing row contains (" + values + ")."),
                    table)
      .note(sql_field::kColumn, column.name);
}

Error unique_violation(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                       const RowImage& image, std::uint32_t row) {
  return with_table(
             sql_error(sqlstate::kUniqueViolation,
                       "duplicate key value violates unique constraint \"" + index.name + "\"")
                 .note(sql_field::kDetail,
                       key_text(execution, table, index, image, row) + " already exists."),
             table)
      .note(sql_field::kConstraint, index.name);
}

Error not_unique(const Execution& execution, const TableInfo& table, const IndexInfo& index,
                 const RowImage& image, std::uint32_t row) {
  return with_table(sql_error(sqlstate::kUniqueViolation,
                              "could not create unique index \"" + index.name + "\"")
                        .note(sql_field::kDetail,
                              key_text(execution, table, index, image, row) + " is duplicated."),
                    table)
      .note(sql_field::kConstraint, index.name);
}

}  // namespace coppice::executor
