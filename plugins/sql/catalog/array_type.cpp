// array_type.cpp — arrays of any type; int2vector and oidvector, which are written without braces.
#include "plugins/sql/catalog/array_type.h"

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/array_text.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {

namespace {

SqlType::Info array_info(const SqlType::Info& element) {
  return {.oid = element.array,
          .name = "_" + element.name,
          .display_name = element.display_name + "[]",
          .physical = PhysicalType::kBytes,
          .size = -1,
          .category = 'A',
          .element = element.oid,
          .equality = element.equality == Equality::kNone ? Equality::kNone : Equality::kByKey,
          .ordered = element.ordered};
}

// The texts of all elements, viewed in `formatted`.
Result<std::vector<std::optional<std::string_view>>> element_texts(const SqlType& type,
                                                                   const ArrayValue& array,
                                                                   const SqlSettings& settings,
                                                                   FormattedColumn& formatted) {
  VectorBuffer elements(type.info().physical);
  COPPICE_TRY(read_elements(type, array, elements));
  COPPICE_TRY(type.format(WireForm::kText, elements.view(), Selection::all(elements.size()),
                          settings, formatted));
  std::vector<std::optional<std::string_view>> texts;
  const std::string_view all = as_text(formatted.bytes);
  std::size_t from = 0;
  for (const std::int64_t end : formatted.ends) {
    if (end < 0) {
      texts.emplace_back();
      continue;
    }
    texts.emplace_back(all.substr(from, static_cast<std::size_t>(end) - from));
    from = static_cast<std::size_t>(end);
  }
  return texts;
}

// "1 2 3", counted from 0.
class VectorType final : public ArrayType {
 public:
  VectorType(const SqlType& element, Info info) : ArrayType(element, std::move(info)) {}
  std::string describe(std::int32_t) const override { return info().display_name; }

 protected:
  Dimensions no_elements() const override { return Dimensions::one(0, 0); }
  Status parse_text(std::string_view text, std::int32_t, const SqlSettings& settings,
                    VectorBuffer& out) const override {
    VectorBuffer elements(element().info().physical);
    for (;;) {
      while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
      if (text.empty()) break;
      std::size_t end = 0;
      while (end < text.size() && !is_space(text[end])) ++end;
      COPPICE_TRY(
          element().parse(WireForm::kText, as_bytes(text.substr(0, end)), -1, settings, elements));
      text.remove_prefix(end);
    }
    return pack(elements.view(), out);
  }
  Status format_text(const ArrayValue& array, const SqlSettings& settings,
                     ByteBuffer& to) const override {
    FormattedColumn formatted;
    const auto texts = COPPICE_TRY(element_texts(element(), array, settings, formatted));
    bool first = true;
    for (const auto& text : texts) {
      if (!first) append_text(to, " ");
      append_text(to, text.value_or("NULL"));
      first = false;
    }
    return {};
  }
  Status pack(const Vector& elements, VectorBuffer& out) const override {
    return append_array(Dimensions::one(static_cast<std::int32_t>(elements.size()), 0), elements,
                        out);
  }
};

void add_vector_type(SqlRegistry& registry, TypeOid oid, std::string_view name, TypeOid element,
                     TypeOid array) {
  const SqlType* const type = registry.find_type(element);
  COPPICE_ASSERT(type != nullptr);
  SqlType::Info info = array_info(type->info());
  info.oid = oid;
  info.name = info.display_name = name;
  info.array = array;
  registry.add(std::make_unique<VectorType>(*type, std::move(info)));
}

}  // namespace

ArrayType::ArrayType(const SqlType& element)
    : SqlType(array_info(element.info())), element_(element) {}

Status ArrayType::append_array(const Dimensions& dimensions, const Vector& elements,
                               VectorBuffer& out) const {
  ByteBuffer bytes;
  COPPICE_TRY(write_array(element_, dimensions, elements, bytes));
  out.append_bytes(bytes);
  return {};
}

Status ArrayType::parse(WireForm form, ByteView value, std::int32_t modifier,
                        const SqlSettings& settings, VectorBuffer& out) const {
  if (form == WireForm::kText) return parse_text(as_text(value), modifier, settings, out);
  const ArrayValue array = COPPICE_TRY(ArrayValue::parse(value));
  if (array.element() != element_.info().oid)
    return std::unexpected(
        sql_error("42804", "binary data has array element type " + std::to_string(array.element()) +
                               " instead of expected " + std::to_string(element_.info().oid) +
                               " (" + element_.info().display_name + ")"));
  VectorBuffer elements(element_.info().physical);
  COPPICE_TRY(read_elements(element_, array, elements));
  const bool empty = array.dimensions().elements() == 0;
  return append_array(empty ? no_elements() : array.dimensions(), elements.view(), out);
}

Status ArrayType::parse_text(std::string_view text, std::int32_t modifier,
                             const SqlSettings& settings, VectorBuffer& out) const {
  const ArrayText array = COPPICE_TRY(parse_array_text(text));
  VectorBuffer elements(element_.info().physical);
  for (const auto& one : array.elements) {
    if (one) {
      COPPICE_TRY(element_.parse(WireForm::kText, as_bytes(*one), modifier, settings, elements));
    } else {
      elements.append_null();
    }
  }
  return append_array(array.dimensions, elements.view(), out);
}

Status ArrayType::format_text(const ArrayValue& array, const SqlSettings& settings,
                              ByteBuffer& to) const {
  FormattedColumn formatted;
  const auto texts = COPPICE_TRY(element_texts(element_, array, settings, formatted));
  write_array_text(array.dimensions(), texts, to);
  return {};
}

Status ArrayType::format(WireForm form, const Vector& values, const Selection& rows,
                         const SqlSettings& settings, FormattedColumn& out) const {
  Status status;
  format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
    if (!status) return;
    const ByteView value = values.bytes_at(row);
    if (form == WireForm::kBinary) return append(bytes, value);
    Result<ArrayValue> array = ArrayValue::parse(value);
    status =
        array ? format_text(*array, settings, bytes) : std::unexpected(std::move(array.error()));
  });
  return status;
}

