// relation_rows.cpp — fields to vectors.
#include "modules/catalog/pg_catalog/relation_rows.h"

#include <algorithm>
#include <charconv>

#include "kernel/base/assert.h"

namespace coppice::catalog {

class RelationRows::Cursor final : public RowCursor {
 public:
  explicit Cursor(std::vector<std::shared_ptr<Batch>> batches) : batches_(std::move(batches)) {}

  Result<bool> next(RowBatch& batch) override {
    if (at_ == batches_.size()) return false;
    const std::shared_ptr<Batch>& made = batches_[at_++];
    batch = RowBatch();
    batch.rows = made->rows;
    batch.selection = Selection::all(made->rows);
    for (const VectorBuffer& column : made->columns) {
      Vector& vector = batch.columns.emplace_back(column.view());
      vector.set_owner(made);
    }
    return true;
  }

 private:
  std::vector<std::shared_ptr<Batch>> batches_;
  std::size_t at_ = 0;
};

RelationRows::RelationRows(const TableInfo& table, const SqlRegistry& registry) : table_(table) {
  for (const ColumnInfo& column : table.columns) {
    const SqlType* const type = registry.find_type(column.type);
    types_.push_back(type == nullptr ? PhysicalType::kBytes : type->info().physical);
    arrays_.push_back(type == nullptr || type->info().element == 0 ? nullptr : type);
  }
}

void RelationRows::begin() {
  flush();
  open_ = true;
  row_.assign(types_.size(), Field());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (!table_.columns[i].not_null) continue;
    row_[i].null = false;
    const bool number = table_.columns[i].type == type_oid::kOid ||
                        table_.columns[i].type == type_oid::kInt2 ||
                        table_.columns[i].type == type_oid::kInt4;
    if (number && is_bytes(types_[i])) row_[i].text = "0";
  }
}

RelationRows::Field& RelationRows::field(std::string_view column) {
  COPPICE_ASSERT(open_);
  const auto at = std::ranges::find(table_.columns, column, &ColumnInfo::name);
  COPPICE_ASSERT(at != table_.columns.end());
  return row_[static_cast<std::size_t>(at - table_.columns.begin())];
}

void RelationRows::set_field(std::size_t at, std::string_view text) {
  Field& to = row_[at];
  to.null = false;
  to.text = text;
  to.number = 0;
  if (is_bytes(types_[at])) return;
  if (types_[at] == PhysicalType::kBool) {
    to.number = text == "t" || text == "true" ? 1 : 0;
  } else if (table_.columns[at].type == type_oid::kChar) {  // "char" as a number: its byte
    to.number = text.empty() ? 0 : static_cast<unsigned char>(text.front());
  } else {
    std::from_chars(text.data(), text.data() + text.size(), to.number);  // else zero
  }
}

void RelationRows::set(std::string_view column, std::string_view text) {
  set_field(static_cast<std::size_t>(&field(column) - row_.data()), text);
}

void RelationRows::set(std::string_view column, std::int64_t value) {
  Field& to = field(column);
  const auto at = static_cast<std::size_t>(&to - row_.data());
  to.null = false;
  to.number = value;
  if (is_bytes(types_[at])) to.text = std::to_string(value);
}

void RelationRows::set_null(std::string_view column) {
  field(column) = Field();
}

void RelationRows::set_all(std::span<const std::optional<std::string>> fields) {
  COPPICE_ASSERT(open_);
  for (std::size_t i = 0; i < std::min(fields.size(), row_.size()); ++i) {
    if (fields[i]) {
      set_field(i, *fields[i]);
    } else {
      row_[i] = Field();
    }
  }
}

Datum RelationRows::datum_of(std::size_t column) const {
  const Field& from = row_[column];
  const PhysicalType type = types_[column];
  if (from.null) return Datum::null_of(type);
  if (is_bytes(type)) return Datum::of(as_bytes(from.text));
  if (type == PhysicalType::kFloat32) return Datum::of(static_cast<float>(from.number));
  if (type == PhysicalType::kFloat64) return Datum::of(static_cast<double>(from.number));
  return Datum::integer(type, from.number);
}

void RelationRows::append(std::size_t column, VectorBuffer& to) const {
  const Field& from = row_[column];
  if (arrays_[column] == nullptr || from.null) return to.append(datum_of(column));
  const SqlType& type = *arrays_[column];
  // A required array that nobody set: an empty one.
  const bool vector = type.info().display_name == type.info().name;  // oidvector: no braces
  std::string_view text = from.text;
  if (text.empty() && !vector) text = "{}";
  // A text that is none of the type is shown as NULL: some come from the session.
  const Status read = type.parse(WireForm::kText, as_bytes(text), -1, SqlSettings(), to);
  if (!read) to.append_null();
}

void RelationRows::flush() {
  if (!open_) return;
  open_ = false;
  if (batches_.empty() || batches_.back()->rows == kVectorRows) {
    auto batch = std::make_shared<Batch>();
    for (const PhysicalType type : types_) batch->columns.emplace_back(type);
    batches_.push_back(std::move(batch));
  }
  Batch& batch = *batches_.back();
  for (std::size_t i = 0; i < types_.size(); ++i) append(i, batch.columns[i]);
  ++batch.rows;
}

std::unique_ptr<RowCursor> RelationRows::finish() {
  flush();
  return std::make_unique<Cursor>(std::move(batches_));
}

}  // namespace coppice::catalog
