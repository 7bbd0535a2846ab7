// insert_image.h — rows to be inserted, as an image with all columns of the table.
#pragma once

#include <span>
#include <vector>

#include "modules/executor/changes/row_image.h"
#include "modules/executor/execution.h"

namespace coppice::executor {

class InsertImage {
 public:
  InsertImage(const TableInfo& table, Execution& execution)
      : table_(table), execution_(execution), image_(table) {}

  // values[i] goes to attributes[i]; the others are NULL. `values` outlive the image.
  Status fill(std::span<const std::int16_t> attributes, std::span<const Vector> values,
              std::uint32_t size, const Selection& rows);
  const RowImage& image() const { return image_; }

 private:
  const TableInfo& table_;
  Execution& execution_;
  RowImage image_;
  std::vector<Vector> absent_;
};

}  // namespace coppice::executor
