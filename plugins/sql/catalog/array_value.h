// array_value.h — arrays as they are held: what PostgreSQL sends for them in binary.
//
// Format:   big-endian i32: dimensions (0 to 6), 1 if an element is NULL, the element type's OID;
//           for each dimension its size and lower bound; then per element its bytes (its type's
//           binary form) behind their count, -1 for NULL. No elements: no dimensions, but one of
//           size 0 in int2vector and oidvector.
// Source:   PostgreSQL 15, array_send and array_recv (arrayfuncs.c).
// Threads:  any. Parks: never.
#pragma once

#include <array>
#include <optional>

#include "interfaces/sql_pack.h"

namespace coppice::sql_catalog {

inline constexpr std::size_t kDimensionsMax = 6;
inline constexpr std::int64_t kElementsMax = 134'217'727;

struct Dimensions {
  std::size_t count = 0;
  std::array<std::int32_t, kDimensionsMax> sizes = {};
  std::array<std::int32_t, kDimensionsMax> lower = {};

  static Dimensions one(std::int32_t size, std::int32_t lower_bound);
  std::int64_t elements() const;  // kElementsMax + 1: too many
};

class ArrayValue {
 public:
  // Checks the structure, all counts included; views `bytes`. 22P03, 54000.
  static Result<ArrayValue> parse(ByteView bytes);

  const Dimensions& dimensions() const { return dimensions_; }
  TypeOid element() const { return element_; }
  bool has_null() const { return has_null_; }

  // visit(std::optional<ByteView>) for each element, in order.
  template <class Visit>
  void each(Visit visit) const {
    ByteView rest = elements_;
    while (!rest.empty()) {
      const auto bytes = load_be<std::int32_t>(rest.data());
      rest = rest.subspan(4);
      if (bytes < 0) {
        visit(std::optional<ByteView>());
        continue;
      }
      visit(std::optional(rest.first(static_cast<std::size_t>(bytes))));
      rest = rest.subspan(static_cast<std::size_t>(bytes));
    }
  }

 private:
  Dimensions dimensions_;
  TypeOid element_ = 0;
  bool has_null_ = false;
  ByteView elements_;
};

// Appends the value whose elements are all of `elements`, of type `type`.
Status write_array(const SqlType& type, const Dimensions& dimensions, const Vector& elements,
                   ByteBuffer& to);

// Appends all elements to `out`.
Status read_elements(const SqlType& type, const ArrayValue& array, VectorBuffer& out);

}  // namespace coppice::sql_catalog
