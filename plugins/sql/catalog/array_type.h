// array_type.h — the array type over an element type.
#pragma once

#include "plugins/sql/catalog/array_value.h"

namespace coppice::sql_catalog {

class ArrayType : public SqlType {
 public:
  explicit ArrayType(const SqlType& element);

  Status parse(WireForm form, ByteView value, std::int32_t modifier, const SqlSettings& settings,
               VectorBuffer& out) const override;
  Status format(WireForm form, const Vector& values, const Selection& rows,
                const SqlSettings& settings, FormattedColumn& out) const override;
  // PostgreSQL's order: element by element, then the shorter, then by dimensions.
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override;
  std::string describe(std::int32_t modifier) const override;
  Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const override;
  Status unpack(ByteView array, VectorBuffer& out) const override;
  Status pack(const Vector& elements, VectorBuffer& out) const override;

 protected:
  ArrayType(const SqlType& element, Info info) : SqlType(std::move(info)), element_(element) {}
  const SqlType& element() const { return element_; }
  Status append_array(const Dimensions& dimensions, const Vector& elements,
                      VectorBuffer& out) const;
  virtual Dimensions no_elements() const { return {}; }
  virtual Status parse_text(std::string_view text, std::int32_t modifier,
                            const SqlSettings& settings, VectorBuffer& out) const;
  virtual Status format_text(const ArrayValue& array, const SqlSettings& settings,
                             ByteBuffer& to) const;

 private:
  const SqlType& element_;
};

}  // namespace coppice::sql_catalog
