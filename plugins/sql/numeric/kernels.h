// kernels.h — kernels made from operations on numbers.
#pragma once

#include "interfaces/sql_kernels.h"
#include "plugins/sql/numeric/breathe.h"
#include "plugins/sql/numeric/fixed.h"
#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {

// Op: Result<Number>(const Number&)
template <auto Op>
Status unary(CallContext&, std::span<const Vector> arguments, const Selection& rows,
             std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]);
  Number a;
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    load(values[row], a);
    const Number result = COPPICE_TRY(Op(a));
    COPPICE_TRY(breathe(a.digits.size() + result.digits.size()));
    return store(result, to);
  });
}

// Op: Result<Number>(const Number&, const Number&)
template <auto Op>
Status binary(CallContext&, std::span<const Vector> arguments, const Selection& rows,
              std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> lefts(arguments[0]), rights(arguments[1]);
  Number a, b;
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    load(lefts[row], a);
    load(rights[row], b);
    const Number result = COPPICE_TRY(Op(a, b));
    COPPICE_TRY(breathe(a.digits.size() + b.digits.size()));
    return store(result, to);
  });
}

// Like binary<Op>, where Fast does most of the rows: bool(Fixed, Fixed, Fixed& to)
template <auto Op, auto Fast>
Status fixed_or_binary(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                       std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> lefts(arguments[0]), rights(arguments[1]);
  Number a, b;
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    const std::optional<Fixed> left = fixed_of(lefts[row]), right = fixed_of(rights[row]);
    Fixed fast;
    if (left && right && Fast(*left, *right, fast)) {
      append_numeric(to, fast.unscaled, static_cast<unsigned>(fast.scale));
      return {};
    }
    load(lefts[row], a);
    load(rights[row], b);
    const Number result = COPPICE_TRY(Op(a, b));
    COPPICE_TRY(breathe(a.digits.size() + b.digits.size()));
    return store(result, to);
  });
}

// Op: Result<Number>(const Number&, std::int32_t)
template <auto Op>
Status with_integer(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                    std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]);
  const Argument<std::int32_t> integers(arguments[1]);
  Number a;
  return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
    load(values[row], a);
    const Number result = COPPICE_TRY(Op(a, integers[row]));
    return store(result, to);
  });
}

// Op: Result<T>(const Number&)
template <class T, auto Op>
Status to_fixed(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                std::uint32_t size, VectorBuffer& out) {
  const Argument<ByteView> values(arguments[0]);
  Number a;
  return each_fixed<T>(rows, size, out, [&](std::uint32_t row, T& to) -> Status {
    load(values[row], a);
    to = COPPICE_TRY(Op(a));
    return {};
  });
}

}  // namespace coppice::sql_numeric
