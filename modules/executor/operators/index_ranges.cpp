// index_ranges.cpp — values to keys, column by column.
#include "modules/executor/operators/index_ranges.h"

#include <algorithm>
#include <limits>

#include "interfaces/types/sql_error.h"
#include "interfaces/types/vector_buffer.h"

namespace coppice::executor {

namespace {

using Kind = IndexCondition::Kind;

bool is_narrow_integer(PhysicalType type) {
  return is_integer(type) && type != PhysicalType::kInt128 && type != PhysicalType::kBool;
}

// Where an integer lies among those of a type.
int outside(std::int64_t value, PhysicalType type) {
  const auto bytes = fixed_bytes(type);
  if (bytes >= 8) return 0;
  const std::int64_t limit = std::int64_t{1} << (bytes * 8 - 1);
  if (value < -limit) return -1;
  return value >= limit ? 1 : 0;
}

// The value as one of the column's type; integers change their width. XX000 for anything else.
Result<Datum> value_for(const SqlType& type, const Vector& values, std::uint32_t row) {
  Datum value = values.datum_at(row);
  const PhysicalType wanted = type.info().physical;
  if (value.type == wanted) return value;
  if (!is_narrow_integer(wanted) || !is_narrow_integer(value.type))
    return bad_plan("an index bound of another type");
  value.type = wanted;
  return value;
}

void write(const SqlType& type, KeyOrder order, const Datum& value, ByteBuffer& to) {
  KeyWriter writer(to);
  type.write_key(Vector::constant(value, 1), 0, order, writer);
}

}  // namespace

Result<LeafRanges> LeafRanges::make(const IndexCondition& leaf, const TableInfo& table,
                                    Execution& execution) {
  if (leaf.kind != Kind::kLeaf || leaf.index == nullptr ||
      leaf.bounds.size() > leaf.index->columns.size())
    return bad_plan("an index condition that does not fit its index");
  LeafRanges made;
  made.leaf_ = &leaf;
  for (std::size_t i = 0; i < leaf.bounds.size(); ++i) {
    const IndexBound& bound = leaf.bounds[i];
    const ColumnInfo* const column = table.find_column(leaf.index->columns[i].attribute);
    if (column == nullptr) return bad_plan("an index on a column that is not there");
    Bound& to = made.bounds_.emplace_back();
    to.type = COPPICE_TRY(execution.type(column->type));
    to.order = leaf.index->columns[i].order;
    if (bound.from != nullptr) to.from = COPPICE_TRY(make_evaluator(*bound.from, execution));
    if (bound.to != nullptr) to.to = COPPICE_TRY(make_evaluator(*bound.to, execution));
    to.in_list = COPPICE_TRY(make_evaluators(bound.in_list, execution));
    const bool needs_value = bound.equal || bound.prefix;
    if (needs_value && to.from == nullptr) return bad_plan("an index bound without its value");
    const bool fixes = bound.equal || bound.is_null || !bound.in_list.empty();
    if (!fixes && i + 1 != leaf.bounds.size())
      return bad_plan("an index range before the last column");
  }
  return made;
}

bool LeafRanges::is_equality() const {
  return std::ranges::all_of(leaf_->bounds, [](const IndexBound& bound) { return bound.equal; });
}

Status LeafRanges::prepare(const RowBatch& input, const Selection& rows) {
  for (const Bound& bound : bounds_) {
    if (bound.from != nullptr) COPPICE_TRY(bound.from->run(input, rows));
    if (bound.to != nullptr) COPPICE_TRY(bound.to->run(input, rows));
    for (const EvaluatorRef& item : bound.in_list) COPPICE_TRY(item->run(input, rows));
  }
  return {};
}

// Nothing equals NULL, nor an integer that the column cannot hold.
Status LeafRanges::add_equal(const Bound& bound, const Vector& value, std::uint32_t row,
                             std::vector<ByteBuffer>& prefixes) const {
  const Datum wanted = COPPICE_TRY(value_for(*bound.type, value, row));
  const bool integer = is_narrow_integer(bound.type->info().physical);
  if (wanted.null || (integer && outside(wanted.as_int(), wanted.type) != 0)) {
    prefixes.clear();
    return {};
  }
  for (ByteBuffer& prefix : prefixes) write(*bound.type, bound.order, wanted, prefix);
  return {};
}

Status LeafRanges::add_list(const Bound& bound, std::uint32_t row,
                            std::vector<ByteBuffer>& prefixes) {
  std::vector<ByteBuffer> longer;
  for (const EvaluatorRef& item : bound.in_list) {
    std::vector<ByteBuffer> one = prefixes;
    COPPICE_TRY(add_equal(bound, item->result(), row, one));
    for (ByteBuffer& each : one) longer.push_back(std::move(each));
  }
  std::sort(longer.begin(), longer.end());
  longer.erase(std::unique(longer.begin(), longer.end()), longer.end());
  prefixes = std::move(longer);
  return {};
}

Result<LeafRanges::Side> LeafRanges::side_of(const Bound& bound, const EvaluatorRef& value,
                                             std::uint32_t row, bool low, ByteBuffer& key) const {
  if (value == nullptr) return Side::kOpen;
  const Datum wanted = COPPICE_TRY(value_for(*bound.type, value->result(), row));
  if (wanted.null) return Side::kNothing;
  if (is_narrow_integer(wanted.type)) {
    const int where = outside(wanted.as_int(), wanted.type);
    if (where != 0) return (where < 0) == low ? Side::kOpen : Side::kNothing;
  }
  write(*bound.type, bound.order, wanted, key);
  return Side::kValue;
}

Status LeafRanges::add_range(std::size_t column, std::uint32_t row,
                             const std::vector<ByteBuffer>& prefixes,
                             std::vector<KeyRange>& to) const {
  const IndexBound& given = leaf_->bounds[column];
  const Bound& bound = bounds_[column];
  if (given.prefix) {
    const Datum text = COPPICE_TRY(value_for(*bound.type, bound.from->result(), row));
    if (text.null) return {};
    for (const ByteBuffer& prefix : prefixes) {
      ByteBuffer key = prefix;
      KeyWriter(key).bytes_prefix(text.bytes, bound.order);
      to.push_back(key_prefix_range(key));
    }
    return {};
  }
  ByteBuffer from, up_to;
  const Side low = COPPICE_TRY(side_of(bound, bound.from, row, true, from));
  const Side high = COPPICE_TRY(side_of(bound, bound.to, row, false, up_to));
  if (low == Side::kNothing || high == Side::kNothing) return {};
  std::optional<KeyBound> low_bound, high_bound;
  if (low == Side::kValue) low_bound = KeyBound{from, given.from_inclusive};
  if (high == Side::kValue) high_bound = KeyBound{up_to, given.to_inclusive};
  for (const ByteBuffer& prefix : prefixes)
    to.push_back(key_column_range(prefix, bound.order, low_bound, high_bound));
  return {};
}

Status LeafRanges::ranges(std::uint32_t row, std::vector<KeyRange>& to) {
  to.clear();
  std::vector<ByteBuffer> prefixes(1);
  for (std::size_t i = 0; i < bounds_.size() && !prefixes.empty(); ++i) {
    const IndexBound& given = leaf_->bounds[i];
    const Bound& bound = bounds_[i];
    if (given.equal) {
      COPPICE_TRY(add_equal(bound, bound.from->result(), row, prefixes));
    } else if (given.is_null) {
      for (ByteBuffer& prefix : prefixes) KeyWriter(prefix).null(bound.order);
    } else if (!given.in_list.empty()) {
      COPPICE_TRY(add_list(bound, row, prefixes));
    } else {
      return add_range(i, row, prefixes, to);
    }
  }
  if (bounds_.empty()) {
    to.emplace_back();
    return {};
  }
  for (const ByteBuffer& prefix : prefixes) to.push_back(key_prefix_range(prefix));
  return {};
}

Result<ConditionRanges> ConditionRanges::make(const IndexCondition& condition,
                                              const TableInfo& table, Execution& execution) {
  ConditionRanges made;
  made.condition_ = &condition;
  COPPICE_TRY(made.add(condition, table, execution, 1));
  return made;
}

Status ConditionRanges::add(const IndexCondition& condition, const TableInfo& table,
                            Execution& execution, std::size_t depth) {
  if (depth > kBitmapDepthMax)
    return std::unexpected(sql_error(sqlstate::kStatementTooComplex, "stack depth limit exceeded"));
  if (condition.kind == Kind::kLeaf) {
    LeafRanges leaf = COPPICE_TRY(LeafRanges::make(condition, table, execution));
    leaves_.push_back(std::move(leaf));
    return {};
  }
  if (condition.children.empty()) return bad_plan("an index condition without children");
  for (const IndexCondition& child : condition.children)
    COPPICE_TRY(add(child, table, execution, depth + 1));
  return {};
}

Status ConditionRanges::build(const IndexCondition& condition, std::size_t& leaf, BitmapNode& to) {
  if (condition.kind == Kind::kLeaf) {
    LeafRanges& ranges = leaves_[leaf++];
    RowBatch single;
    single.rows = 1;
    single.selection = Selection::all(1);
    COPPICE_TRY(ranges.prepare(single, single.selection));
    to.kind = BitmapNode::Kind::kLeaf;
    to.index = ranges.index().storage;
    return ranges.ranges(0, to.ranges);
  }
  to.kind = condition.kind == Kind::kAnd ? BitmapNode::Kind::kAnd : BitmapNode::Kind::kOr;
  for (const IndexCondition& child : condition.children)
    COPPICE_TRY(build(child, leaf, to.children.emplace_back()));
  return {};
}

Result<BitmapNode> ConditionRanges::node() {
  BitmapNode node;
  std::size_t leaf = 0;
  COPPICE_TRY(build(*condition_, leaf, node));
  return node;
}

}  // namespace coppice::executor
