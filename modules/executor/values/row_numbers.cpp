// row_numbers.cpp — the two ways to a number.
#include "modules/executor/values/row_numbers.h"

#include <bit>

#include "modules/executor/values/copy.h"

namespace coppice::executor {

namespace {

bool is_one_integer(std::span<const TypeOid> types, const Execution& execution) {
  if (types.size() != 1) return false;
  const SqlType* const type = execution.registry().find_type(types[0]);
  return type != nullptr && type->info().equality == Equality::kPhysical &&
         is_integer(type->info().physical) && type->info().physical != PhysicalType::kInt128;
}

template <class T, class Visit>
void each_flat(const Vector& values, const Selection& rows, Visit visit) {
  rows.for_each([&](std::uint32_t row) {
    T value;
    std::memcpy(&value, values.flat_values() + std::size_t{row} * sizeof(T), sizeof(T));
    visit(row, std::int64_t{value});
  });
}

// visit(row, value) for each selected row, nulls with any value.
template <class Visit>
void each_integer(const Vector& values, const Selection& rows, Visit visit) {
  if (values.encoding() != Encoding::kFlat)
    return rows.for_each([&](std::uint32_t row) { visit(row, values.int_at(row)); });
  switch (values.type()) {
    case PhysicalType::kInt16:
      return each_flat<std::int16_t>(values, rows, visit);
    case PhysicalType::kInt32:
      return each_flat<std::int32_t>(values, rows, visit);
    case PhysicalType::kInt64:
      return each_flat<std::int64_t>(values, rows, visit);
    default:
      return each_flat<std::uint8_t>(values, rows, visit);
  }
}

}  // namespace

Status IntegerTable::reserve(std::size_t more) {
  const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(64, (used_ + more) * 2));
  if (wanted <= slots_.size()) return {};
  // The old slots live on while they are moved.
  COPPICE_TRY(memory_.grow_to((wanted + slots_.size()) * sizeof(Slot)));
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(wanted, {});
  shift_ = static_cast<unsigned>(64 - std::countr_zero(wanted));
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.number != KeyTable::kNone) insert(slot.key, slot.number);
  }
  return {};
}

void IntegerTable::clear() {
  slots_ = {};
  used_ = 0;
  memory_ = MemoryUse(budget_);
}

Result<RowNumbers> RowNumbers::make(std::span<const TypeOid> types, Nulls nulls,
                                    const Execution& execution) {
  return make(types, types, nulls, execution);
}

Result<RowNumbers> RowNumbers::make(std::span<const TypeOid> types,
                                    std::span<const TypeOid> finder_types, Nulls nulls,
                                    const Execution& execution) {
  RowNumbers made(nulls, execution.budget());
  made.keys_ = COPPICE_TRY(RowKeys::make(types, execution));
  made.finder_keys_ = COPPICE_TRY(RowKeys::make(finder_types, execution));
  made.one_integer_ = is_one_integer(types, execution) && is_one_integer(finder_types, execution);
  return made;
}

Status RowNumbers::insert(std::span<const Vector> columns, const Selection& rows,
                          std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  if (one_integer_) {
    COPPICE_TRY(integers_.reserve(rows.count()));
    const Vector& values = columns[0];
    const bool nulls = values.has_nulls();
    each_integer(values, rows, [&](std::uint32_t row, std::int64_t value) {
      if (nulls && values.is_null(row)) {
        has_null_ = true;
        if (nulls_ == Nulls::kEqual && null_number_ == kNone) null_number_ = size_++;
        numbers.push_back(null_number_);
        return;
      }
      const std::uint32_t number = integers_.insert(value, size_);
      size_ += number == size_ ? 1 : 0;
      numbers.push_back(number);
    });
    return {};
  }
  keys_.encode(columns, rows, encoded_);
  for (std::size_t i = 0; i < encoded_.size(); ++i) {
    has_null_ = has_null_ || encoded_.has_null[i] != 0;
    std::uint32_t number = kNone;
    if (nulls_ == Nulls::kEqual || encoded_.has_null[i] == 0)
      number = COPPICE_TRY(table_.insert(encoded_.key(i), encoded_.hashes[i]));
    numbers.push_back(number);
  }
  size_ = table_.size();
  return {};
}

void RowNumbers::find(std::span<const Vector> columns, const Selection& rows,
                      std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  if (one_integer_) {
    const Vector& values = columns[0];
    const bool nulls = values.has_nulls();
    each_integer(values, rows, [&](std::uint32_t row, std::int64_t value) {
      numbers.push_back(nulls && values.is_null(row) ? null_number_ : integers_.find(value));
    });
    return;
  }
  finder_keys_.encode(columns, rows, encoded_);
  for (std::size_t i = 0; i < encoded_.size(); ++i) {
    const bool looks = nulls_ == Nulls::kEqual || encoded_.has_null[i] == 0;
    numbers.push_back(looks ? table_.find(encoded_.key(i), encoded_.hashes[i]) : kNone);
  }
}

void RowNumbers::clear() {
  integers_.clear();
  table_.clear();
  null_number_ = kNone;
  size_ = 0;
  has_null_ = false;
}

}  // namespace coppice::executor
