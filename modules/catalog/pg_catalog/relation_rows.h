// relation_rows.h — the rows of a computed relation while they are made.
//
// Role:     fields are set by name, in any order; what is not set is NULL, or zero, false or empty
//           where the column is NOT NULL. Values take the physical type of the column's SQL type;
//           for a type that no pack has, their text.
// Threads:  one at a time. Parks: never.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/catalog.h"
#include "interfaces/types/vector_buffer.h"

namespace coppice::catalog {

class RelationRows {
 public:
  RelationRows(const TableInfo& table, const SqlRegistry& registry);

  void begin();  // the next row
  void set(std::string_view column, std::string_view text);
  void set(std::string_view column, const std::string& text) {
    set(column, std::string_view(text));
  }
  void set(std::string_view column, const char* text) { set(column, std::string_view(text)); }
  void set(std::string_view column, bool value) { set(column, std::int64_t{value}); }
  void set(std::string_view column, char value) { set(column, std::string_view(&value, 1)); }
  template <std::integral T>
  void set(std::string_view column, T value) {
    set(column, static_cast<std::int64_t>(value));
  }
  void set(std::string_view column, std::int64_t value);
  void set_null(std::string_view column);
  // Fields in the order of the columns, as text; missing ones at the end stay as begin() made them.
  void set_all(std::span<const std::optional<std::string>> fields);

  std::unique_ptr<RowCursor> finish();

 private:
  struct Field {
    bool null = true;
    std::int64_t number = 0;
    std::string text;
  };
  struct Batch {
    std::uint32_t rows = 0;
    std::vector<VectorBuffer> columns;
  };
  class Cursor;

  Field& field(std::string_view column);
  void set_field(std::size_t at, std::string_view text);
  void flush();  // the row that is being made goes into a batch
  Datum datum_of(std::size_t column) const;
  void append(std::size_t column, VectorBuffer& to) const;

  const TableInfo& table_;
  std::vector<PhysicalType> types_;
  std::vector<const SqlType*> arrays_;  // by column; null: not an array
  std::vector<Field> row_;
  bool open_ = false;
  std::vector<std::shared_ptr<Batch>> batches_;
};

}  // namespace coppice::catalog
