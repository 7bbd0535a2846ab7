// index_keys.cpp — constants to keys.
#include "modules/planner/plan/index_keys.h"

#include <limits>

namespace coppice::planner {

namespace {

using Prefixes = std::vector<ByteBuffer>;

struct Column {
  const SqlType* type = nullptr;
  KeyOrder order;
};

std::int64_t least(PhysicalType type) {
  return type == PhysicalType::kInt16   ? std::numeric_limits<std::int16_t>::min()
         : type == PhysicalType::kInt32 ? std::numeric_limits<std::int32_t>::min()
                                        : std::numeric_limits<std::int64_t>::min();
}

std::int64_t greatest(PhysicalType type) {
  return type == PhysicalType::kInt16   ? std::numeric_limits<std::int16_t>::max()
         : type == PhysicalType::kInt32 ? std::numeric_limits<std::int32_t>::max()
                                        : std::numeric_limits<std::int64_t>::max();
}

// The key of a constant in the column's type; nothing for NULL and for what the type cannot hold.
std::optional<ByteBuffer> key_of(const Column& column, const Expression& value) {
  if (value.value.null) return {};
  Datum datum = value.value.datum();
  const PhysicalType wanted = column.type->info().physical;
  if (datum.type != wanted) {
    if (!is_integer(datum.type) || !is_integer(wanted)) return {};
    if (datum.as_int() < least(wanted) || datum.as_int() > greatest(wanted)) return {};
    datum.type = wanted;
  }
  ByteBuffer key;
  KeyWriter writer(key);
  column.type->write_key(Vector::constant(datum, 1), 0, column.order, writer);
  return key;
}

bool constant(const ExpressionRef& value) {
  return value == nullptr || value->kind == Expression::Kind::kConstant;
}

bool all_constant(const IndexBound& bound) {
  for (const ExpressionRef& item : bound.in_list)
    if (!constant(item)) return false;
  return constant(bound.from) && constant(bound.to);
}

Prefixes extend(const Prefixes& prefixes, const ByteBuffer& key) {
  Prefixes longer = prefixes;
  for (ByteBuffer& prefix : longer) append(prefix, key);
  return longer;
}

void add_range(const Column& column, const IndexBound& bound, const Prefixes& prefixes,
               std::vector<KeyRange>& ranges) {
  ByteBuffer from_key, to_key;
  std::optional<KeyBound> from, to;
  if (bound.from != nullptr) {
    if (bound.from->value.null) return;
    if (auto key = key_of(column, *bound.from)) {
      from_key = *std::move(key);
      from = KeyBound{from_key, bound.from_inclusive};
    }
  }
  if (bound.to != nullptr) {
    if (bound.to->value.null) return;
    if (auto key = key_of(column, *bound.to)) {
      to_key = *std::move(key);
      to = KeyBound{to_key, bound.to_inclusive};
    }
  }
  for (const ByteBuffer& prefix : prefixes)
    ranges.push_back(key_column_range(prefix, column.order, from, to));
}

}  // namespace

std::optional<std::vector<KeyRange>> constant_ranges(const BindContext& context,
                                                     const TableInfo& table,
                                                     const IndexCondition& leaf) {
  Prefixes prefixes(1);
  std::vector<KeyRange> ranges;
  for (std::size_t i = 0; i < leaf.bounds.size(); ++i) {
    const IndexBound& bound = leaf.bounds[i];
    const IndexColumn& indexed = leaf.index->columns[i];
    const ColumnInfo* const info = table.find_column(indexed.attribute);
    const Column column{info == nullptr ? nullptr : context.registry().find_type(info->type),
                        indexed.order};
    if (column.type == nullptr || !all_constant(bound)) return {};
    if (bound.equal) {
      const auto key = key_of(column, *bound.from);
      if (!key) return ranges;
      prefixes = extend(prefixes, *key);
    } else if (bound.is_null) {
      ByteBuffer key;
      KeyWriter(key).null(column.order);
      prefixes = extend(prefixes, key);
    } else if (!bound.in_list.empty()) {
      Prefixes longer;
      for (const ExpressionRef& item : bound.in_list) {
        const auto key = key_of(column, *item);
        if (!key) continue;
        for (ByteBuffer& prefix : extend(prefixes, *key)) longer.push_back(std::move(prefix));
      }
      prefixes = std::move(longer);
    } else if (bound.prefix) {
      ByteBuffer key;
      KeyWriter(key).bytes_prefix(as_bytes(bound.from->value.bytes), column.order);
      prefixes = extend(prefixes, key);
    } else {
      add_range(column, bound, prefixes, ranges);
      return ranges;
    }
  }
  for (const ByteBuffer& prefix : prefixes) ranges.push_back(key_prefix_range(prefix));
  return ranges;
}

}  // namespace coppice::planner
