// array_value.cpp — reading and writing the binary form.
#include "plugins/sql/catalog/array_value.h"

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"

namespace coppice::sql_catalog {

namespace {

std::unexpected<Error> bad_binary(std::string message) {
  return std::unexpected(sql_error("22P03", std::move(message)));
}

std::unexpected<Error> too_large() {
  return std::unexpected(
      sql_error(sqlstate::kProgramLimitExceeded,
                "array size exceeds the maximum allowed (" + std::to_string(kElementsMax) + ")"));
}

std::unexpected<Error> too_short() {
  return std::unexpected(
      sql_error(sqlstate::kProtocolViolation, "insufficient data left in message"));
}

}  // namespace

Dimensions Dimensions::one(std::int32_t size, std::int32_t lower_bound) {
  Dimensions dimensions;
  dimensions.count = 1;
  dimensions.sizes[0] = size;
  dimensions.lower[0] = lower_bound;
  return dimensions;
}

std::int64_t Dimensions::elements() const {
  if (count == 0) return 0;
  std::int64_t product = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (sizes[i] < 0 || product > kElementsMax) return kElementsMax + 1;
    product *= sizes[i];
  }
  return std::min(product, kElementsMax + 1);
}

Result<ArrayValue> ArrayValue::parse(ByteView bytes) {
  if (bytes.size() < 12) return too_short();
  ArrayValue array;
  const auto count = load_be<std::int32_t>(bytes.data());
  const auto flags = load_be<std::int32_t>(bytes.data() + 4);
  array.element_ = load_be<std::uint32_t>(bytes.data() + 8);
  if (count < 0) return bad_binary("invalid number of dimensions: " + std::to_string(count));
  if (static_cast<std::size_t>(count) > kDimensionsMax)
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded,
                                     "number of array dimensions (" + std::to_string(count) +
                                         ") exceeds the maximum allowed (6)"));
  if (flags != 0 && flags != 1) return bad_binary("invalid array flags");
  bytes = bytes.subspan(12);
  array.dimensions_.count = static_cast<std::size_t>(count);
  if (bytes.size() < array.dimensions_.count * 8) return too_short();
  for (std::size_t i = 0; i < array.dimensions_.count; ++i) {
    array.dimensions_.sizes[i] = load_be<std::int32_t>(bytes.data());
    array.dimensions_.lower[i] = load_be<std::int32_t>(bytes.data() + 4);
    bytes = bytes.subspan(8);
  }
  const std::int64_t elements = array.dimensions_.elements();
  if (elements > kElementsMax) return too_large();
  array.elements_ = bytes;
  for (std::int64_t i = 0; i < elements; ++i) {
    if (bytes.size() < 4) return too_short();
    const auto size = load_be<std::int32_t>(bytes.data());
    bytes = bytes.subspan(4);
    if (size < -1) return bad_binary("insufficient data left in message");
    if (size == -1) array.has_null_ = true;
    const auto length = static_cast<std::size_t>(std::max(size, 0));
    if (bytes.size() < length) return too_short();
    bytes = bytes.subspan(length);
  }
  if (!bytes.empty()) return bad_binary("improper binary format in array");
  return array;
}

Status write_array(const SqlType& type, const Dimensions& dimensions, const Vector& elements,
                   ByteBuffer& to) {
  if (dimensions.elements() > kElementsMax) return too_large();
  COPPICE_ASSERT(dimensions.elements() == elements.size());
  FormattedColumn formatted;
  COPPICE_TRY(type.format(WireForm::kBinary, elements, Selection::all(elements.size()),
                          SqlSettings(), formatted));
  bool has_null = false;
  for (std::uint32_t row = 0; elements.has_nulls() && row < elements.size(); ++row)
    has_null = has_null || elements.is_null(row);
  append_be(to, static_cast<std::int32_t>(dimensions.count));
  append_be(to, std::int32_t{has_null});
  append_be(to, type.info().oid);
  for (std::size_t i = 0; i < dimensions.count; ++i) {
    append_be(to, dimensions.sizes[i]);
    append_be(to, dimensions.lower[i]);
  }
  std::size_t from = 0;
  for (const std::int64_t end : formatted.ends) {
    if (end < 0) {
      append_be(to, std::int32_t{-1});
      continue;
    }
    const auto size = static_cast<std::size_t>(end) - from;
    append_be(to, static_cast<std::int32_t>(size));
    append(to, ByteView(formatted.bytes).subspan(from, size));
    from = static_cast<std::size_t>(end);
  }
  return {};
}

Status read_elements(const SqlType& type, const ArrayValue& array, VectorBuffer& out) {
  const SqlSettings settings;
  Status status;
  array.each([&](std::optional<ByteView> element) {
    if (!status) return;
    if (element)
      status = type.parse(WireForm::kBinary, *element, -1, settings, out);
    else
      out.append_null();
  });
  return status;
}

}  // namespace coppice::sql_catalog
