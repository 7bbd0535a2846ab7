// total.h — a sum of many numbers: 128 bits while they do, digits for the rest.
#pragma once

#include <memory>

#include "plugins/sql/numeric/fixed.h"

namespace coppice::sql_numeric {

class Total {
 public:
  void add(const Fixed& value);
  void add(const Number& value);  // finite
  // With the largest scale of what was added.
  Number value() const;
  std::uint64_t heap_bytes() const;

 private:
  void spill();

  Fixed fixed_;
  std::unique_ptr<Number> wide_;  // to be added to fixed_
};

// Counts of what an aggregate over numeric was given.
struct Counts {
  std::int64_t finite = 0, nans = 0, infinities = 0, negative_infinities = 0;

  std::int64_t special() const { return nans + infinities + negative_infinities; }
  std::int64_t all() const { return finite + special(); }
  Kind kind() const {  // of a sum
    if (nans != 0 || (infinities != 0 && negative_infinities != 0)) return Kind::kNan;
    if (infinities != 0) return Kind::kInfinity;
    return negative_infinities != 0 ? Kind::kNegativeInfinity : Kind::kFinite;
  }
  void note(Kind kind) {  // not of a finite one
    ++(kind == Kind::kNan ? nans : kind == Kind::kInfinity ? infinities : negative_infinities);
  }
};

}  // namespace coppice::sql_numeric
