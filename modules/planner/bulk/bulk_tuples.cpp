// bulk_tuples.cpp — literals to columns.
#include "modules/planner/bulk/bulk_tuples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "kernel/fiber/fiber.h"
#include "modules/planner/parse/values_reader.h"

namespace coppice::planner {

namespace {

using Kind = RawLiteral::Kind;

constexpr std::size_t kChunkBytes = 64_KiB;  // read between two looks at who else wants to run

// Keeps what ValuesReader finds.
class Collector {
 public:
  explicit Collector(std::vector<RawLiteral>& to) : to_(to) {}

  bool integer(std::int64_t value) {
    RawLiteral& literal = add(Kind::kInteger);
    literal.integer = value;
    return true;
  }
  bool decimal(std::string_view text) { return add_text(Kind::kDecimal, text); }
  bool text(std::string_view text, bool doubled) {
    return add_text(doubled ? Kind::kDoubledText : Kind::kText, text);
  }
  bool boolean(bool value) {
    RawLiteral& literal = add(Kind::kBoolean);
    literal.integer = value ? 1 : 0;
    return true;
  }
  bool null() {
    add(Kind::kNull);
    return true;
  }
  bool default_value() { return false; }
  bool end_row() { return true; }

 private:
  RawLiteral& add(Kind kind) {
    RawLiteral& literal = to_.emplace_back();
    literal.kind = kind;
    return literal;
  }
  bool add_text(Kind kind, std::string_view text) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) return false;
    RawLiteral& literal = add(kind);
    literal.text = text.data();
    literal.length = static_cast<std::uint32_t>(text.size());
    return true;
  }
  std::vector<RawLiteral>& to_;
};

// Appends literals to one column.
class ColumnReader {
 public:
  ColumnReader(const SqlType& type, std::int32_t modifier, const SqlSettings& settings,
               VectorBuffer& to)
      : type_(type), modifier_(modifier), settings_(settings), to_(to) {
    const TypeOid oid = type.info().oid;
    integer_ = oid == type_oid::kInt2 || oid == type_oid::kInt4 || oid == type_oid::kInt8;
    number_ = oid == type_oid::kNumeric || oid == type_oid::kFloat4 || oid == type_oid::kFloat8;
    any_text_ = oid == type_oid::kText || oid == type_oid::kVarchar || oid == type_oid::kBpchar;
    plain_text_ = oid == type_oid::kText || (oid == type_oid::kVarchar && modifier < 0);
    // Names of relations and the like are read when the statement runs.
    name_ = type.info().category == 'N' && !integer_ && !number_ && oid != type_oid::kOid;
  }

  // False: not as it stands.
  bool append(const RawLiteral& literal) {
    switch (literal.kind) {
      case Kind::kNull:
        to_.append_null();
        return true;
      case Kind::kInteger:
        return append_integer(literal.integer);
      case Kind::kDecimal:
        return number_ && parse(literal.view());
      case Kind::kText:
        return append_text(literal.view());
      case Kind::kDoubledText:
        return append_text(undouble(literal.view()));
      case Kind::kBoolean:
        if (type_.info().oid != type_oid::kBool) return false;
        to_.append(Datum::integer(PhysicalType::kBool, literal.integer));
        return true;
    }
    return false;
  }

 private:
  bool append_integer(std::int64_t value) {
    if (integer_) {
      switch (to_.type()) {
        case PhysicalType::kInt16:
          if (value != static_cast<std::int16_t>(value)) return false;
          break;
        case PhysicalType::kInt32:
          if (value != static_cast<std::int32_t>(value)) return false;
          break;
        default:
          break;
      }
      to_.append(Datum::integer(to_.type(), value));
      return true;
    }
    if (!number_ && !any_text_) return false;
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return parse({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  bool append_text(std::string_view text) {
    if (name_) return false;
    if (!plain_text_) return parse(text);
    to_.append_bytes(as_bytes(text));
    return true;
  }
  bool parse(std::string_view text) {
    return type_.parse(WireForm::kText, as_bytes(text), modifier_, settings_, to_).has_value();
  }
  std::string_view undouble(std::string_view text) {
    scratch_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      scratch_.push_back(text[i]);
      if (text[i] == '\'') ++i;
    }
    return scratch_;
  }

  const SqlType& type_;
  std::int32_t modifier_;
  const SqlSettings& settings_;
  VectorBuffer& to_;
  bool integer_ = false, number_ = false, any_text_ = false, plain_text_ = false, name_ = false;
  std::string scratch_;
};

}  // namespace

Result<std::unique_ptr<BulkTuples>> read_bulk_insert(std::string_view text, Budget& budget) {
  if (text.size() < kBulkTextMin) return std::unique_ptr<BulkTuples>();
  const auto insert = find_bulk_insert(text);
  if (!insert) return std::unique_ptr<BulkTuples>();
  auto tuples = std::make_unique<BulkTuples>();
  tuples->columns = insert->columns;
  tuples->memory = Reservation(budget);
  Collector collector(tuples->literals);
  ValuesReader reader(text, *insert, collector);
  ReadResult result = ReadResult::kMore;
  while (result == ReadResult::kMore) {
    result = reader.read(kChunkBytes);
    if (result == ReadResult::kFallBack) return std::unique_ptr<BulkTuples>();
    const std::uint64_t bytes = tuples->literals.capacity() * sizeof(RawLiteral);
    if (bytes > tuples->memory.bytes())
      COPPICE_TRY(tuples->memory.grow(bytes - tuples->memory.bytes()));
    if (fiber::current() != nullptr) COPPICE_TRY(fiber::maybe_yield(64));
  }
  // What the columns will take.
  COPPICE_TRY(tuples->memory.grow(2 * text.size()));
  tuples->skeleton = bulk_insert_skeleton(text, *insert, reader.offset());
  return tuples;
}

std::optional<std::vector<RowBatch>> tuples_to_batches(const BindContext& context,
                                                       const std::vector<ExpressionRef>& first,
                                                       const BulkTuples& tuples,
                                                       const std::vector<BulkColumn>& columns) {
  for (const ExpressionRef& value : first)
    if (value->kind != Expression::Kind::kConstant) return {};
  std::vector<RowBatch> batches;
  const std::size_t rows = tuples.rows() + 1;
  for (std::size_t at = 0; at < rows; at += kVectorRows) {
    const std::size_t end = std::min<std::size_t>(rows, at + kVectorRows);
    RowBatch& batch = batches.emplace_back();
    batch.rows = static_cast<std::uint32_t>(end - at);
    batch.selection = Selection::all(batch.rows);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const SqlType* const type = context.registry().find_type(columns[column].type);
      if (type == nullptr) return {};
      auto buffer = std::make_shared<VectorBuffer>(type->info().physical);
      ColumnReader reader(*type, columns[column].modifier, context.settings(), *buffer);
      if (at == 0) buffer->append(first[column]->value.datum());
      for (std::size_t row = std::max<std::size_t>(at, 1); row < end; ++row)
        if (!reader.append(tuples.literals[(row - 1) * tuples.columns + column])) return {};
      Vector values = buffer->view();
      values.set_owner(std::move(buffer));
      batch.columns.push_back(std::move(values));
    }
  }
  return batches;
}

}  // namespace coppice::planner
