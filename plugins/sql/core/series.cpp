// series.cpp — generate_series over integers.
#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

template <class T>
class IntegerSeries final : public SetProducer {
 public:
  IntegerSeries(Int128 next, Int128 left, Int128 step) : next_(next), left_(left), step_(step) {}

  Result<bool> next(std::span<VectorBuffer> out) override {
    if (left_ == 0) return false;
    const auto count = static_cast<std::uint32_t>(std::min<Int128>(left_, kVectorRows));
    T* const to = out[0].append_values<T>(count);
    for (std::uint32_t i = 0; i < count; ++i, next_ += step_) to[i] = static_cast<T>(next_);
    left_ -= count;
    return true;
  }

 private:
  Int128 next_, left_, step_;  // wide enough for one step past the last value
};

// generate_series(start, stop [, step])
template <class T>
Result<std::unique_ptr<SetProducer>> generate_series(CallContext&,
                                                     std::span<const Datum> arguments) {
  for (const Datum& argument : arguments)
    if (argument.null) return std::make_unique<IntegerSeries<T>>(0, 0, 1);
  const Int128 start = arguments[0].bits, stop = arguments[1].bits;
  const Int128 step = arguments.size() == 3 ? arguments[2].bits : 1;
  if (step == 0) return std::unexpected(sql_error("22023", "step size cannot equal zero"));
  const Int128 count = std::max<Int128>((stop - start + step) / step, 0);
  const bool none = step > 0 ? start > stop : start < stop;
  return std::make_unique<IntegerSeries<T>>(start, none ? 0 : count, step);
}

void add_one(SqlRegistry& registry, FunctionOid oid, TypeOid type, std::size_t arguments,
             SetKernel kernel) {
  SqlFunction function;
  function.oid = oid;
  function.name = "generate_series";
  function.arguments.assign(arguments, type);
  function.result = type;
  function.set_kernel = kernel;
  registry.add(std::move(function));
}

}  // namespace

void add_series(SqlRegistry& registry) {
  add_one(registry, 1066, type_oid::kInt4, 3, generate_series<std::int32_t>);
  add_one(registry, 1067, type_oid::kInt4, 2, generate_series<std::int32_t>);
  add_one(registry, 1068, type_oid::kInt8, 3, generate_series<std::int64_t>);
  add_one(registry, 1069, type_oid::kInt8, 2, generate_series<std::int64_t>);
}

}  // namespace coppice::sql_core
