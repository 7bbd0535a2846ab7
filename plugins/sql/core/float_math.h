// float_math.h — functions of double precision, in the shape that fixed_kernel<> wants.
//
// Source:   PostgreSQL 15, float.c: which arguments are errors, and when a result overflowed.
#pragma once

#include <cmath>
#include <numbers>

#include "interfaces/sql_kernels.h"

namespace coppice::sql_core {

struct Ceiling {
  static double apply(double a) { return std::ceil(a); }
};
struct Floor {
  static double apply(double a) { return std::floor(a); }
};
struct Round {  // half to even
  static double apply(double a) { return std::rint(a); }
};
struct Truncate {
  static double apply(double a) { return std::trunc(a); }
};
struct Sign {
  static double apply(double a) {
    if (std::isnan(a)) return a;
    return a > 0 ? 1 : a < 0 ? -1 : 0;
  }
};
struct CubeRoot {
  static double apply(double a) { return std::cbrt(a); }
};
struct SquareRoot {
  static Fault apply(double a, double& to) {
    to = std::sqrt(a);
    return a < 0 ? Fault::kSqrtNegative : Fault::kNone;
  }
};
struct Exponential {
  static Fault apply(double a, double& to) {
    to = std::exp(a);
    if (std::isnan(a) || std::isinf(a)) return Fault::kNone;
    if (std::isinf(to)) return Fault::kFloatOverflow;
    return to == 0 ? Fault::kFloatUnderflow : Fault::kNone;
  }
};
inline Fault check_logarithm(double a) {
  if (a == 0) return Fault::kLogZero;
  return a < 0 ? Fault::kLogNegative : Fault::kNone;
}
struct NaturalLogarithm {
  static Fault apply(double a, double& to) {
    to = std::log(a);
    return check_logarithm(a);
  }
};
struct DecimalLogarithm {
  static Fault apply(double a, double& to) {
    to = std::log10(a);
    return check_logarithm(a);
  }
};
struct Power {
  static Fault apply(double a, double b, double& to) {
    to = std::pow(a, b);
    if (std::isnan(a) || std::isnan(b)) {  // 1 and 0 win over NaN, as in C
      return Fault::kNone;
    }
    if (a == 0 && b < 0) return Fault::kPowerZeroNegative;
    if (a < 0 && std::isfinite(b) && std::floor(b) != b) return Fault::kPowerComplex;
    if (std::isinf(a) || std::isinf(b)) return Fault::kNone;
    if (std::isinf(to)) return Fault::kFloatOverflow;
    return to == 0 && a != 0 ? Fault::kFloatUnderflow : Fault::kNone;
  }
};
struct Degrees {
  static Fault apply(double a, double& to) {
    to = a * (180 / std::numbers::pi);
    return std::isinf(to) && !std::isinf(a) ? Fault::kFloatOverflow : Fault::kNone;
  }
};
struct Radians {
  static double apply(double a) { return a * (std::numbers::pi / 180); }
};
struct Sine {
  static Fault apply(double a, double& to) {
    to = std::sin(a);
    return std::isinf(a) ? Fault::kInputRange : Fault::kNone;
  }
};
struct Cosine {
  static Fault apply(double a, double& to) {
    to = std::cos(a);
    return std::isinf(a) ? Fault::kInputRange : Fault::kNone;
  }
};
struct Tangent {
  static Fault apply(double a, double& to) {
    to = std::tan(a);
    return std::isinf(a) ? Fault::kInputRange : Fault::kNone;
  }
};
struct ArcSine {
  static Fault apply(double a, double& to) {
    to = std::asin(a);
    return a < -1 || a > 1 ? Fault::kInputRange : Fault::kNone;
  }
};
struct ArcCosine {
  static Fault apply(double a, double& to) {
    to = std::acos(a);
    return a < -1 || a > 1 ? Fault::kInputRange : Fault::kNone;
  }
};
struct ArcTangent {
  static double apply(double a) { return std::atan(a); }
};
struct ArcTangent2 {
  static double apply(double a, double b) { return std::atan2(a, b); }
};

}  // namespace coppice::sql_core
