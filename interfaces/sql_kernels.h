// sql_kernels.h — how a pack writes its kernels and types: arguments as arrays, one loop for all.
//
// Role:     a kernel is an operation on values put through fixed_kernel<>, or a lambda on rows put
//           through each_fixed() or each_bytes(). Loops run over flat and constant arguments
//           without a call per row; other encodings are decoded once per batch.
// Errors:   numeric operations return a Fault, whose text is looked up once per failed batch.
// Threads:  any. Parks: never.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "interfaces/sql_pack.h"
#include "kernel/base/assert.h"

namespace coppice {

// What may go wrong with one value of an operation.
enum class Fault : std::uint8_t {
  kNone,
  kInt2Range,
  kInt4Range,
  kInt8Range,
  kOidRange,
  kFloatOverflow,
  kFloatUnderflow,
  kDivisionByZero,
  kCharRange,
  kDateRange,
  kTimestampRange,
  kIntervalRange,
  kDateOverflow,
  kSqrtNegative,
  kLogZero,
  kLogNegative,
  kPowerZeroNegative,
  kPowerComplex,
  kInputRange,
};
Error fault_error(Fault fault);

// One argument of a batch: a value per row. T: bool, an integer, float, double or ByteView.
template <class T>
class Argument {
 public:
  explicit Argument(const Vector& vector) {
    if (vector.encoding() == Encoding::kConstant) {
      mask_ = 0;
      decoded_[0] = vector.has_nulls() ? T{} : one(vector, 0);
    } else if (vector.encoding() == Encoding::kFlat) {
      data_ = vector.flat_values();
      return;
    } else {
      COPPICE_ASSERT(vector.size() <= kVectorRows);
      for (std::uint32_t row = 0; row < vector.size(); ++row) decoded_[row] = one(vector, row);
    }
    data_ = reinterpret_cast<const std::byte*>(decoded_.data());
  }
  Argument(const Argument&) = delete;
  Argument& operator=(const Argument&) = delete;

  T operator[](std::uint32_t row) const {
    T value;
    std::memcpy(&value, data_ + std::size_t{row & mask_} * sizeof(T), sizeof(T));
    return value;
  }

 private:
  static T one(const Vector& vector, std::uint32_t row) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(vector.float_at(row));
    else if constexpr (sizeof(T) > 8)
      return static_cast<T>(vector.int128_at(row));
    else
      return static_cast<T>(vector.int_at(row));
  }
  const std::byte* data_ = nullptr;
  std::uint32_t mask_ = ~std::uint32_t{0};
  std::array<T, kVectorRows> decoded_;
};

template <>
class Argument<ByteView> {
 public:
  explicit Argument(const Vector& vector) : vector_(vector) {}
  ByteView operator[](std::uint32_t row) const { return vector_.bytes_at(row); }

 private:
  const Vector& vector_;
};

template <>
class Argument<std::string_view> {
 public:
  explicit Argument(const Vector& vector) : vector_(vector) {}
  std::string_view operator[](std::uint32_t row) const { return as_text(vector_.bytes_at(row)); }

 private:
  const Vector& vector_;
};

namespace detail {

template <class Op, class R, class Apply>
Status fixed_rows(const Selection& rows, R* to, Apply apply) {
  if constexpr (std::is_same_v<decltype(apply(0U, to[0])), Fault>) {
    bool failed = false;
    rows.for_each([&](std::uint32_t row) { failed |= apply(row, to[row]) != Fault::kNone; });
    if (!failed) return {};
    Fault first = Fault::kNone;
    rows.for_each([&](std::uint32_t row) {
      if (first == Fault::kNone) first = apply(row, to[row]);
    });
    return std::unexpected(fault_error(first));
  } else {
    rows.for_each([&](std::uint32_t row) { apply(row, to[row]); });
    return {};
  }
}

}  // namespace detail

