// sql_call.h — kernels made of plain functions: Status f(R& result, arguments…).
//
// Role:     for functions that do more per row than a loop can gain by; R is a fixed type, a
//           std::string (the bytes of the result) or a NullableText.
// Errors:   the first one of a batch; 53200 when the texts of one batch pass kBatchBytesMax.
// Threads:  any. Parks: never.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"

namespace coppice {

// Of the results of one call; the value that passes it is still given.
inline constexpr std::size_t kBatchBytesMax = 64_MiB;

// A base of what is made once per call of a kernel and handed to each of its rows.
struct BatchState {};

struct NullableText {
  std::string text;
  bool null = false;
};
template <class T>
struct NullableValue {
  T value{};
  bool null = false;
};

namespace detail {

inline Status check_batch_bytes(const VectorBuffer& out) {
  if (out.heap_bytes() <= kBatchBytesMax) return {};
  return std::unexpected(
      sql_error(sqlstate::kOutOfMemory, "out of memory")
          .note(sql_field::kDetail, "The results of one batch of rows are too large."));
}

template <class T>
inline constexpr bool kIsNullableValue = false;
template <class T>
inline constexpr bool kIsNullableValue<NullableValue<T>> = true;

// visit(row, R&) -> Status.
template <class R, class Visit>
Status each_result(const Selection& rows, std::uint32_t size, VectorBuffer& out, Visit visit) {
  if constexpr (std::is_same_v<R, std::string>) {
    return each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
      COPPICE_TRY(check_batch_bytes(out));
      return visit(row, to);
    });
  } else if constexpr (std::is_same_v<R, NullableText>) {
    const std::uint32_t base = out.size();
    NullableText result;
    std::array<bool, kVectorRows> nulls{};
    COPPICE_TRY(each_bytes(rows, size, out, [&](std::uint32_t row, std::string& to) -> Status {
      COPPICE_TRY(check_batch_bytes(out));
      result.text.clear();
      result.null = false;
      COPPICE_TRY(visit(row, result));
      nulls[row] = result.null;
      if (!result.null) to.append(result.text);
      return {};
    }));
    rows.for_each([&](std::uint32_t row) {
      if (nulls[row]) out.set_null(base + row);
    });
    return {};
  } else if constexpr (kIsNullableValue<R>) {
    using T = decltype(R::value);
    const std::uint32_t base = out.size();
    std::array<bool, kVectorRows> nulls{};
    COPPICE_TRY(each_fixed<T>(rows, size, out, [&](std::uint32_t row, T& to) -> Status {
      R result;
      COPPICE_TRY(visit(row, result));
      nulls[row] = result.null;
      to = result.value;
      return {};
    }));
    rows.for_each([&](std::uint32_t row) {
      if (nulls[row]) out.set_null(base + row);
    });
    return {};
  } else {
    return each_fixed<R>(rows, size, out, visit);
  }
}

template <auto kFunction>
struct CallKernel;

template <class R, class... A, Status (*kFunction)(R&, A...)>
  requires(!std::is_same_v<R, CallContext> && !std::is_base_of_v<BatchState, R>)
struct CallKernel<kFunction> {
  static Status call(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
    COPPICE_ASSERT(arguments.size() == sizeof...(A) && size <= kVectorRows);
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> Status {
      const std::tuple<Argument<A>...> values(arguments[I]...);
      return each_result<R>(rows, size, out, [&](std::uint32_t row, R& to) -> Status {
        return kFunction(to, std::get<I>(values)[row]...);
      });
    }(std::make_index_sequence<sizeof...(A)>());
  }
};

// The same for functions that ask what the session is.
template <class R, class... A, Status (*kFunction)(CallContext&, R&, A...)>
struct CallKernel<kFunction> {
  static Status call(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
    COPPICE_ASSERT(arguments.size() == sizeof...(A) && size <= kVectorRows);
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> Status {
      const std::tuple<Argument<A>...> values(arguments[I]...);
      return each_result<R>(rows, size, out, [&](std::uint32_t row, R& to) -> Status {
        return kFunction(context, to, std::get<I>(values)[row]...);
      });
    }(std::make_index_sequence<sizeof...(A)>());
  }
};

// The same for functions that keep something from row to row.
template <class S, class R, class... A, Status (*kFunction)(S&, R&, A...)>
  requires std::is_base_of_v<BatchState, S>
struct CallKernel<kFunction> {
  static Status call(CallContext&, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
    COPPICE_ASSERT(arguments.size() == sizeof...(A) && size <= kVectorRows);
    S state;
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> Status {
      const std::tuple<Argument<A>...> values(arguments[I]...);
      return each_result<R>(rows, size, out, [&](std::uint32_t row, R& to) -> Status {
        return kFunction(state, to, std::get<I>(values)[row]...);
      });
    }(std::make_index_sequence<sizeof...(A)>());
  }
};

}  // namespace detail

template <auto kFunction>
inline constexpr ScalarKernel kCall = &detail::CallKernel<kFunction>::call;

}  // namespace coppice
