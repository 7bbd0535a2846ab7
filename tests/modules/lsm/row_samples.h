// row_samples.h — random columns for the tests of row blocks and row files.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "interfaces/types/schema.h"
#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"

namespace coppice::lsm {

inline constexpr PhysicalType kAllTypes[] = {
    PhysicalType::kBool,   PhysicalType::kInt16,   PhysicalType::kInt32,   PhysicalType::kInt64,
    PhysicalType::kInt128, PhysicalType::kFloat32, PhysicalType::kFloat64, PhysicalType::kBytes};

// Values in one of several shapes, so that every encoding comes up.
class ColumnSample {
 public:
  ColumnSample(Rng& rng, PhysicalType type, std::size_t value_bytes_max = 40)
      : rng_(rng), type_(type), bytes_max_(value_bytes_max) {
    shape_ = rng.below(5);
    nulls_ = rng.chance(0.5) ? 0.0 : rng.unit();
    base_ = static_cast<Int128>(rng.next()) << rng.below(60);
    span_ = rng.below(3) == 0 ? 3 : rng.next() >> rng.below(64);
    for (int i = 0; i < 5; ++i) pool_.push_back(random_value());
  }

  Datum next() {
    if (nulls_ > 0 && rng_.chance(nulls_)) return Datum::null_of(type_);
    ++count_;
    if (shape_ == 0) return pool_[0];                                         // constant
    if (shape_ == 1) return pool_[rng_.below(pool_.size())];                  // dictionary
    if (shape_ == 2 && is_integer(type_)) return number(base_ + count_ * 3);  // sequence
    if (shape_ == 3 && is_integer(type_) && span_ != 0)
      return number(base_ + static_cast<Int128>(rng_.below(span_)));  // frame
    return random_value();
  }

 private:
  Datum number(Int128 value) const {
    switch (type_) {
      case PhysicalType::kBool:
        return Datum::integer(type_, value & 1);
      case PhysicalType::kInt16:
        return Datum::integer(type_, static_cast<std::int16_t>(value));
      case PhysicalType::kInt32:
        return Datum::integer(type_, static_cast<std::int32_t>(value));
      case PhysicalType::kInt64:
        return Datum::integer(type_, static_cast<std::int64_t>(value));
      default:
        return Datum::integer(type_, value);
    }
  }
  Datum random_value() {
    if (type_ == PhysicalType::kFloat32) return Datum::of(static_cast<float>(rng_.unit()));
    if (type_ == PhysicalType::kFloat64) return Datum::of(rng_.unit() - 0.5);
    if (is_integer(type_)) return number(static_cast<Int128>(rng_.next()) << rng_.below(64));
    std::string& text = texts_.emplace_back(rng_.below(bytes_max_ + 1), ' ');
    for (char& letter : text) letter = static_cast<char>('a' + rng_.below(26));
    return Datum::of(as_bytes(text));
  }

  Rng& rng_;
  PhysicalType type_;
  std::size_t bytes_max_;
  std::uint64_t shape_ = 0;
  double nulls_ = 0;
  Int128 base_ = 0;
  std::uint64_t span_ = 0;
  int count_ = 0;
  std::vector<Datum> pool_;
  std::deque<std::string> texts_;  // what the data view
};

}  // namespace coppice::lsm
