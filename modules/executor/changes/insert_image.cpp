// insert_image.cpp — values where they are given, NULL elsewhere.
#include "modules/executor/changes/insert_image.h"

namespace coppice::executor {

Status InsertImage::fill(std::span<const std::int16_t> attributes, std::span<const Vector> values,
                         std::uint32_t size, const Selection& rows) {
  image_.size = size;
  image_.rows = rows;
  absent_.clear();
  absent_.reserve(table_.columns.size());
  for (const ColumnInfo& column : table_.columns) {
    const SqlType* const type = execution_.registry().find_type(column.type);
    const PhysicalType physical = type == nullptr ? PhysicalType::kInt64 : type->info().physical;
    absent_.push_back(Vector::constant(Datum::null_of(physical), size));
    image_.set(column.attribute, &absent_.back());
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (values[i].type() != image_.column(attributes[i])->type())
      return bad_plan("an inserted value of another type");
    image_.set(attributes[i], &values[i]);
  }
  return {};
}

}  // namespace coppice::executor