// Op has `static R apply(A...)`, or `static Fault apply(A..., R& to)` if it can fail.
template <class Op, class R, class... A>
Status fixed_kernel(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  COPPICE_ASSERT(arguments.size() == sizeof...(A));
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> Status {
    const std::tuple<Argument<A>...> values(arguments[I]...);
    R* const to = out.append_values<R>(size);
    return detail::fixed_rows<Op>(rows, to, [&](std::uint32_t row, R& result) {
      if constexpr (requires(A... a) { Op::apply(a..., result); })
        return Op::apply(std::get<I>(values)[row]..., result);
      else
        result = Op::apply(std::get<I>(values)[row]...);
    });
  }(std::make_index_sequence<sizeof...(A)>());
}

// visit(row, result) -> Status for every selected row, where the result is fixed.
template <class R, class Visit>
Status each_fixed(const Selection& rows, std::uint32_t size, VectorBuffer& out, Visit visit) {
  R* const to = out.append_values<R>(size);
  Status status;
  rows.for_each([&](std::uint32_t row) {
    if (status) status = visit(row, to[row]);
  });
  return status;
}

// visit(row, text) -> Status for every selected row, where the result is the bytes left in `text`.
template <class Visit>
Status each_bytes(const Selection& rows, std::uint32_t size, VectorBuffer& out, Visit visit) {
  Status status;
  std::uint32_t done = 0;
  std::string text;
  rows.for_each([&](std::uint32_t row) {
    if (!status) return;
    if (row != done) out.append_empty(row - done);
    done = row + 1;
    text.clear();
    status = visit(row, text);
    if (status) out.append_bytes(as_bytes(text));
  });
  if (status && done != size) out.append_empty(size - done);
  return status;
}

// The order of PostgreSQL: NaN equals itself and is above everything else, bytes by memcmp.
template <class A, class B>
constexpr bool less(A a, B b) {
  if constexpr (std::is_floating_point_v<A>)
    return std::isnan(b) ? !std::isnan(a) : a < b;
  else
    return a < b;
}
template <class A, class B>
constexpr bool equal(A a, B b) {
  if constexpr (std::is_floating_point_v<A>)
    return a == b || (std::isnan(a) && std::isnan(b));
  else
    return a == b;
}

struct Equal {
  template <class A, class B>
  static bool apply(A a, B b) {
    return equal(a, b);
  }
};
struct NotEqual {
  template <class A, class B>
  static bool apply(A a, B b) {
    return !equal(a, b);
  }
};
struct Less {
  template <class A, class B>
  static bool apply(A a, B b) {
    return less(a, b);
  }
};
struct LessEqual {
  template <class A, class B>
  static bool apply(A a, B b) {
    return !less(b, a);
  }
};
struct Greater {
  template <class A, class B>
  static bool apply(A a, B b) {
    return less(b, a);
  }
};
struct GreaterEqual {
  template <class A, class B>
  static bool apply(A a, B b) {
    return !less(a, b);
  }
};

// write(row, bytes) appends the wire form of values[row], for every selected row that is not null.
template <class Write>
void format_rows(const Vector& values, const Selection& rows, FormattedColumn& out, Write write) {
  rows.for_each([&](std::uint32_t row) {
    const bool null = values.is_null(row);
    if (!null) write(row, out.bytes);
    const auto end = static_cast<std::int64_t>(out.bytes.size());
    out.ends.push_back(null ? -1 - end : end);
  });
}

inline void append_text(ByteBuffer& to, std::string_view text) {
  append(to, as_bytes(text));
}
template <std::integral T>
void append_number(ByteBuffer& to, T value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  append_text(to, {digits.data(), static_cast<std::size_t>(end - digits.data())});
}
template <std::integral T>
void append_be(ByteBuffer& to, T value) {
  const std::size_t at = to.size();
  to.resize(at + sizeof(T));
  store_be(to.data() + at, value);
}

// 22P02 invalid input syntax for type integer: "x"
std::unexpected<Error> invalid_text(std::string_view type, std::string_view value);
// 22003 value "x" is out of range for type integer
std::unexpected<Error> text_out_of_range(std::string_view type, std::string_view value);
// A binary value that is not `size` bytes long: 08P01 too short, 22P03 too long.
Status check_binary_size(ByteView value, std::size_t size);

// isspace() of the C locale.
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
std::string_view trim_spaces(std::string_view text);

}  // namespace coppice
