// number_ops.h — operations on fixed-size numbers, in the shape that fixed_kernel<> wants.
//
// Source:   PostgreSQL 15, int.c, int8.c, float.c: overflow is an error.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/physical_type.h"

namespace coppice::sql_core {

template <class T>
constexpr Fault kRangeFault = sizeof(T) == 2   ? Fault::kInt2Range
                              : sizeof(T) == 4 ? Fault::kInt4Range
                                               : Fault::kInt8Range;

template <class T>
Fault check_float(T result, bool inputs_infinite) {
  return std::isinf(result) && !inputs_infinite ? Fault::kFloatOverflow : Fault::kNone;
}

struct Add {
  template <class A, class B, class R>
  static Fault apply(A a, B b, R& to) {
    if constexpr (std::is_floating_point_v<R>) {
      to = static_cast<R>(a) + static_cast<R>(b);
      return check_float(to, std::isinf(a) || std::isinf(b));
    } else {
      return __builtin_add_overflow(a, b, &to) ? kRangeFault<R> : Fault::kNone;
    }
  }
};
struct Subtract {
  template <class A, class B, class R>
  static Fault apply(A a, B b, R& to) {
    if constexpr (std::is_floating_point_v<R>) {
      to = static_cast<R>(a) - static_cast<R>(b);
      return check_float(to, std::isinf(a) || std::isinf(b));
    } else {
      return __builtin_sub_overflow(a, b, &to) ? kRangeFault<R> : Fault::kNone;
    }
  }
};
struct Multiply {
  template <class A, class B, class R>
  static Fault apply(A a, B b, R& to) {
    if constexpr (std::is_floating_point_v<R>) {
      to = static_cast<R>(a) * static_cast<R>(b);
      if (to == 0 && a != 0 && b != 0) return Fault::kFloatUnderflow;
      return check_float(to, std::isinf(a) || std::isinf(b));
    } else {
      return __builtin_mul_overflow(a, b, &to) ? kRangeFault<R> : Fault::kNone;
    }
  }
};
struct Divide {
  template <class A, class B, class R>
  static Fault apply(A a, B b, R& to) {
    if constexpr (std::is_floating_point_v<R>) {
      if (b == 0 && !std::isnan(a)) return Fault::kDivisionByZero;
      to = static_cast<R>(a) / static_cast<R>(b);
      if (to == 0 && a != 0 && !std::isinf(b)) return Fault::kFloatUnderflow;
      return check_float(to, std::isinf(a));
    } else {
      to = 0;
      if (b == 0) return Fault::kDivisionByZero;
      if (b == -1)  // the lowest value has no counterpart
        return __builtin_sub_overflow(R{0}, a, &to) ? kRangeFault<R> : Fault::kNone;
      to = static_cast<R>(a / b);
      return Fault::kNone;
    }
  }
};
struct Modulo {
  template <class T>
  static Fault apply(T a, T b, T& to) {
    to = 0;
    if (b == 0) return Fault::kDivisionByZero;
    if (b != -1) to = static_cast<T>(a % b);
    return Fault::kNone;
  }
};
// Of magnitudes, so that the lowest value is one like others; 2^31 or 2^63 does not fit.
struct GreatestDivisor {
  template <class T>
  static Fault apply(T a, T b, T& to) {
    return fit(std::gcd(magnitude(a), magnitude(b)), to);
  }
  template <class T>
  static std::uint64_t magnitude(T value) {
    const auto bits = static_cast<std::uint64_t>(std::int64_t{value});
    return value < 0 ? -bits : bits;
  }
  template <class T>
  static Fault fit(UInt128 value, T& to) {
    to = static_cast<T>(value);
    return value > static_cast<UInt128>(std::numeric_limits<T>::max()) ? kRangeFault<T>
                                                                       : Fault::kNone;
  }
};
struct LeastMultiple {
  template <class T>
  static Fault apply(T a, T b, T& to) {
    to = 0;
    if (a == 0 || b == 0) return Fault::kNone;
    const std::uint64_t left = GreatestDivisor::magnitude(a), right = GreatestDivisor::magnitude(b);
    return GreatestDivisor::fit(UInt128{left / std::gcd(left, right)} * right, to);
  }
};
struct Negate {
  template <class T>
  static Fault apply(T a, T& to) {
    if constexpr (std::is_floating_point_v<T>) {
      to = -a;
      return Fault::kNone;
    } else {
      return __builtin_sub_overflow(T{0}, a, &to) ? kRangeFault<T> : Fault::kNone;
    }
  }
};
struct Identity {
  template <class T>
  static T apply(T a) {
    return a;
  }
};
struct Absolute {
  template <class T>
  static Fault apply(T a, T& to) {
    if constexpr (std::is_floating_point_v<T>) {
      to = std::fabs(a);
      return Fault::kNone;
    } else {
      return a < 0 ? Negate::apply(a, to) : (to = a, Fault::kNone);
    }
  }
};

struct BitAnd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct BitNot {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
// Distances count modulo the operand's width, as x86 shifts and so PostgreSQL does.
struct ShiftLeft {
  template <class T>
  static T apply(T a, std::int32_t by) {
    using Wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr int kMask = static_cast<int>(sizeof(Wide) * 8) - 1;
    return static_cast<T>(static_cast<Wide>(a) << (by & kMask));
  }
};
struct ShiftRight {
  template <class T>
  static T apply(T a, std::int32_t by) {
    using Wide = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    constexpr int kMask = static_cast<int>(sizeof(Wide) * 8) - 1;
    return static_cast<T>(static_cast<Wide>(a) >> (by & kMask));
  }
};

// Between integers of any width.
struct ToInteger {
  template <class A, class R>
  static Fault apply(A a, R& to) {
    return __builtin_add_overflow(a, A{0}, &to) ? kRangeFault<R> : Fault::kNone;
  }
};
template <class R>
struct ConvertTo {
  template <class A>
  static R apply(A a) {
    return static_cast<R>(a);
  }
};
// Rounds half to even; NaN and what does not fit are out of range.
struct FloatToInteger {
  template <class A, class R>
  static Fault apply(A a, R& to) {
    const A rounded = std::rint(a);
    constexpr A kLimit = static_cast<A>(std::numeric_limits<R>::min());
    to = 0;
    if (std::isnan(rounded) || rounded < kLimit || rounded >= -kLimit) return kRangeFault<R>;
    to = static_cast<R>(rounded);
    return Fault::kNone;
  }
};
struct NarrowFloat {
  static Fault apply(double a, float& to) {
    to = static_cast<float>(a);
    if (std::isinf(to) && !std::isinf(a)) return Fault::kFloatOverflow;
    if (to == 0 && a != 0) return Fault::kFloatUnderflow;
    return Fault::kNone;
  }
};

}  // namespace coppice::sql_core