void ArrayType::write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                          KeyWriter& out) const {
  if (values.is_null(row)) return out.null(order);
  const Result<ArrayValue> array = ArrayValue::parse(values.bytes_at(row));
  COPPICE_ASSERT(array.has_value());  // made by parse() or pack()
  VectorBuffer elements(element_.info().physical);
  const Status read = read_elements(element_, *array, elements);
  COPPICE_ASSERT(read.has_value());
  const Vector view = elements.view();
  const KeyOrder inner{order.descending, order.descending};  // NULL elements are above all others
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    out.boolean(true, inner);
    element_.write_key(view, i, inner, out);
  }
  out.boolean(false, inner);
  const Dimensions& dimensions = array->dimensions();
  out.int32(static_cast<std::int32_t>(dimensions.count), inner);
  for (std::size_t i = 0; i < dimensions.count; ++i) out.int32(dimensions.sizes[i], inner);
  for (std::size_t i = 0; i < dimensions.count; ++i) out.int32(dimensions.lower[i], inner);
}

std::string ArrayType::describe(std::int32_t modifier) const {
  return element_.describe(modifier) + "[]";
}

Result<std::int32_t> ArrayType::modifier_of(std::span<const std::int64_t> arguments) const {
  return element_.modifier_of(arguments);
}

Status ArrayType::unpack(ByteView array, VectorBuffer& out) const {
  const ArrayValue value = COPPICE_TRY(ArrayValue::parse(array));
  return read_elements(element_, value, out);
}

Status ArrayType::pack(const Vector& elements, VectorBuffer& out) const {
  const auto size = static_cast<std::int32_t>(elements.size());
  return append_array(size == 0 ? no_elements() : Dimensions::one(size, 1), elements, out);
}

void add_array_types(SqlRegistry& registry) {
  add_vector_type(registry, 22, "int2vector", type_oid::kInt2, 1006);
  add_vector_type(registry, 30, "oidvector", type_oid::kOid, 1013);
  const auto all = registry.all_types();
  const std::vector<const SqlType*> elements(all.begin(), all.end());  // it grows below
  for (const SqlType* element : elements) {
    const SqlType::Info& info = element->info();
    if (info.array == 0 || info.category == 'P' || registry.find_type(info.array) != nullptr)
      continue;
    registry.add(std::make_unique<ArrayType>(*element));
  }
}

}  // namespace coppice::sql_catalog
